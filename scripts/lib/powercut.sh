#!/usr/bin/env bash
# scripts/vm powercut [--points N] [--seed N]
# Power cuts at many points of recorded sessions, each mounted and checked in one guest; ten of them
# are then booted as guests of their own, in which the station starts by itself. The sessions and
# the checks are in Tests/Rig/powercut.py. Without --points it is the small test of every run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shift # its own name
points=10 boots=0 arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --points) points=${2:?}; shift 2 ;;
    --boots) boots=${2:?}; shift 2 ;;
    --seed) arguments+=(--seed "${2:?}"); shift 2 ;;
    *) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
  esac
done
[ "$boots" != 0 ] || [ "$points" -lt 100 ] || boots=10
logs=$(mktemp -d "${TMPDIR:-/tmp}/retake-powercut-XXXXXX")
trap 'rm -rf "$logs"' EXIT
"$here/scripts/vm" --logs "$logs" --timeout $((600 + points * 12)) powercut -- \
  --points "$points" --boots "$boots" ${arguments[@]+"${arguments[@]}"} || { cat "$logs/powercut/output" >&2; exit 1; }
cat "$logs/powercut/output"
failed=0 booted=0
for image in "$logs"/powercut/boot*.img; do
  [ -e "$image" ] || continue
  booted=$((booted + 1))
  expected=${image%.img}.json
  # The expected state is not on the disk; the guest reads it through this machine's files.
  "$here/scripts/vm" --disk "$image" powercut-boot -- "$expected" || failed=$((failed + 1))
done
[ "$booted" = 0 ] || echo "$booted points booted as guests, $failed wrong"
[ "$failed" = 0 ]
