# An HDMI input whose timings change, or whose signal goes and returns: the station goes on.
# limit: 120
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

modprobe vivid n_devs=1 node_types=0x1 multiplanar=1 num_inputs=1 input_types=0x3 allocators=0 ||
  fail "no vivid"
wait_for 10 "vivid's node" vivid_node
"$python" "$rig/hdmi_timings.py" --retake "$RETAKE_BINARY" --camera "$(vivid_node)" \
  --directory /run/rig --photos "$RIG_OUTPUT" || fail "see above"
