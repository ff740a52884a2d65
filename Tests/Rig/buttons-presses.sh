# So many presses with up to 10 ms of bounce are as many events, in order, dated by the write.
# limit: 240
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

count=${1:-300}
start_gpio pinctrl-bcm2711 28
for line in 5 6 13 17; do drive "$line" pull-up; done
station_config 0 <<'C'
[camera]
device = "demo"
size = "640x480"
rate = 5
[buttons.accept]
line = "GPIO5"
[buttons.retake]
line = "GPIO6"
[buttons.cancel]
line = "GPIO13"
[buttons.stop]
line = 17
chip = "pinctrl-bcm2711"
role = "cancel"
C
# Requesting a pull-up writes it into the simulated line: the button is up.
start_station --log info
"$python" "$rig/buttons.py" press-many --pulls "$gpio_pulls" --count "$count" \
  accept=5 retake=6 cancel=13 stop=17 >"$RIG_OUTPUT/presses" || fail "the presses ended with $?"
stop_station
"$python" "$rig/buttons.py" judge-presses --presses "$RIG_OUTPUT/presses" \
  --log "$RIG_OUTPUT/station" --count "$count" --within 3 || fail "see above"
