# What a camera of a real driver shows is totalled, and counted on when it changes.
# control other-picture: no event like "event":"total","total":1000
source /board/functions.sh

if [[ "$control" == other-picture ]]; then show 1500; else show 1000; fi
start run --source v4l2:/dev/video2 --json --no-voice
await '"event":"total","total":1000' "$brief"
show 1500
await '"event":"total","total":1500'
stop
[[ "$status" == 0 ]] || fail "the status is $status"
[[ "$(totals | xargs)" == "1000 1500" ]] || fail "the totals are $(totals | xargs)"
if grep -q camera-lost "$events"; then fail "the camera was lost"; fi
[[ "$(tail -n 1 "$events")" == *'"stopped"'* ]] || fail "the last event is not stopped"
