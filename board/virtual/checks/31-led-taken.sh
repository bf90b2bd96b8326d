# An LED's line that another program has is told of once, and taken up when it is given back.
# control never-freed: no event like
source /board/functions.sh

cat >receh.conf <<'TEXT'
[console]
enabled = off
[leds]
ready = GPIO17
unsure = no-such-line
TEXT
held() { gpioinfo | grep -q 'GPIO17.*gpioset'; }
lit() { [[ "$(gpio 17)" == 1 ]]; }

gpioset GPIO17=0 &
holder=$!
poll "$patience" held || fail "gpioset does not hold the line"
start run --source /board/pictures/film-and-on --json --no-voice --fps 1 --config receh.conf
await '"event":"degraded","part":"leds","why":"another program'
if [[ "$control" != never-freed ]]; then kill "$holder"; fi
# What is left is the line that does not exist.
await '"event":"degraded","part":"leds","why":"no GPIO line has the name' "$brief"
poll "$patience" lit || fail "the line that was given back is not lit"
[[ "$(grep -c '"why":"another program' "$events")" == 1 ]] || fail "it is told more than once"
kill "$holder" 2>/dev/null || true
stop
