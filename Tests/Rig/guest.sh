# Runs inside the guest, started by /report/start, which sets repository, mode, names, arguments,
# and limit. Prints a line for each test; a test's own output goes to /report/NAME/output.

. "$repository/Tests/Rig/lib.sh"

limit_of() {
  local seconds
  seconds=$(sed -n 's/^# limit: \([0-9]*\).*/\1/p' "$repository/Tests/Rig/$1.sh")
  echo "${seconds:-${limit:-120}}"
}

# Seconds with one decimal since $1 microseconds of the clock.
seconds_since() {
  local tenths=$(((${EPOCHREALTIME/./} - $1) / 100000))
  echo "$((tenths / 10)).$((tenths % 10))"
}

run_test() {
  local name=$1 begin status session
  mkdir -p "/report/$name"
  begin=${EPOCHREALTIME/./}
  # A session of its own, so that nothing it starts survives it.
  RIG_OUTPUT=/report/$name setsid timeout -k 5 "$(limit_of "$name")" \
    bash "$repository/Tests/Rig/$name.sh" "${arguments[@]}" >"/report/$name/output" 2>&1 &
  session=$!
  wait "$session"
  status=$?
  pkill -KILL -s "$session"
  reset_hardware >/dev/null 2>&1
  echo "$status" >"/report/$name/status"
  case $status in
    0) echo "ok $name $(seconds_since "$begin") s" ;;
    77) echo "skipped $name: $(tail -n 1 "/report/$name/output")" ;;
    124 | 137) echo "FAILED $name: no end after $(limit_of "$name") s" ;;
    *) echo "FAILED $name $(seconds_since "$begin") s" ;;
  esac
  [ "$status" -eq 0 ] || [ "$status" -eq 77 ]
}

mkdir -p /run/rig
case $mode in
  shell)
    RIG_OUTPUT=/report bash -c ". '$repository/Tests/Rig/lib.sh'; $command"
    exit $?
    ;;
  tests)
    failed=0
    for name in "${names[@]}"; do
      run_test "$name" || failed=1
    done
    dmesg >/report/dmesg
    exit $failed
    ;;
esac
