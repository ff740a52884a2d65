# Movies of a USB camera: every frame on the wire, in order, upright, at the kernel's times; a pulled cable leaves a movie.
# limit: 400
# clips: 480p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

# As many frames in a second as the emulated machine encodes at this size.
start_webcam --fps 10 --mjpeg 640x480="$(clip 480p-422-nodht)"
start_disk
for codec in copy h264; do
  "$python" "$rig/movie_webcam.py" --retake "$RETAKE_BINARY" --camera "$webcam" --codec "$codec" \
    --log "$webcam_log" --directory /run/rig --library /disk/photos-$codec --seconds 5 \
    --report "$RIG_OUTPUT" || fail "see above"
done
# A cable that is pulled while a movie is recorded: what there was is a movie, for review.
"$python" "$rig/movie_webcam.py" --retake "$RETAKE_BINARY" --camera "$webcam" --codec copy \
  --log "$webcam_log" --directory /run/rig --library /disk/photos-pulled --seconds 3 \
  --report "$RIG_OUTPUT" --unplug "$webcam_control" || fail "see above"
