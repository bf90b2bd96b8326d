# A session of the scene player before a camera of a real driver is told as it was: a hand puts a
# coin down, lies still over the tray, and takes a coin away.
# control without-the-end: no event like "event":"total","total":
source /board/functions.sh

pictures=/board/pictures
frames=$(find "$pictures/session" -name '*.yuyv' | wc -l)
last=$(tail -n 1 "$pictures/session.totals")
if [[ "$control" == without-the-end ]]; then frames=$((frames / 2)); fi
show session/000
start run --source v4l2:/dev/video2 --json --no-voice
await "\"event\":\"total\",\"total\":$(head -n 1 "$pictures/session.totals")"
for ((frame = 1; frame < frames; frame++)); do
  show "session/$(printf %03d "$frame")"
  # A frame of the session for each that the emulated processor counts.
  sleep 0.4
done
await "\"event\":\"total\",\"total\":$last" "$brief"
stop
[[ "$status" == 0 ]] || fail "the status is $status"
diff <(grep -v '^0$' "$pictures/session.totals") <(totals) || fail "the totals are $(totals | xargs)"
grep -q '"event":"hold"' "$events" || fail "no hold was told"
