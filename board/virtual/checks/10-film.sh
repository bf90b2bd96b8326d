# Frames from a folder are totalled on the board, coin by coin.
# control other-film: the totals are
source /board/functions.sh

film=/board/pictures/film
if [[ "$control" == other-film ]]; then
  # Without the frames that show the first coin alone, its total cannot be told.
  mkdir film
  find "$film" -name '*.jpg' | sort | sed '11,23d' | xargs -I{} ln -s {} film/
  film=film
fi
start run --source "$film" --json --no-voice
await '"event":"ready"'
read -r ready _ </proc/uptime
finish 600
[[ "$status" == 0 ]] || fail "the status is $status"
[[ "$(head -n 1 "$events")" == *'"ready"'* ]] || fail "the first event is not ready"
[[ "$(tail -n 1 "$events")" == *'"stopped"'* ]] || fail "the last event is not stopped"
diff <(grep -v '^0$' /board/pictures/film.totals) <(totals) || fail "the totals are $(totals | xargs)"
read -r end _ </proc/uptime
frames=$(find "$film/" -name '*.jpg' | wc -l)
measured "$frames frames of 640x480 in $(awk "BEGIN { print $end - $ready }") s of the emulated processor"
