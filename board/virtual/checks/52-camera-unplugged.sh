# A camera that is there later than the command is picked up; one that is pulled out while it streams
# is told of and found again, and the total stands meanwhile.
# control never-back: the camera is not back
source /board/functions.sh

driver=/sys/bus/platform/drivers/vivid
# The next check needs the cameras.
trap 'echo vivid.0 >"$driver/bind" 2>/dev/null || true' EXIT
backs() { [[ "$(grep -c '"event":"camera-back"' "$events")" == "$1" ]]; }

printf '[console]\nenabled = off\n[camera]\ndevice = /tmp/tray\n' >receh.conf
rm -f /tmp/tray
start run --json --no-voice --config receh.conf
await '"event":"camera-lost","why":"there is no camera'
show 1000
ln -s /dev/video2 /tmp/tray
await '"event":"camera-back"'
await '"event":"total","total":1000'

echo vivid.0 >"$driver/unbind"
await '"event":"camera-lost","why":"the camera was disconnected'
sleep 3
[[ "$(totals | xargs)" == 1000 ]] || fail "the totals are $(totals | xargs) without a camera"
kill -0 "$receh" || fail "the command has ended"
if [[ "$control" != never-back ]]; then echo vivid.0 >"$driver/bind"; fi
poll "$brief" backs 2 || fail "the camera is not back"
stop
[[ "$status" == 0 ]] || fail "the status is $status"
[[ "$(grep -c '"event":"camera-lost"' "$events")" == 2 ]] || fail "the camera was lost other than twice"
