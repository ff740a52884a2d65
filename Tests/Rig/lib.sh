# Functions for the tests of this folder. Sourced by each; nothing here sleeps without a condition.

: "${repository:=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)}"
: "${RIG_OUTPUT:=/report}"
python=/usr/bin/python3
rig=$repository/Tests/Rig
exec {rig_idle}<> <(:)

# pause SECONDS: without a process, whose start takes longer than the pause does under emulation.
pause() { read -rt "$1" -u "$rig_idle" _ || true; }

# fail WORDS...: ends the test.
fail() {
  echo "FAILED: $* (${BASH_SOURCE[1]##*/}:${BASH_LINENO[0]})" >&2
  exit 1
}

# skip WORDS...: ends the test without a verdict.
skip() {
  echo "$*"
  exit 77
}

# holds SECONDS COMMAND...: waits until the command succeeds; fails after that time.
holds() {
  local end=$((${EPOCHREALTIME/./} + $1 * 1000000))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "${EPOCHREALTIME/./}" -lt "$end" ] || return 1
    pause 0.05
  done
}

# wait_for SECONDS WHAT COMMAND...: the same, and the test fails if it does not come true.
wait_for() {
  local seconds=$1 what=$2
  shift 2
  holds "$seconds" "$@" || fail "waited $seconds s for $what"
}

# gone PID: the process has ended.
gone() { ! kill -0 "$1" 2>/dev/null; }

# retake ARGUMENTS...: the program under test.
retake() { "$RETAKE_BINARY" "$@"; }

need_retake() {
  [ -x "${RETAKE_BINARY:-}" ] || fail "there is no retake to test: build it, or set RETAKE_BINARY"
}

# clip NAME: the path of a generated clip; the test names it in its "# clips:" line.
clip() { echo "$RETAKE_CLIPS/$1.mjpeg"; }

# now_ns: CLOCK_MONOTONIC in nanoseconds, to 10 ms.
now_ns() {
  local up
  read -r up _ </proc/uptime
  echo "$((10#${up/./} * 10000000))"
}

# start_disk: an empty ext4 disk on /disk, the one place in the guest that is not memory.
start_disk() {
  modprobe -a virtio_blk ext4 || fail "no virtio_blk or ext4"
  wait_for 10 "the disk" test -b /dev/vda
  mkdir -p /disk
  # A test that failed before may have left its disk mounted, with its files.
  ! mountpoint -q /disk || umount -l /disk
  mount -t ext4 /dev/vda /disk || fail "the disk does not mount"
}

# Cameras ----------------------------------------------------------------------------------------

# capture_node SERIAL: the device that gives pictures of the USB camera with this serial number.
capture_node() {
  local node
  for node in /sys/class/video4linux/video*; do
    [ -e "$node/index" ] && [ "$(<"$node/index")" = 0 ] || continue
    [ -e "$node/device/../serial" ] && [ "$(<"$node/device/../serial")" = "$1" ] || continue
    [ -c "/dev/${node##*/}" ] && echo "/dev/${node##*/}" && return
  done
  return 1
}

# start_webcam [ARGUMENTS OF webcam.py]: plugs a USB camera in and waits for its node. Sets
# webcam_process, webcam_log, webcam_control, webcam_serial and webcam (the node). A second one
# needs --port and --serial of its own. Options of the driver go before the first one, as in
# `modprobe uvcvideo nodrop=1` (or it keeps damaged raw frames, and flagged ones, to itself).
start_webcam() {
  local argument previous=
  webcam_serial=RETAKE0001
  for argument in "$@"; do
    [ "$previous" = --serial ] && webcam_serial=$argument
    previous=$argument
  done
  modprobe -a vhci-hcd uvcvideo || fail "no vhci-hcd or uvcvideo"
  webcam_log=$RIG_OUTPUT/$webcam_serial.frames
  webcam_control=/run/rig/$webcam_serial.control
  mkdir -p /run/rig
  "$python" "$rig/webcam.py" --serial "$webcam_serial" --log "$webcam_log" \
    --control "$webcam_control" "$@" >"$RIG_OUTPUT/$webcam_serial.output" 2>&1 &
  webcam_process=$!
  wait_for 30 "the camera $webcam_serial" webcam_settled "$webcam_serial"
  webcam=$(capture_node "$webcam_serial")
}

webcam_settled() {
  gone "$webcam_process" && cat "$RIG_OUTPUT/$webcam_serial.output" && fail "webcam.py ended"
  capture_node "$1"
}

