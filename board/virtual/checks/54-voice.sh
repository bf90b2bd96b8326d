# The total is heard from the sound card as speech of the right length; a card that is taken away is
# told, counting goes on, and the voice is heard again once the card is back.
# control muted: the card was silent
# control card-stays: no event like
source /board/functions.sh

voice=on
[[ "$control" != muted ]] || voice=off
printf '[console]\nenabled = off\n[voice]\nenabled = %s\n' "$voice" >receh.conf

# heard FILE: milliseconds from the first to the last loud sample of a recording in 16 bits.
heard() {
  od -An -v -t d2 -w2 -j 44 "$1" | awk '
    { if ($1 > 500 || $1 < -500) { if (!first) first = NR; last = NR } }
    END { print first ? int((last - first) / 48) : 0 }'
}

record said.wav
start run --source /board/pictures/film --json --fps 5 --config receh.conf
await '"event":"total","total":[1-9]'
finish
end_recording
[[ "$status" == 0 ]] || fail "the status is $status"
length=$(heard said.wav)
((length > 0)) || fail "the card was silent"
# The film has several totals; the longest phrase of one takes about two seconds.
((length > 700)) || fail "only $length ms were heard"
measured "speech heard from the sound card over the film: $length ms"

# The card goes while the run is up, and comes back.
start run --source /board/pictures/film --json --fps 1 --config receh.conf
await '"event":"ready"'
driver=/sys/bus/platform/drivers/snd_aloop
[[ "$control" == card-stays ]] || echo snd_aloop.0 >"$driver/unbind"
await '"event":"degraded","part":"voice"'
await '"event":"total","total":[1-9]'
echo snd_aloop.0 >"$driver/bind"
await '"event":"recovered","part":"voice"'
stop
[[ "$status" == 0 ]] || fail "the status is $status"
