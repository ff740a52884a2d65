#!/usr/bin/env bash
# From the press to the photo: start, which frame, time to durable, memory, copies.
# Twice: here with the demo camera and a 1080p clip, and in the virtual machine with a USB camera on
# the kernel's uvcvideo. --presses N: how many presses each (default 40).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$here/scripts/lib/packages.sh"
install_packages vm
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
clip=$out/1080p.mjpeg
/usr/bin/python3 "$here/Tests/Rig/make_clip.py" 1080p-422 "$out" >&2
mv "$out/1080p-422.mjpeg" "$clip"
/usr/bin/python3 "$here/scripts/benchmarks/path.py" --retake "$RETAKE_BINARY" --clip "$clip" "$@"
echo
echo "In the virtual machine (emulated: for what is chosen and what is held, not for speed):"
"$here/scripts/vm" --logs "$out/vm" bench-path -- "$@" >&2
cat "$out"/vm/bench-path/report.txt
