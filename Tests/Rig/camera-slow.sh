# A camera that says 30 pictures a second and gives 3 to 1, as in the dark: every press becomes a photo.
# limit: 240
# clips: 480p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

for rate in ${*:-3 2 1}; do
  start_webcam --port 0 --fps "$rate" --mjpeg 640x480="$(clip 480p-420)"
  station_config 0 <<C
[camera]
device = "$webcam"
[web]
listen = ""
C
  start_station --log info
  for press in 1 2 3 4; do
    retake trigger shutter --socket /run/rig/socket >/run/rig/answer 2>&1 ||
      fail "$rate a second, press $press: $(</run/rig/answer)"
    is_reviewing() { [ "$(station_field state)" = reviewing ]; }
    wait_for 8 "the review of press $press at $rate pictures a second" is_reviewing
    retake trigger cancel --socket /run/rig/socket >/dev/null
    is_idle() { [ "$(station_field state)" = idle ]; }
    wait_for 8 "the end of the session" is_idle
  done
  retake trigger status --socket /run/rig/socket >/run/rig/status
  grep -q "more light" /run/rig/status || fail "the status does not speak of light: $(</run/rig/status)"
  retake doctor --config "$station_config" >/run/rig/doctor 2>&1 || true
  stop_station
  # Once at most, while the rhythm is not known yet.
  stalls=$(grep -c "stopped without a word" "$RIG_OUTPUT/station" || true)
  [ "$stalls" -le 1 ] || fail "at $rate pictures a second the camera was restarted $stalls times"
  kill "$webcam_process"
  wait "$webcam_process" 2>/dev/null || true
  rm -f "$webcam_log"
done
