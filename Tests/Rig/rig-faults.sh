# The rig's own camera: what the kernel makes of each fault, with nodrop and without.
# limit: 180
# clips: 720p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"

faults=(cut50 cut95 garbage padding tail lead noeoi middle tiny nodht flagged empty)
for index in "${!faults[@]}"; do
  echo "$((index + 3)) ${faults[index]}"
done >/run/rig/plan
last=$((${#faults[@]} + 6))

# account FORMAT: captures until frame $last; a line a frame that arrived, in /run/rig/account.
account() {
  v4l2-ctl -d "$webcam" --set-fmt-video="$1" --set-parm=15 --verbose --stream-mmap=4 \
    --stream-count=300 --stream-to=/dev/null >/run/rig/verbose 2>&1 &
  local reader=$!
  wait_for 40 "frame $last" grep -q "^$last " "$webcam_log"
  kill "$reader"
  wait "$reader"
  grep 'cap dqbuf' /run/rig/verbose >/run/rig/account
}

# arrived INDEX: the driver handed over the frame with this sequence number.
arrived() { grep -q "seq: *$1 " /run/rig/account; }

for nodrop in 0 1; do
  modprobe uvcvideo nodrop=$nodrop || fail "no uvcvideo"
  start_webcam --fps 15 --mjpeg 1280x720="$(clip 720p-420)" --yuyv 640x480 --faults /run/rig/plan
  account width=1280,height=720,pixelformat=MJPG
  for index in "${!faults[@]}"; do
    place=$((index + 3))
    echo "nodrop=$nodrop ${faults[index]}: $(grep -o "seq: *$place .*" /run/rig/account || echo -)"
  done
  for fault in 3 4 5 6 7 8 9 10 11 12; do
    arrived $fault || fail "frame $fault did not arrive"
  done
  case $nodrop in
    0) arrived 13 && fail "a flagged frame arrived" ;;
    1) grep -q 'seq: *13 .*error' /run/rig/account || fail "a flagged frame has no error flag" ;;
  esac
  : >"$webcam_log"
  account width=640,height=480,pixelformat=YUYV
  echo "nodrop=$nodrop short YUYV: $(grep -o 'seq: *3 .*' /run/rig/account || echo -)"
  if [ $nodrop = 0 ]; then arrived 3 && fail "a short frame arrived"; else arrived 3 || fail "no short frame"; fi
  kill "$webcam_process"
  wait_for 10 "$webcam to go" test ! -e "$webcam"
  holds 5 modprobe -r uvcvideo
  rm -f "$webcam_log"
done
