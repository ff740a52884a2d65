# Bursts of pulses of 1 ms on an idle button's line, as of a relay or a flash nearby, begin no session.
# limit: 240
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_gpio
drive 17 pull-up
cat >/run/rig/burst.py <<'P'
import os, sys, time

path, bursts, pulses = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
except OSError as error:
    print(error)
line = os.open(path, os.O_WRONLY)


def spin(until):
    while time.monotonic() < until:
        pass


made = 0
while made < bursts:
    contact = 0
    for _ in range(pulses):
        begin = time.monotonic()
        os.pwrite(line, b"pull-down\n", 0)
        spin(begin + 0.001)
        os.pwrite(line, b"pull-up\n", 0)
        end = time.monotonic()
        contact += end - begin
        spin(end + 0.004)
    # A busy machine stretches pulses; such a burst is not what this is about.
    made += 1
    if contact >= 0.009:
        sys.exit(f"a burst had {contact * 1000:.1f} ms of contact: not judged")
    time.sleep(0.5)
P
station_config 0 <<'C'
[camera]
device = "demo"
rate = 5
[buttons.one]
line = "GPIO17"
[web]
listen = ""
C
start_station --log info
for pulses in 1 3 6; do
  "$python" /run/rig/burst.py "$gpio_pulls/sim_gpio17/pull" 6 "$pulses" || skip "the machine is too busy"
  pause 0.2
  [ "$(station_field session)" = None ] || fail "a burst of $pulses pulses began a session"
  [ "$(station_field state)" = idle ] || fail "after bursts of $pulses pulses: $(station_field state)"
done
# The line is the button's, all the same.
press 17
is_reviewing() { [ "$(station_field state)" = reviewing ]; }
wait_for 10 "the photo of a real press" is_reviewing
stop_station
grep -q "too short for a press" "$RIG_OUTPUT/station" || fail "no burst was seen at all"