# webcam_say COMMAND [VALUE]: unplug, plug, stall on|off, cut, garbage, or any other fault.
webcam_say() {
  gone "$webcam_process" && fail "webcam.py ended before: $*"
  echo "$*" >"$webcam_control"
}

# unplug_webcam, plug_webcam: and wait until the kernel has seen it.
unplug_webcam() {
  webcam_say unplug
  wait_for 10 "$webcam to go" test ! -e "$webcam"
}

plug_webcam() {
  webcam_say plug
  wait_for 20 "the camera to come back" capture_node "$webcam_serial"
  webcam=$(capture_node "$webcam_serial")
}

# frames_sent: how many whole frames the camera has sent.
frames_sent() { grep -vc '^#' "$webcam_log"; }

# start_vivid [WIDTH HEIGHT RATE]: the kernel's own virtual camera, YUYV. Sets vivid.
start_vivid() {
  modprobe vivid n_devs=1 node_types=0x1 multiplanar=1 num_inputs=1 input_types=0x0 allocators=0 ||
    fail "no vivid"
  local node
  wait_for 10 "vivid's node" vivid_node
  vivid=$(vivid_node)
  v4l2-ctl -d "$vivid" \
    --set-fmt-video=width="${1:-640}",height="${2:-480}",pixelformat=YUYV >/dev/null
  # Without this, vivid gives 5 frames a second.
  v4l2-ctl -d "$vivid" --set-parm="${3:-25}" >/dev/null
}

vivid_node() {
  local node
  for node in /sys/class/video4linux/video*; do
    [ -e "$node/name" ] && [[ $(<"$node/name") == vivid-*-vid-cap ]] || continue
    [ -c "/dev/${node##*/}" ] && echo "/dev/${node##*/}" && return
  done
  return 1
}

# start_loopback FILE RATE [EXCLUSIVE]: a camera that a program feeds (needs ffmpeg). Sets loopback.
# With EXCLUSIVE 0 the node is a camera even while nobody feeds it.
start_loopback() {
  modprobe v4l2loopback devices=1 video_nr=40 card_label=loopback exclusive_caps="${3:-1}" || fail "no v4l2loopback"
  loopback=/dev/video40
  wait_for 10 "$loopback" test -c "$loopback"
  feed "$1" "$2"
}

# feed FILE RATE: begins to feed the loopback camera. Sets loopback_process.
feed() {
  loopback_process=
  wait_for 30 "the feed of $loopback" loopback_fed "$1" "$2"
}

# Asks the driver without opening the node; starts a feed that has ended again.
loopback_fed() {
  if [ -z "$loopback_process" ] || gone "$loopback_process"; then
    # Without a format it has none to tell, and ffmpeg asks for it first.
    v4l2-ctl -d "$loopback" --set-fmt-video-out=width=1280,height=720,pixelformat=MJPG >/dev/null
    ffmpeg -nostdin -v warning -re -stream_loop -1 -f mjpeg -framerate "$2" -i "$1" -c:v copy \
      -f v4l2 "$loopback" >>"$RIG_OUTPUT/loopback.output" 2>&1 &
    loopback_process=$!
  fi
  [[ $(</sys/class/video4linux/"${loopback##*/}"/format) == MJPG:* ]]
}

# GPIO -------------------------------------------------------------------------------------------

# start_gpio [LABEL] [LINES]: a chip with lines named GPIO0, GPIO1, ... Sets gpio_chip (its name)
# and gpio_pulls (where a line's level is set). The label is a Raspberry Pi's unless given.
start_gpio() {
  local label=${1:-pinctrl-bcm2711} lines=${2:-28} config line
  modprobe -a configfs gpio-sim || fail "no gpio-sim"
  mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
  config=/sys/kernel/config/gpio-sim/$label
  mkdir -p "$config/bank"
  echo "$lines" >"$config/bank/num_lines"
  echo "$label" >"$config/bank/label"
  for ((line = 0; line < lines; line++)); do
    mkdir "$config/bank/line$line"
    echo "GPIO$line" >"$config/bank/line$line/name"
  done
  echo 1 >"$config/live"
  gpio_chip=$(<"$config/bank/chip_name")
  gpio_pulls=/sys/devices/platform/$(<"$config/dev_name")/$gpio_chip
  wait_for 10 "the chip $label" test -c "/dev/$gpio_chip"
}

# drive LINE pull-up|pull-down: what the world does to the line.
drive() { echo "$2" >"$gpio_pulls/sim_gpio$1/pull"; }

# level LINE: what is on the line, 0 or 1: how a test sees a lamp.
level() { cat "$gpio_pulls/sim_gpio$1/value"; }

