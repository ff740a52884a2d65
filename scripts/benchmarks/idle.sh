#!/usr/bin/env bash
# The idle station: CPU and anonymous memory with a 720p clip at 30 fps, no viewer, nobody there
# --seconds N: for how long (default 60); --json
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
exec /usr/bin/python3 "$here/scripts/benchmarks/idle.py" \
  --clip "$here/Tests/Data/720p-422-nodht-8.mjpeg" "$@"
