#!/usr/bin/env bash
# From the press of a real button to the frame in the photo, against what scripts do today.
# In the virtual machine, one boot: a button on a simulated line, a USB camera on the kernel's
# uvcvideo, whose log says when each frame was on the wire. --presses N: how many each (default 30).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$here/scripts/lib/packages.sh"
install_packages vm
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$here/scripts/vm" --logs "$out/vm" bench-shutter -- "$@" >&2
cat "$out"/vm/bench-shutter/report.txt
