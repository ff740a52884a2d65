# shellcheck shell=bash Sourced by the scripts: paths, and messages for the person at the terminal.

repository=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
rig_cache=${RETAKE_RIG:-${XDG_CACHE_HOME:-$HOME/.cache}/retake-rig}

# say WORDS...: one line of progress, on standard error so that results stay alone on the output.
say() { echo "${0##*/}: $*" >&2; }

die() {
  say "$@"
  exit 1
}

# debian_mirror: where this machine's apt gets its packages from.
debian_mirror() {
  local uri
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    grep -v security | head -n 1 || true)
  uri=${uri:-http://deb.debian.org/debian}
  echo "${uri%/}"
}

# depends_of DEB: the packages that it needs, the first of each choice, by commas.
depends_of() {
  dpkg-deb -f "$1" Depends | tr ',' '\n' | sed 's/(.*//;s/|.*//;s/ //g' | sort -u |
    grep -vE '^(|retake)$' | paste -sd,
}

# make_debian13 FOLDER LOG PACKAGES [OPTIONS OF mmdebstrap...]: a small Debian 13 (amd64) with them.
make_debian13() {
  local folder=$1 log=$2 packages=$3
  shift 3
  rm -rf "$folder"
  mmdebstrap --quiet --mode=root --variant=minbase --architectures=amd64 "$@" --include="$packages" \
    trixie "$folder" \
    "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) trixie main" \
    >"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    die "mmdebstrap failed; its whole output is in $log"
  }
}

# The options that make a small system, for uses where only its programs count.
lean=(--aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*')
