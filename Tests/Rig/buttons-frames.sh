# The photo is the frame nearest to the press of a real button, by the USB camera's own log.
# limit: 420
# clips: 720p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

count=${1:-20}
start_disk
start_gpio pinctrl-bcm2711 28
for line in 5 17; do drive "$line" pull-up; done
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)"
# The rig's frames are dated about a millisecond after their first byte.
station_config 0 <<C
[camera]
device = "$webcam"
size = "1280x720"
delay = 1
[buttons.shutter]
line = "GPIO17"
[buttons.accept]
line = "GPIO5"
C
start_station --log info --frame-log /run/rig/frame-log
"$python" "$rig/buttons.py" take-photos --pulls "$gpio_pulls" --socket /run/rig/socket \
  --count "$count" >"$RIG_OUTPUT/photos" || fail "the presses ended with $?"
retake trigger status --json --config "$station_config" >"$RIG_OUTPUT/status"
stop_station
"$python" "$rig/buttons.py" judge-frames --photos "$RIG_OUTPUT/photos" --log "$webcam_log" \
  --frames /run/rig/frame-log --delay 1 --count "$count" || fail "a photo is not the frame of its press"
