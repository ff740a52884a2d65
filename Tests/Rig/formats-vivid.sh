# Every raw format of ours that vivid has gives the right colours, upright and portrait, odd sizes too.
# limit: 150
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

# load PLANES INPUT: vivid with one input (0 webcam, 3 HDMI) and one (1) or several (2) planes.
load() {
  holds 5 modprobe -r vivid
  modprobe vivid n_devs=1 node_types=0x1 multiplanar="$1" num_inputs=1 input_types="0x$2" \
    allocators=0 || fail "no vivid"
  wait_for 10 "vivid's node" vivid_node
  vivid=$(vivid_node)
  # Bars whose colours no conversion clips, and no text over them.
  v4l2-ctl -d "$vivid" -c test_pattern=2 -c osd_text_mode=2
}

# shot FORMAT SIZE NAME: the whole frame, turned, so that the bars lie from top to bottom.
shot() {
  cat >/run/rig/bars.toml <<C
[camera]
device = "$vivid"
format = "$1"
size = "$2"
[orientation]
mount = 90
aspect = "free"
C
  retake snap --config /run/rig/bars.toml --output "$RIG_OUTPUT/$3.jpg" \
    >/dev/null || fail "$3: retake snap ended with $?"
}

mkdir -p /run/rig
load 1 0
for format in YUYV UYVY YVYU VYUY NV12 NV21 NV16 YU12 YV12 422P GREY; do
  shot $format 640x360 "$format"
done
load 2 0
for format in YUYV NV12 NM12 YM12; do
  shot $format 640x360 "planes-$format"
done
# An HDMI input scales to any size, with rows as long as they must be and no longer. These are all that
# the formats can mean: half a row of chroma is none.
load 1 3
v4l2-ctl -d "$vivid" -c colorspace=2
for wanted in YUYV:657x369 NV12:650x366 NV16:646x371 YU12:650x366 422P:646x371 GREY:657x369; do
  shot "${wanted%:*}" "${wanted#*:}" "odd-${wanted/:/-}"
done
"$python" "$rig/judge_bars.py" "$RIG_OUTPUT"/*.jpg || fail "the colours are wrong: see above"

# Without a turn a portrait is cut out of the middle.
load 1 0
retake snap --camera "$vivid" --output "$RIG_OUTPUT/portrait.jpg" >/dev/null ||
  fail "retake snap ended with $?"
expect_clean "$RIG_OUTPUT/portrait.jpg"
expect_portrait "$RIG_OUTPUT/portrait.jpg"
expect_upright "$RIG_OUTPUT/portrait.jpg"
