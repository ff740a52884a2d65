# One button and five lamps: presses do what each state says, lamps follow, the chip may go and come.
# limit: 180
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_gpio pinctrl-bcm2711 28
drive 17 pull-up
station_config 1 <<'C'
[buttons.one]
line = "GPIO17"
[buttons.shutdown]
line = "GPIO26"
[lamps.ready]
line = "GPIO22"
[lamps.countdown]
line = "GPIO23"
[lamps.flash]
line = "GPIO24"
lead = 200
hold = 300
[lamps.saved]
line = "GPIO25"
[lamps.error]
line = "GPIO27"
C
# Found wanting, each in one sentence with the fix.
expect_words() {
  local words=$1
  shift
  "$@" >/run/rig/words 2>&1 && fail "$* did not fail"
  grep -qF -- "$words" /run/rig/words || fail "$* said: $(cat /run/rig/words)"
}
cat >/run/rig/wrong.toml <<'C'
[lamps.ready]
line = "GPIO72"
C
expect_words "there is no GPIO line GPIO72; the nearest are" \
  retake buttons --off --config /run/rig/wrong.toml
case $(gpioset --version | head -n 1) in
  *" v1."*) hold=(gpioset --mode=signal "$gpio_chip" 22=1) ;;
  *) hold=(gpioset -c "$gpio_chip" 22=1) ;;
esac
"${hold[@]}" &
holder=$!
wait_for 10 "the other program" eval '[ "$(level 22)" = 1 ]'
expect_words "the line GPIO22 is in use by 'gpioset'" retake buttons --off --config "$station_config"
retake buttons --config "$station_config" >"$RIG_OUTPUT/list"
grep -q 'GPIO22  output, in use by gpioset, configured as lamps.ready' "$RIG_OUTPUT/list" ||
  fail "the list does not say who uses GPIO22"
kill "$holder"
wait_for 10 "the line to be free" eval 'retake buttons --off --config "$station_config"'
[ "$(level 22)" = 0 ] || fail "the lamp was not put out"

# Whoever asks systemd for a power-off finds this in its place.
mkdir -p /run/rig/bin
printf '#!/bin/sh\necho "$*" >/run/rig/poweroff\n' >/run/rig/bin/systemctl
chmod +x /run/rig/bin/systemctl
PATH=/run/rig/bin:$PATH start_station --camera demo --log info

lamps() { echo "$(level 22)$(level 23)$(level 24)$(level 25)$(level 27)"; }
state() { station_field state; }
in_state() { [ "$(state)" = "$1" ]; }

in_state idle || fail "the station is $(state)"
wait_for 5 "the ready lamp" eval '[ "$(lamps)" = 10000 ]'

# Idle: the shutter. A press during the countdown changes nothing.
press 17
wait_for 5 "the countdown" in_state countdown
[ "$(level 22)" = 0 ] || fail "ready is lit during the countdown"
press 17 0.05
wait_for 3 "the countdown lamp" eval '[ "$(level 23)" = 1 ]'
wait_for 3 "the flash" eval '[ "$(level 24)" = 1 ]'
wait_for 5 "the review" in_state reviewing
wait_for 3 "the flash to end" eval '[ "$(lamps)" = 00000 ]'

# Review: long retakes, double cancels, short accepts.
press 17 1.0
wait_for 5 "the countdown of the retake" in_state countdown
wait_for 5 "the second review" in_state reviewing
press 17 0.05
pause 0.06
press 17 0.05
wait_for 5 "the end by a double press" in_state cancelled
wait_for 5 "the ready lamp after it" eval '[ "$(lamps)" = 10000 ]'
press 17
wait_for 5 "the third countdown" in_state countdown
wait_for 5 "the third review" in_state reviewing
pause 0.9
press 17 0.05
wait_for 5 "the photo" in_state finished
wait_for 3 "the saved lamp" eval '[ "$(lamps)" = 00010 ]'
[ "$(station_field photos)" = 1 ] || fail "$(station_field photos) photos"
wait_for 8 "idle" in_state idle

# The chip goes while it is waited for, and comes back under another number.
unplug_gpio
wait_for 10 "the loss to be noticed" eval 'retake trigger status --json --config "$station_config" | grep -q "\"state\":\"waiting\""'
start_gpio pinctrl-bcm2711 28
wait_for 10 "the buttons to be back" eval '! retake trigger status --json --config "$station_config" | grep -q "\"state\":\"waiting\""'
wait_for 10 "the lamp to be back" eval '[ "$(lamps)" = 10000 ]'
press 17
wait_for 5 "a countdown after it" in_state countdown
wait_for 5 "a review after it" in_state reviewing

# Held for five seconds: a power-off, asked for once.
press 26 5.5
wait_for 10 "the power-off" grep -qx -- "--no-ask-password poweroff" /run/rig/poweroff

stop_station
[ "$(lamps)" = 00000 ] || fail "lamps are lit after the end: $(lamps)"
