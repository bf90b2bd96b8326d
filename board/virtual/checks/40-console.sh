# The serial console on a real port: events, every command, garbage, and a reader that stops reading.
# control other-port: the console gave no
source /board/functions.sh

stty -F /dev/ttyS1 115200 raw -echo
# So that what is typed goes nowhere.
device=/dev/ttyS0
if [[ "$control" == other-port ]]; then device=/dev/no-such-port; fi
cat >receh.conf <<TEXT
language = en
[console]
enabled = on
device = $device
TEXT
exec 3<>/dev/ttyS1
cat <&3 >received &
reader=$!

# type LINE PATTERN: types a line at the far end, and waits for an answer.
type() {
  printf '%s\n' "$1" >&3
  poll "$patience" grep -qE -- "$2" received || fail "the console gave no answer to '$1': $(tail -n 5 received)"
}

start run --source /board/pictures/film-and-on --json --no-voice --fps 1 --config receh.conf
poll "$brief" grep -q 'Ready to count' received || fail "the console gave no ready"
poll "$patience" grep -q 'Total Rp1,000 (1 coin)' received || fail "the console gave no total"
type status '^Faults: none'
type mute '^Muted'
type unmute '^There is no voice'
type help '^reset +count anew'
type repeat 'not spoken'
head -c 2000 /dev/urandom >&3
printf '\n' >&3
type TOTAL '^Total Rp1,[05]00 '
type 'no such thing' '^No such command'
before=$(grep -c 'Counting anew' received || true)
type reset '^Counting anew'
[[ "$before" == 0 ]] || fail "it was reset before it was asked to"
# Nobody reads any more; the loop goes on and the end is clean.
kill -STOP "$reader"
for _ in {1..300}; do echo help; done >&3
lines=$(wc -l <"$events")
printf 'reset\n' >&3
goes_on() { [[ "$(wc -l <"$events")" -gt "$lines" ]]; }
poll "$patience" goes_on || fail "a reader that stopped holds the loop up"
kill -CONT "$reader"
poll "$patience" grep -q ' lines lost: slow reader' received || fail "lost lines are not told of"
# What is still on its way at the end is given a fifth of a second only.
quiet() {
  local before
  before=$(wc -c <received)
  sleep 2
  [[ "$(wc -c <received)" == "$before" ]]
}
poll "$patience" quiet || fail "the console does not come to rest"
stop
[[ "$status" == 0 ]] || fail "the status is $status"
poll "$patience" grep -q '^Stopped' received || fail "the console gave no end: $(tail -n 5 received)"
kill "$reader"
