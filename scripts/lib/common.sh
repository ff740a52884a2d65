# shellcheck shell=bash
# Sourced by the scripts: places, and words to the person at the terminal.

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
