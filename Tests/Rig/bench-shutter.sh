# From the press of a button to the wire time of the photo's frame, with peers. A measurement.
# limit: 1800
# clips: 720p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
start_disk
start_gpio pinctrl-bcm2711 28
for line in 5 17; do drive "$line" pull-up; done
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)"
station_config 0 <<C
[camera]
device = "$webcam"
fallback = []
size = "1280x720"
delay = 1
[buttons.shutter]
line = "GPIO17"
[buttons.accept]
line = "GPIO5"
C
"$python" "$rig/bench_shutter.py" --retake "$RETAKE_BINARY" --config "$station_config" \
  --camera "$webcam" --log "$webcam_log" --pulls "$gpio_pulls" --chip "$gpio_chip" \
  --folder /run/rig "$@" | tee "$RIG_OUTPUT/report.txt"
[ "${PIPESTATUS[0]}" -eq 0 ]