# press LINE [SECONDS]: a button to ground, held for a tenth of a second unless told.
press() {
  drive "$1" pull-down
  pause "${2:-0.1}"
  drive "$1" pull-up
}

# unplug_gpio [LABEL]: the chip goes, while its lines may be in use.
unplug_gpio() {
  local config=/sys/kernel/config/gpio-sim/${1:-pinctrl-bcm2711} bank
  echo 0 >"$config/live"
  for bank in "$config"/bank*/; do
    rmdir "$bank"line*/ "$bank"
  done
  rmdir "$config"
}

# The station -------------------------------------------------------------------------------------

# station_config COUNTDOWN <<KEYS: a configuration with a library, a socket and those keys. Sets
# station_config.
station_config() {
  station_config=/run/rig/retake.toml
  local photos=/run/rig/photos
  mountpoint -q /disk && photos=/disk/photos
  cat >"$station_config.head" <<C
[countdown]
seconds = $1
[library]
path = "$photos"
allow-volatile = true
[socket]
path = "/run/rig/socket"
C
  cat "$station_config.head" - >"$station_config"
}

# start_station [ARGUMENTS]: the station, with that configuration; its log is $RIG_OUTPUT/station.
# Sets station_process.
start_station() {
  "$RETAKE_BINARY" run --json --config "$station_config" "$@" \
    </dev/null >"$RIG_OUTPUT/station.out" 2>/run/rig/station &
  station_process=$!
  # Into memory, and from there to the report: that is another machine's disk, and may take its time.
  trap 'cp /run/rig/station "$RIG_OUTPUT/station"' EXIT
  wait_for 30 "the station" station_ready
}

station_ready() {
  gone "$station_process" && cat /run/rig/station && fail "the station ended"
  [ "$(station_field state)" = idle ]
}

# station_field FIELD: of its status.
station_field() {
  "$python" -c '
import json, socket, sys
client = socket.socket(socket.AF_UNIX)
client.connect("/run/rig/socket")
client.sendall(b"status\n")
answer = b"".join(iter(lambda: client.recv(65536), b""))
print(json.loads(answer.split(b" ", 1)[1]).get(sys.argv[1]))' "$1"
}

stop_station() {
  kill "$station_process"
  wait "$station_process" || fail "the station ended with $?"
  cp /run/rig/station "$RIG_OUTPUT/station"
}

# Between tests ----------------------------------------------------------------------------------

# reset_hardware: as if nothing had ever been plugged in.
reset_hardware() {
  local config module
  if mountpoint -q /disk; then
    find /disk -mindepth 1 -maxdepth 1 ! -name lost+found -exec rm -rf {} +
    umount /disk
  fi
  rm -rf /run/rig/*
  chmod 755 /run/rig
  umount -Rl "$RETAKE_DEBIAN13_ROOT"/{dev,sys,proc,run,report,disk,scratch} 2>/dev/null || true
  for config in /sys/kernel/config/gpio-sim/*/; do
    [ -e "$config/live" ] || continue
    config=${config%/}
    unplug_gpio "${config##*/}"
  done
  for module in vivid v4l2loopback uvcvideo vhci-hcd gpio-sim; do
    holds 5 modprobe -qr "$module"
  done
}

# Pictures ---------------------------------------------------------------------------------------

# expect_clean FILE: decodes without a word from the decoder.
expect_clean() {
  local words
  words=$(djpeg -fast "$1" 2>&1 >/dev/null) || fail "$1 does not decode: $words"
  [ -z "$words" ] || fail "$1 decodes with: $words"
}

# jpeg_size FILE: "WIDTH HEIGHT".
jpeg_size() { djpeg -fast "$1" 2>/dev/null | sed -n '2{p;q}'; }

# expect_portrait FILE [WIDTH HEIGHT]: higher than wide, and of that size if one is given.
expect_portrait() {
  local size width height
  size=$(jpeg_size "$1")
  read -r width height <<<"$size"
  [ -n "$height" ] || fail "$1 is not a JPEG"
  [ "$height" -gt "$width" ] || fail "$1 is ${width}x$height: not portrait"
  [ -z "${2:-}" ] || [ "$size" = "$2 $3" ] || fail "$1 is ${width}x$height, not ${2}x$3"
}

# expect_upright FILE: its metadata turn it no further.
expect_upright() {
  local orientation
  orientation=$(exiftool -n -s3 -Orientation "$1")
  [ "$orientation" = 1 ] || fail "$1: EXIF orientation is '${orientation:-absent}', not 1"
}

# json_field FIELD: its value in the object on the input.
json_field() {
  "$python" -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"
}
