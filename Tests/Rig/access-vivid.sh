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

# look_as GROUPS: what one in those groups may use, as `retake pick --access` says.
look_as() {
  as "$1" "$program" pick --access --json --config "$station_config" --camera "$vivid" \
    >/run/rig/access || fail "retake pick --access ended with $?"
  echo "in the groups $1: $(tr -d '\n' </run/rig/access)"
}

# expect_access RESOURCE STATUS [WORDS]: what it said of the resource.
expect_access() {
  local said
  said=$(tr -d '\n ' </run/rig/access)
  said=${said#*"\"$1\":{"}
  said=${said%%"}"*}
  [[ $said == *"\"status\":\"$2\""* ]] || fail "$1 is not $2: $said"
  [[ $said == *"${3// /}"* ]] || fail "$1 says nothing of '$3': $said"
  case $2 in
    denied) [[ $said == *'"who":"nobody"'* ]] || fail "$1: who? $said" ;;
    authorized) [[ $said != *'"fix"'* ]] || fail "$1 is authorized, and to be put right? $said" ;;
  esac
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

look_as none
expect_access camera denied "usermod -aG video nobody"
expect_access buttons denied "usermod -aG gpio nobody"
look_as video
expect_access camera authorized
expect_access buttons denied "usermod -aG gpio nobody"
look_as video,gpio
expect_access camera authorized
expect_access buttons authorized

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

# A node with root's group cannot be used through any group; a udev rule fixes that.
chgrp root "$vivid"
look_as video
expect_access camera denied udev
