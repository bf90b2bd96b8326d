# A camera that is pulled out while it streams is told of and found again, also when the command was
# started before there was one; the total stands meanwhile.
# control never-back: no event like "event":"camera-back"
source /board/functions.sh

driver=/sys/bus/platform/drivers/vivid
# The next check needs the cameras.
trap 'echo vivid.0 >"$driver/bind" 2>/dev/null || true' EXIT
unplug() { echo vivid.0 >"$driver/unbind"; }
plug_in() {
  echo vivid.0 >"$driver/bind"
  # The picture goes with the driver.
  kill "${shower-}" 2>/dev/null || true
  shower=
  show "$1"
}

printf '[console]\nenabled = off\n[camera]\ndevice = /dev/video2\n' >receh.conf
show 1000
unplug
start run --json --no-voice --config receh.conf
await '"event":"camera-lost","why":"there is no camera'
plug_in 1000
await '"event":"camera-back"'
await '"event":"total","total":1000'
unplug
await '"event":"camera-lost","why":"the camera was disconnected'
if [[ "$control" == never-back ]]; then
  : >"$events"
  await '"event":"camera-back"' 10
fi
sleep 2
[[ "$(totals | xargs)" == 1000 ]] || fail "the totals are $(totals | xargs) without a camera"
plug_in 1500
await '"event":"total","total":1500'
stop
[[ "$status" == 0 ]] || fail "the status is $status"
[[ "$(grep -c camera-lost "$events")" == 2 && "$(grep -c camera-back "$events")" == 2 ]] ||
  fail "the camera was lost or back other than twice"
