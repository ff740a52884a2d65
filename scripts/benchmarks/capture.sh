#!/usr/bin/env bash
# Capture against ustreamer, v4l2-ctl and ffmpeg: CPU and memory, damaged frames, return after a replug.
# In the virtual machine, MJPEG 1280x720 at 30 fps from a USB camera on the kernel's uvcvideo.
# --frames N: for CPU and memory (default 600); --faults N: frames of the fault plan (default 640);
# --cycles N: replugs (default 10); --json.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$here/scripts/lib/packages.sh"
install_packages vm bench
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$here/scripts/vm" --logs "$out/vm" bench-capture -- "$@" >&2
cat "$out"/vm/bench-capture/report.txt
