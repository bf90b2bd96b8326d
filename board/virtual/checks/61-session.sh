# A session of the scene player before a camera of a real driver is told as it was: a hand puts a
# coin down, lies still over the tray, and takes a coin away.
# control without-the-end: the totals are
source /board/functions.sh

pictures=/board/pictures
frames=$(find "$pictures/session" -name '*.yuyv' | wc -l)
# The last total may be one that has been told before.
is_told() { diff -q <(grep -v '^0$' "$pictures/session.totals") <(totals) >/dev/null; }
if [[ "$control" == without-the-end ]]; then frames=$((frames / 2)); fi
show session/000
start run --source v4l2:/dev/video2 --json --no-voice
await "\"event\":\"total\",\"total\":$(head -n 1 "$pictures/session.totals")"
for ((frame = 1; frame < frames; frame++)); do
  show "session/$(printf %03d "$frame")"
  # A frame of the session for each that the emulated processor counts.
  sleep 0.4
done
poll "$brief" is_told || fail "the totals are $(totals | xargs)"
stop
[[ "$status" == 0 ]] || fail "the status is $status"
grep -q '"event":"hold"' "$events" || fail "no hold was told"
