# Who may use the camera and the lines: a user without and with the groups of their nodes, on real drivers.
# limit: 240
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

# Where a second user reaches it.
program=/run/rig/bin/retake
mkdir -p /run/rig/bin /run/rig/theirs
cp "$RETAKE_BINARY" "$program"
chmod 755 /run/rig /run/rig/bin "$program"
chown nobody /run/rig/theirs

# as GROUPS COMMAND...: as nobody, in those groups only; the groups are separated by commas, or none.
as() {
  local groups=(--clear-groups)
  [ "$1" = none ] || groups=(--groups="$1")
  shift
  (cd /run/rig/theirs && HOME=/run/rig/theirs exec setpriv --reuid=nobody --regid=nogroup \
    "${groups[@]}" --inh-caps=-all --bounding-set=-all "$@")
}

# expect_access RESOURCE STATUS GROUPS [WORDS]: what `retake pick --access` says of the resource.
expect_access() {
  as "$3" "$program" pick --access --json --config "$station_config" --camera "$vivid" \
    >/run/rig/access || fail "retake pick --access ended with $?"
  "$python" -c '
import json, sys
answer = json.load(open("/run/rig/access"))[sys.argv[1]]
assert answer["status"] == sys.argv[2], answer
if sys.argv[2] == "authorized":
    assert answer.keys() == {"status"}, answer
else:
    assert answer["who"] == "nobody" and sys.argv[3] in answer["fix"], answer
    print(answer["why"], "->", answer["fix"])' "$1" "$2" "${4:-}" ||
    fail "as one of $3: $(cat /run/rig/access)"
}

start_vivid 640 480 25
start_gpio pinctrl-bcm2711 28
# As udev and Raspberry Pi OS have them.
getent group gpio >/dev/null || groupadd --system gpio
chgrp video "$vivid"
chgrp gpio "/dev/$gpio_chip"
chmod 0660 "$vivid" "/dev/$gpio_chip"
station_config 0 <<'C'
[buttons.one]
line = "GPIO17"
role = "shutter"
C

expect_access camera denied none "usermod -aG video nobody"
expect_access camera denied gpio "usermod -aG video nobody"
expect_access camera authorized video
expect_access buttons denied none "usermod -aG gpio nobody"
expect_access buttons denied video "usermod -aG gpio nobody"
expect_access buttons authorized video,gpio

# The same words where a photo is asked for, and by the doctor; and then no photo.
photo=/run/rig/theirs/photo.jpg
as none "$program" snap --camera "$vivid" --output "$photo" 2>/run/rig/words
status=$?
[ "$status" -eq 7 ] || fail "snap without the group: exit $status, not 7: $(cat /run/rig/words)"
[ ! -e "$photo" ] || fail "a photo without permission"
as none "$program" pick --source camera --camera "$vivid" --config "$station_config" 2>>/run/rig/words
status=$?
[ "$status" -eq 7 ] || fail "pick without the group: exit $status, not 7: $(cat /run/rig/words)"
[ "$(grep -c 'usermod -aG video nobody' /run/rig/words)" -ge 2 ] || fail "they said: $(cat /run/rig/words)"
printf '[camera]\ndevice = "%s"\n' "$vivid" >>"$station_config"
as none "$program" doctor --config "$station_config" >"$RIG_OUTPUT/doctor"
for group in video gpio; do
  grep -q "usermod -aG $group nobody" "$RIG_OUTPUT/doctor" || fail "the doctor: $(cat "$RIG_OUTPUT/doctor")"
done

# In the group, the same call gives a photo.
as video "$program" snap --camera "$vivid" --output "$photo" || fail "snap in the group ended with $?"
expect_clean "$photo"
expect_portrait "$photo"

# Nobody's mode but root's: no group helps, a rule does.
chgrp root "$vivid"
expect_access camera denied video "udev"
