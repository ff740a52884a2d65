#!/bin/bash
# bare_size.sh DEB FOLDER: what apt would put onto a bare Debian 13 (minbase with systemd) for the
# package: bytes to download and to store, with and without what it recommends. Called by scripts/vm system.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"
. "$repository/scripts/lib/packages.sh"
deb=$(realpath "$1") folder=$2
install_packages debian13
mkdir -p "$folder"
cache=$rig_cache/system
mkdir -p "$cache"
root=$cache/bare-root
if [ ! -e "$root/etc/debian_version" ] || [ -z "$(find "$root/made" -mtime -7 2>/dev/null)" ]; then
  rm -rf "$root"
  make_debian13 "$root.new" "$folder/root.log" systemd-sysv,udev,kmod --skip=cleanup/apt/lists
  touch "$root.new/made"
  mv "$root.new" "$root"
fi
cp "$deb" "$root/retake.deb"
du -sxm "$root" | awk '{ print "bare Debian 13: " $1 " MiB" }'
for words in 'needed --no-install-recommends' 'with-recommended --install-recommends'; do
  # apt only simulates the installation.
  chroot "$root" apt-get install --assume-no "${words#* }" /retake.deb >"$folder/${words%% *}" 2>&1 || true
  sed -nE 's/^(Need to get|After this operation, ([0-9.]+ [kMG]B)).*/&/p' "$folder/${words%% *}" |
    sed "s/^/${words%% *}: /"
done
