# shellcheck shell=bash
# Sourced by the scripts: installs what they need from scripts/packages.txt. Debian 12 and newer.

packages_list=${BASH_SOURCE[0]%/*}/../packages.txt

# packages_for TAG...: the names of the packages with any of these tags, one a line.
packages_for() {
  awk -v tags="$*" '
    BEGIN { count = split(tags, names, " "); for (i = 1; i <= count; i++) wanted[names[i]] = 1 }
    /^[[:space:]]*(#|$)/ { next }
    { for (i = 2; i <= NF; i++) if ($i in wanted) { print $1; next } }' "$packages_list"
}

# install_packages TAG...: makes sure that they are installed. Silent and quick when they are.
install_packages() {
  local names missing as_root=()
  mapfile -t names < <(packages_for "$@")
  if [ "${#names[@]}" -eq 0 ]; then
    echo "retake: no package in scripts/packages.txt is tagged: $*" >&2
    return 2
  fi
  if ! command -v dpkg-query >/dev/null; then
    echo "retake: this is no Debian system. Install what these Debian packages hold, and set" >&2
    echo "  RETAKE_SKIP_PACKAGES=1: ${names[*]}" >&2
    [ -n "${RETAKE_SKIP_PACKAGES:-}" ] && return 0
    return 1
  fi
  mapfile -t missing < <(
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null |
      awk '$2 == "installed" { print $1 }' | sort -u |
      comm -13 - <(printf '%s\n' "${names[@]}" | sort -u))
  [ "${#missing[@]}" -eq 0 ] && return 0
  [ -n "${RETAKE_SKIP_PACKAGES:-}" ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "retake: packages are missing, and this user is neither root nor has sudo. As root, run:" >&2
      echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "retake: installing ${missing[*]}" >&2
  local log
  log=$(mktemp)
  # Another apt may be at work (CI, unattended upgrades): wait for its lock instead of failing.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2)
  if "${apt[@]}" update >"$log" 2>&1 &&
    "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    rm -f "$log"
    return 0
  fi
  tail -n 15 "$log" >&2
  echo "retake: apt-get could not install ${missing[*]} (whole log: $log)" >&2
  return 1
}
