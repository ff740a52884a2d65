# The rig's own GPIO chip: edges are dated by the kernel, levels of outputs can be read.
# limit: 120
. "${BASH_SOURCE[0]%/*}/lib.sh"

start_gpio pinctrl-bcm2711 28
gpiodetect | grep pinctrl-bcm2711 || fail "no such chip"
gpioinfo | grep -q '"GPIO17"' || fail "its lines have no names"

drive 17 pull-up
# libgpiod's tools of Debian 12 are 1.x, those of 13 are 2.x: other arguments, other words.
case $(gpiomon --version | head -n 1) in
  *" v1."*) watch=(gpiomon -n 6 "$gpio_chip" 17) hold=(gpioset --mode=signal "$gpio_chip" "27=1") ;;
  *) watch=(gpiomon -n 6 -c "$gpio_chip" 17) hold=(gpioset -c "$gpio_chip" "27=1") ;;
esac
timeout 30 "${watch[@]}" >/run/rig/edges &
monitor=$!
wait_for 10 "gpiomon" eval 'gpioinfo | grep "GPIO17" | grep -q gpiomon'
for _ in 1 2 3; do
  press 17
  pause 0.1
done
wait "$monitor" || fail "gpiomon saw fewer than 6 edges"
cat /run/rig/edges
[ "$(grep -ci falling /run/rig/edges)" -eq 3 ] || fail "not three falling edges"

# An output, as a lamp: the level is seen from the world's side.
"${hold[@]}" &
lamp=$!
wait_for 10 "the lamp" eval '[ "$(level 27)" = 1 ]'
kill "$lamp"
