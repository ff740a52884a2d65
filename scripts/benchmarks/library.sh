#!/usr/bin/env bash
# The cost of saving against a plain write; start, list and rebuild with up to 100,000 photos
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$here/scripts/lib/swift.sh"
swift=$(find_swift)
# The measurements are made inside the library, by its own tests, built as they are shipped.
# RETAKE_BENCH_DIRECTORY says where: a disk, or the numbers say nothing. RETAKE_BENCH_PHOTOS is the
# size of the large library.
json=0
[ "${1:-}" != --json ] || json=1
directory=${RETAKE_BENCH_DIRECTORY:-/var/tmp}
kind=$(stat -f -c %T "$directory")
case $kind in tmpfs | ramfs) echo "bench: $directory is a RAM disk; set RETAKE_BENCH_DIRECTORY" >&2 ;; esac
output=$(mktemp)
trap 'rm -f "$output"' EXIT
RETAKE_BENCH=1 "$swift" test --package-path "$here" -c release -Xswiftc -enable-testing \
  --filter 'LibraryBenchmark' >"$output" 2>&1 || { tail -n 40 "$output" >&2; exit 1; }
sed -n 's/^bench //p' "$output" | if [ $json = 1 ]; then
  awk -F '\t' -v kind="$kind" 'BEGIN { printf "{\"file system\":\"%s\"", kind }
    { printf ",\"%s\":%s", $1, $2 } END { print "}" }'
else
  echo "on $kind at $directory"
  awk -F '\t' '{ printf "%-44s %12s %s\n", $1, $2, $3 }'
fi
