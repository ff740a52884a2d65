#!/bin/bash
# arm64_install.sh DEB FOLDER: installs the arm64 package in an arm64 Debian 13 and takes a photo of
# the demo camera with it, under qemu's user emulation. Called by scripts/vm system. The packages'
# scripts run as this machine's (DPKG_ROOT), the program as the other's.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"
. "$repository/scripts/lib/packages.sh"
deb=$(realpath "$1") folder=$2
install_packages cross
mkdir -p "$folder"
cache=$rig_cache/system
mkdir -p "$cache"

debian13() {
  RETAKE_DEBIAN13_TAGS='package cross' RETAKE_DEBIAN13_SCRATCH=$cache \
    "$repository/scripts/debian13" run -- "$@"
}

depends=$(depends_of "$deb")
key=$(echo "$depends $(find "$cache/versions" -printf '%TF' 2>/dev/null)" | sha256sum | cut -c 1-12)
base=$cache/arm64-$key.tar
if [ ! -e "$base" ]; then
  rm -f "$cache"/arm64-*.tar
  debian13 sh -ec 'mmdebstrap --quiet --mode=chrootless --variant=minbase --architectures=arm64 \
    --skip=check/chrootless \
    --aptopt="APT::Install-Recommends \"false\"" --dpkgopt=force-unsafe-io \
    --dpkgopt="path-exclude=/usr/share/man/*" --dpkgopt="path-exclude=/usr/share/locale/*" \
    --include="$1" trixie "$2" "$(sed -n "s/^deb //p;s/^URIs: //p" /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
      head -n 1 | sed "s/^/deb /")"' sh "$depends" "/scratch/${base##*/}.new.tar" >"$folder/root.log" 2>&1 || {
    tail -n 20 "$folder/root.log" >&2
    die "the arm64 Debian 13 was not made; the whole log is in $folder/root.log"
  }
  mv "$base.new.tar" "$base"
fi
root=$cache/arm64-root
rm -rf "$root"
mkdir -p "$root"
tar -x -C "$root" -f "$base" --exclude='./dev/*'
cp "$deb" "$cache/retake-arm64.deb"
debian13 dpkg --root=/scratch/arm64-root --force-script-chrootless -i /scratch/retake-arm64.deb
grep -q '^retake:' "$root/etc/passwd" || die "the package made no user"
test -d "$root/var/lib/retake/photos"
cp "$(command -v qemu-aarch64-static || command -v qemu-aarch64)" "$root/usr/bin/qemu-aarch64-static"
mkdir -p "$root/dev" "$root/proc" "$root/tmp"
# retake WORDS...: runs the installed program. Only one process runs, so nothing has to be
# registered with the kernel.
retake() {
  unshare --mount --pid --fork --kill-child bash -ec '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --bind /dev "$1/dev"
    exec /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin STATE_DIRECTORY=/var/lib/retake \
      chroot "$1" /usr/bin/qemu-aarch64-static /usr/bin/retake "${@:2}"' retake "$root" "$@"
}
photo=$(retake run --once --camera demo --fps 5 2>"$folder/retake.log") || {
  cat "$folder/retake.log" >&2
  die "no photo"
}
cp "$root$photo" "$folder/photo.jpg"
jpeginfo -c "$folder/photo.jpg" >"$folder/jpeginfo" || die "the photo is damaged: $(cat "$folder/jpeginfo")"
version=$(retake version)
rm -rf "$root"
echo "$version on arm64 took $photo ($(tail -n 1 "$folder/retake.log"))"
