# A raw (YUYV) camera gives a clean upright portrait.
# limit: 120
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_vivid 640 480 25
photo=$RIG_OUTPUT/vivid.jpg
retake snap --camera "$vivid" --output "$photo" || fail "retake snap ended with $?"
expect_clean "$photo"
expect_portrait "$photo"
expect_upright "$photo"
echo "$(jpeg_size "$photo"), $(stat -c %s "$photo") bytes"

# A second one, since the first must have given the camera back.
retake snap --camera "$vivid" --output "$RIG_OUTPUT/again.jpg" || fail "the second snap ended with $?"
expect_clean "$RIG_OUTPUT/again.jpg"

# Nothing is written over without being told: neither is a camera that is not there a success.
retake snap --camera /dev/video63 --output "$RIG_OUTPUT/none.jpg"
status=$?
[ "$status" -eq 3 ] || fail "a camera that is not there: exit $status, not 3"
[ ! -e "$RIG_OUTPUT/none.jpg" ] || fail "a photo without a camera"
