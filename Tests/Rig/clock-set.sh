# The booth's clock is 70 days behind, as of a machine that lay in a cupboard. Guests take photos, and then
# a time source sets the clock: no photo of tonight is too old, and one of 40 days before goes.
# limit: 400
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
start_disk
mkdir -p /run/rig
station_config 0 <<C
keep-days = 30
C
# The key belongs to the table of the library.
sed -i 's/^keep-days = 30$//; s/^allow-volatile = true$/allow-volatile = true\nkeep-days = 30/' "$station_config"

album=/disk/photos/booth
photos() { (cd "$album" && echo IMG_*.jpg); }
take() {
  retake trigger shutter --socket /run/rig/socket >/dev/null
  wait_for 60 "a review" state_is reviewing
  pause 1.2
  retake trigger accept --socket /run/rig/socket >/dev/null
  wait_for 60 "the photo" state_is idle finished
  pause 1
}
state_is() {
  local now word
  now=$(station_field state)
  for word; do [ "$now" = "$word" ] && return 0; done
  return 1
}

# A photo of an evening whose clock was right, as the station wrote it down.
mkdir -p "$album"
printf 'an old photo' >"$album/IMG_00000001.jpg"
touch -d "2026-03-03 20:00:00 UTC" "$album/IMG_00000001.jpg"
printf '00000001 99999998\n' >/disk/photos/.retake.booth.sequence
"$python" - >/disk/photos/.retake.clock <<'P'
import hashlib
words = "1 %s 3600 1772568000 s +1 booth" % ("0123456789abcdef" * 2)
print(hashlib.sha256(words.encode()).hexdigest()[:8], words)
P

# The guest's own date, for the tests behind this one.
read -r up _ </proc/uptime
restart=$(($(date +%s) - ${up%.*}))
date -u -s "2026-02-01 18:00:00" >/dev/null
start_station --camera demo
take
take
take
[ "$(photos | wc -w)" = 4 ] || fail "before the clock was set: $(photos)"

# The next commands act as a time source: they set the clock and report it as synchronised.
date -u -s "2026-04-12 18:01:00" >/dev/null
"$python" - <<'P' || fail "adjtimex"
import ctypes
status_maximum_error, words = 0x10 | 0x4 | 0x8, (ctypes.c_long * 32)()
words[0] = status_maximum_error
raise SystemExit(ctypes.CDLL(None).adjtimex(ctypes.byref(words)) < 0)
P
# The look in which the step is seen deletes nothing, and the next does.
wait_for 200 "the old photo to go" test ! -e "$album/IMG_00000001.jpg"
pause 65
[ "$(photos)" = "IMG_00000002.jpg IMG_00000003.jpg IMG_00000004.jpg" ] ||
  fail "after the clock was set: $(photos)"
grep -q "[+]4 booth" /disk/photos/.retake.clock || fail "$(cat /disk/photos/.retake.clock)"
stop_station
read -r up _ </proc/uptime
date -u -s "@$((restart + ${up%.*}))" >/dev/null
