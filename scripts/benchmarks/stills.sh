#!/usr/bin/env bash
# Stills: lossless turning, raw frames to JPEG, the gate, each beside its peers. CPU milliseconds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$here/scripts/lib/swift.sh"
swift=$(find_swift)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/retake-bench
venv=$cache/venv
if [ ! -x "$venv/bin/python" ]; then
  mkdir -p "$cache"
  # Pillow is Debian's; OpenCV is what people install.
  /usr/bin/python3 -m venv --system-site-packages "$venv"
  "$venv/bin/pip" install --quiet opencv-python-headless numpy >&2
fi
RETAKE_BENCHMARKS=1 "$swift" build --package-path "$here" -c release --product retake-bench \
  --scratch-path "$here/.build/bench" 2>&1 | tail -n 3 >&2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$venv/bin/python" "$here/scripts/benchmarks/stills.py" --directory "$out" \
  --bench "$here/.build/bench/release/retake-bench" --retake "$RETAKE_BINARY" "$@"
