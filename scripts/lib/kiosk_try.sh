#!/bin/bash
# kiosk_try.sh DEB FOLDER: runs the exact command line of retake-kiosk.service in a Debian 13 with cage
# and Chromium, on cage's headless output, and takes a picture of the screen. Called by scripts/vm system.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"
. "$repository/scripts/lib/packages.sh"
deb=$(realpath "$1") folder=$2
install_packages debian13
mkdir -p "$folder"
folder=$(realpath "$folder")
cache=$rig_cache/system
mkdir -p "$cache"
depends=$(depends_of "$deb")
wanted=cage,chromium,chromium-sandbox,grim,fonts-dejavu-core,python3-minimal,libpython3-stdlib,curl,iproute2,procps,$depends
root=$cache/kiosk-root
if [ "$(cat "$root/etc/retake-packages" 2>/dev/null)" != "$wanted" ]; then
  say "making a Debian 13 with cage and Chromium"
  rm -rf "$root"
  make_debian13 "$root.new" "$folder/root.log" "$wanted" "${lean[@]}"
  echo "$wanted" >"$root.new/etc/retake-packages"
  mv "$root.new" "$root"
fi
dpkg-deb -x "$deb" "$root"
install -m 755 "$repository/Tests/Rig/System/kiosk.py" "$root/usr/local/bin/try-kiosk"
sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/retake-kiosk.service" >"$root/usr/local/share/command"
mkdir -p "$root/out"
rm -f "$root"/out/*
status=0
# A network of its own: the page's port may be taken on this machine.
unshare --mount --pid --net --ipc --fork --kill-child bash -ec '
  mount --make-rprivate /
  mount -t proc proc "$1/proc"
  mount --rbind /dev "$1/dev"
  mount -t tmpfs tmpfs "$1/tmp"
  mount -t tmpfs -o mode=755 tmpfs "$1/run"
  mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
  exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
    /usr/bin/python3 /usr/local/bin/try-kiosk' kiosk "$root" >"$folder/output" 2>&1 || status=$?
cp "$root"/out/* "$folder/" 2>/dev/null || true
cat "$folder/output"
exit "$status"
