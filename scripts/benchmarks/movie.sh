#!/usr/bin/env bash
# Movies: CPU against ffmpeg with the same preset, stop to reviewable and to durable, memory, frames lost.
# With the clip camera at 720p30; a quarter of an hour, each part is told when it is measured. --seconds N: the movies that CPU is measured by (default 20).
# --stops N: how many movies are stopped (default 20). --long N: seconds of the recording that
# memory is measured by (default 600). --preset NAME (default veryfast).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
/usr/bin/python3 "$here/Tests/Rig/make_clip.py" 720p-422 "$out" >&2
/usr/bin/python3 "$here/scripts/benchmarks/movie.py" --retake "$RETAKE_BINARY" \
  --clip "$out/720p-422.mjpeg" "$@"
