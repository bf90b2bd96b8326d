# The total is heard from the sound card as speech of the very length that espeak-ng gives its phrase;
# a card that is taken away is told, counting goes on, and the voice is heard again once the card is
# back.
# control muted: the card was silent
# control other-phrase: the card played
# control card-stays: no event like
source /board/functions.sh

voice=on
[[ "$control" != muted ]] || voice=off
printf '[console]\nenabled = off\n[voice]\nenabled = %s\n' "$voice" >receh.conf

# What the phrase of Rp1000 lasts, written by the same voice into a file of 22050 samples a second.
pictures=/board/pictures
receh run --source "$pictures/1000-and-on" --frames 12 --wav reference.wav --json >"$events" \
  2>"$complaints" || fail "no file of the phrase was written"
[[ "$(totals)" == 1000 ]] || fail "the picture's total is $(totals)"
expected=$(heard reference.wav 22050)

# Rp1500, "seribu lima ratus rupiah", is longer by half.
total=1000
[[ "$control" != other-phrase ]] || total=1500
record said.wav
start run --source "$pictures/$total-and-on" --json --fps 2 --config receh.conf
await '"event":"total","total":1[05]00'
poll "$brief" is_heard said.wav || fail "the card was silent"
poll "$patience" is_silent said.wav || fail "the card plays without end"
end_recording
length=$(heard said.wav)
measured "the phrase of a total lasts $expected ms, $length ms of it were heard from the sound card"
((length * 100 > expected * 80 && length * 100 < expected * 130)) ||
  fail "the card played $length ms of a phrase of $expected ms"

# The card goes while the run is up, and comes back.
driver=/sys/bus/platform/drivers/snd_aloop
# The driver waits until nobody has the card any more.
if [[ "$control" != card-stays ]]; then echo snd_aloop.0 >"$driver/unbind" & fi
await '"event":"degraded","part":"voice"' "$brief"
sleep 3
kill -0 "$receh" || fail "the command has ended without its card"
wait "$!"
echo snd_aloop.0 >"$driver/bind"
await '"event":"recovered","part":"voice"'
record again.wav
kill -USR1 "$receh"
poll "$patience" is_heard again.wav || fail "nothing is heard once the card is back"
end_recording
stop
[[ "$status" == 0 ]] || fail "the status is $status"
