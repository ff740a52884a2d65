# One button and five lamps: presses do what each state says, lamps follow, the chip may go and come.
# limit: 240
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_gpio pinctrl-bcm2711 28
drive 17 pull-up
station_config 2 <<'C'
[camera]
device = "demo"
size = "640x480"
rate = 10
[buttons.one]
line = "GPIO17"
double = "cancel"
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

# This program takes the place of systemctl and records a power-off.
mkdir -p /run/rig/bin
printf '#!/bin/sh\necho "$*" >/run/rig/poweroff\n' >/run/rig/bin/systemctl
chmod +x /run/rig/bin/systemctl
PATH=/run/rig/bin:$PATH start_station --log info

"$python" "$rig/buttons.py" walk-states --pulls "$gpio_pulls" --socket /run/rig/socket ||
  fail "see above"

# The chip goes while it is waited for, and comes back under another number.
unplug_gpio
waiting() { station_field panel | grep -q waiting; }
wait_for 20 "the loss to be noticed" waiting
start_gpio pinctrl-bcm2711 28
wait_for 20 "the buttons to be back" eval '! waiting'
wait_for 10 "the lamp to be back" eval '[ "$(level 22)" = 1 ]'
"$python" "$rig/buttons.py" walk-states --pulls "$gpio_pulls" --socket /run/rig/socket ||
  fail "after the chip had been gone; see above"

# Held for five seconds: a power-off, asked for once.
press 26 5.5
wait_for 10 "the power-off" grep -qx -- "--no-ask-password poweroff" /run/rig/poweroff

stop_station
for line in 22 23 24 25 27; do
  [ "$(level $line)" = 0 ] || fail "the lamp on GPIO$line is lit after the end"
done
