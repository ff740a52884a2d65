#!/usr/bin/env bash
# The web server against ustreamer: delay and CPU with 1, 10 and 21 viewers; lists; the page's first frame.
# Delay and CPU in the virtual machine, MJPEG 1280x720 at 30 fps from a USB camera on the kernel's
# uvcvideo: from the camera's last packet of a frame to its last byte at a viewer, the median and
# the 99th of 100. Of 21 viewers one takes nothing. Lists are measured here, on a library of links.
# The page is loaded here in Chromium, the demo camera behind it: its weight, and how long until the
# first live picture is drawn.
# --frames N: for each (default 300); --viewers 1,10,21; --photos N (default 100000);
# --only viewers|photos|page; --json.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$here/scripts/lib/packages.sh"
only=
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
  --only)
    only=$2
    shift
    ;;
  *) arguments+=("$1") ;;
  esac
  shift
done
if [ -z "$only" ] || [ "$only" = viewers ]; then
  install_packages vm bench
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
  "$here/scripts/vm" --logs "$out/vm" bench-web -- "${arguments[@]}" >&2
  cat "$out"/vm/bench-web/report.txt
fi
if [ -z "$only" ] || [ "$only" = photos ]; then
  python3 "$here/scripts/benchmarks/web.py" --retake "$RETAKE_BINARY" --lists "${arguments[@]}"
fi
if [ -z "$only" ] || [ "$only" = page ]; then
  install_packages browser
  RETAKE=$RETAKE_BINARY PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 \
    "$here/scripts/benchmarks/page.py" "${arguments[@]}"
fi
