# Faults of a real driver: an error that ends streaming, a camera that falls silent, and one that
# another program has. Each is told of with its reason, and the camera is used again afterwards.
# control no-fault: no event like "event":"camera-lost"
source /board/functions.sh

printf '[console]\nenabled = off\n[camera]\ndevice = /dev/video0\ntimeout = 1500\n' >receh.conf
# set CONTROL VALUE: sets one of the driver's own switches for faults.
set_control() {
  if [[ "$control" != no-fault ]]; then v4l2-ctl -d /dev/video0 --set-ctrl "$1=$2"; fi
}
backs() { [[ "$(grep -c camera-back "$events")" == "$1" ]]; }

start run --json --no-voice --config receh.conf
await '"event":"ready"'
sleep 3
set_control inject_fatal_streaming_error 1
await '"event":"camera-lost","why":"the camera does not answer' "$brief"
poll "$patience" backs 1 || fail "the camera is not back after an error"
set_control percentage_of_dropped_buffers 100
await '"event":"camera-lost","why":"the camera has stopped sending'
set_control percentage_of_dropped_buffers 0
poll "$patience" backs 2 || fail "the camera is not back after a silence"

first=$receh
receh run --json --no-voice --config receh.conf >second 2>/dev/null &
second=$!
poll "$patience" grep -q '"event":"camera-lost","why":"another program' second ||
  fail "a camera another program has is not told of: $(cat second)"
kill -TERM "$first"
poll "$patience" grep -q '"event":"camera-back"' second || fail "the camera is not taken when it is free"
kill -TERM "$second"
wait "$second" || fail "the second command's status is $?"
finish
[[ "$status" == 0 ]] || fail "the status is $status"
