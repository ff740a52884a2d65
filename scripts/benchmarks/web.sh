#!/usr/bin/env bash
# The web server against ustreamer: delay and CPU with 1, 10 and 21 viewers; lists of 100,000 photos.
# Delay and CPU in the virtual machine, MJPEG 1280x720 at 30 fps from a USB camera on the kernel's
# uvcvideo: from the camera's last packet of a frame to its last byte at a viewer, the median and
# the 99th of 100. Of 21 viewers one takes nothing. Lists are measured here, on a library of links.
# --frames N: for each (default 300); --photos N (default 100000); --only viewers|photos; --json.
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
if [ "$only" != photos ]; then
  install_packages vm bench
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
  "$here/scripts/vm" --logs "$out/vm" bench-web -- "${arguments[@]}" >&2
  cat "$out"/vm/bench-web/report.txt
fi
if [ "$only" != viewers ]; then
  python3 "$here/scripts/benchmarks/web.py" --retake "$RETAKE_BINARY" --lists "${arguments[@]}"
fi
wc -c "$here"/Sources/KioskServer/Page/*.html "$here"/Sources/KioskServer/Page/*.css \
  "$here"/Sources/KioskServer/Page/*.js | tail -n 1 | sed 's/ total/ bytes: the page without its languages/'
