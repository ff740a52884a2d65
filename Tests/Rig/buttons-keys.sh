# A USB pedal: found by its name, grabbed, its repeats ignored, pulled out and plugged in again.
# limit: 120
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

modprobe -a uinput evdev || fail "no uinput or evdev"
wait_for 10 "/dev/uinput" test -c /dev/uinput
station_config 0 <<'C'
[camera]
device = "demo"
size = "640x480"
rate = 5
[buttons.pedal]
device = "Rig Pedal"
key = "B"
grab = true
role = "cancel"
C
start_station --log info
pedal_is() { station_field panel | grep -q "'state': '$1'"; }
wait_for 10 "a pedal to be missed" pedal_is waiting

count=40
mkfifo /run/rig/go
"$python" "$rig/pedal.py" "$count" <>/run/rig/go >"$RIG_OUTPUT/pedal" &
pedal=$!
wait_for 10 "the pedal" pedal_is armed
echo >/run/rig/go
wait_for 30 "the pedal to be pulled out" grep -q unplugged "$RIG_OUTPUT/pedal"
wait_for 10 "that to be noticed" pedal_is waiting
echo >/run/rig/go
wait_for 20 "the pedal to be back" pedal_is armed
echo >/run/rig/go
wait "$pedal" || fail "the pedal ended with $?"
stop_station
grep '^pedal' "$RIG_OUTPUT/pedal" >"$RIG_OUTPUT/presses"
"$python" "$rig/buttons.py" judge-presses --presses "$RIG_OUTPUT/presses" \
  --log "$RIG_OUTPUT/station" --count "$count" --within 3 || fail "see above"
