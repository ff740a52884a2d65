# Copies to real FAT and exFAT sticks: names that they refuse, drop, or take for another's; a link
# on an ext4 stick that leads to the library.
# limit: 900
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
start_disk
modprobe -a loop vfat nls_cp437 nls_iso8859-1 nls_utf8 nls_ascii
mkdir -p /media/stick /run/rig

# configure ALBUM [KEEPING]: a station that copies to the stick.
configure() {
  cat >/run/rig/c.toml <<C
[countdown]
seconds = 0
[library]
path = "/disk/photos"
album = "$1"
${2:-}
[copy]
to = ["/media/stick/copies"]
[socket]
path = "/run/rig/socket"
[web]
listen = ""
C
}

start() {
  rm -f /disk/photos/.retake.album
  "$RETAKE_BINARY" run --camera demo --config /run/rig/c.toml --log info </dev/null \
    >/dev/null 2>>"$RIG_OUTPUT/station.log" &
  station=$!
  wait_for 30 "the station" retake trigger status --socket /run/rig/socket
}

stop() {
  kill "$station"
  wait "$station"
}

in_state() {
  local now word
  now=$(station_field state)
  for word; do [ "$now" = "$word" ] && return 0; done
  return 1
}

take() {
  holds 60 ready || fail "the camera gives no frames"
  retake trigger shutter --socket /run/rig/socket >/dev/null
  wait_for 90 "the review" in_state reviewing
  holds 10 retake trigger accept --socket /run/rig/socket || fail "accept"
  wait_for 90 "the photo" in_state idle finished
}

ready() { retake trigger status --json --socket /run/rig/socket | grep -q '"streaming"'; }

refused() { [ "$(copies state)" = refused ]; }
failed() { [ "$(copies failed)" -gt 0 ]; }

# copies FIELD: of the one directory.
copies() {
  retake trigger status --json --socket /run/rig/socket | "$python" -c '
import json, sys
print(json.load(sys.stdin)["library"]["copies"][0].get(sys.argv[1]))' "$1"
}

all_copied() { [ "$(copies waiting)" = 0 ] && [ "$(copies state)" = ready ]; }

# whole: each photo of the library is below the directory that says by its name whose it is.
whole() {
  "$python" - <<'P'
import os, re, sys
def name(directory):
    return re.sub(rb"%([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), os.fsencode(directory))
root, stick = b"/disk/photos", b"/media/stick/copies"
def photos(top, album):
    found = {}
    for directory in os.listdir(top):
        path = os.path.join(top, directory)
        if os.path.isdir(path):
            for file in os.listdir(path):
                if file.endswith(b".jpg") and not file.startswith(b"."):
                    with open(os.path.join(path, file), "rb") as opened:
                        found[album(directory), file] = opened.read()
    return found
ours, theirs = photos(root, bytes), photos(stick, name)
missing = [key for key in ours if theirs.get(key) != ours[key]]
extra = [key for key in theirs if key not in ours]
print(len(ours), "photos", "missing", missing, "extra", extra)
sys.exit(bool(missing or extra or not ours))
P
}

albums=("Hochzeit Müller" "Anna & Ben: 12:30" "What a day?" "booth" "Booth" "BOOTH" "ends with dot."
  "nul" "a%3Ab" "later")

try() { # KIND OPTIONS: all albums on that file system, as it is mounted with the options
  local kind=$1 options=$2 album
  rm -rf /disk/photos /disk/stick.img
  truncate -s 64M /disk/stick.img
  "mkfs.$kind" /disk/stick.img >/dev/null || fail "mkfs.$kind"
  mount -o "loop,$options" -t "$kind" /disk/stick.img /media/stick || fail "mount $kind"
  mkdir /media/stick/copies
  for album in "${albums[@]}"; do
    configure "$album"
    start
    take
    wait_for 60 "the copy of $album on $kind ($options): $(copies fix)" all_copied
    stop
  done
  whole || fail "not all is on $kind ($options)"
  retake photos verify --config /run/rig/c.toml || fail "verify on $kind ($options)"
  ls /media/stick/copies
  # From another start on, and another mount: nothing is copied twice.
  local before
  before=$(find /media/stick/copies | sort)
  umount /media/stick
  mount -o "loop,$options" -t "$kind" /disk/stick.img /media/stick || fail "mount $kind again"
  start
  wait_for 60 "the second look" all_copied
  stop
  [ "$before" = "$(find /media/stick/copies | sort)" ] || fail "names changed on $kind"
  # A copy that was changed is named by the path that it has there.
  local copy=/media/stick/copies/'What a day%3F'
  copy=$copy/$(ls "$copy")
  printf x | dd of="$copy" bs=1 seek=100 conv=notrunc 2>/dev/null
  retake photos verify --config /run/rig/c.toml >"$RIG_OUTPUT/verify" 2>&1 && fail "verify saw nothing"
  grep -qF "$copy" "$RIG_OUTPUT/verify" || fail "verify does not name $copy"
  umount /media/stick
}

try vfat utf8
try vfat iocharset=ascii
if modprobe exfat 2>/dev/null && command -v mkfs.exfat >/dev/null; then try exfat iocharset=utf8; fi

# A stick whose album is a link to the library's: no copy, and no reason to delete a photo.
rm -rf /disk/photos /disk/stick.img
truncate -s 64M /disk/stick.img
mkfs.ext4 -q /disk/stick.img || fail mkfs.ext4
mount -o loop,nosymfollow -t ext4 /disk/stick.img /media/stick || fail "no nosymfollow"
umount /media/stick
mount -o loop -t ext4 /disk/stick.img /media/stick || fail mount
mkdir /media/stick/copies
ln -s /disk/photos/booth /media/stick/copies/booth
configure booth 'keep-size = "1 MB"'
start
take
wait_for 60 "the link to be told" failed
photos=$(ls /disk/photos/booth | wc -l)
pause 65
[ "$(ls /disk/photos/booth | wc -l)" = "$photos" ] || fail "a photo was deleted for a link"
copies fix | grep -q "/media/stick/copies/booth" || fail "the status does not name the link"
stop
# The same with the whole directory.
rm -r /media/stick/copies
ln -s /disk/photos /media/stick/copies
start
wait_for 60 "the refusal" refused
stop
umount /media/stick
