# The tests of buttons with Debian 13's own build and libgpiod 2.x, in Debian 13's root.
# limit: 600
# clips: 720p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"

build=release
[ -x "$RETAKE_DEBIAN13/$build/retake" ] || build=debug
[ -x "$RETAKE_DEBIAN13/$build/retake" ] && [ -d "$RETAKE_DEBIAN13_ROOT/usr" ] ||
  skip "scripts/debian13 build -c release --product retake has not been run"

# The system's root with this guest's devices and files in it.
root=$RETAKE_DEBIAN13_ROOT
for place in dev sys proc run report; do
  mkdir -p "$root/$place"
  mount --rbind "/$place" "$root/$place" || fail "no /$place in $root"
done
mkdir -p "$root/scratch" /disk "$root/disk"
mount --bind "$RETAKE_DEBIAN13" "$root/scratch"
cat >/run/rig/retake <<C
#!/bin/sh
mountpoint -q /disk && ! mountpoint -q '$root/disk' && mount --bind /disk '$root/disk'
exec /usr/sbin/chroot '$root' /scratch/$build/retake "\$@"
C
chmod +x /run/rig/retake
export RETAKE_BINARY=/run/rig/retake
retake buttons | tee "$RIG_OUTPUT/list" | grep 'libgpiod 2' || fail "that is no libgpiod 2"

part=${1:-states}
case $part in
  states | presses | frames) shift || true ;;
  *) fail "there is no part '$part'" ;;
esac
. "$rig/buttons-$part.sh"
