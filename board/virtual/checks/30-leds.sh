# LEDs on GPIO lines, found by name and by label, show what is counted, and a bar its share of the
# target; all are dark after a stop and after a kill.
# control wrong-line: the light for ready
# control wrong-target: the bar shows
source /board/functions.sh

ready=17 target=2000
case "$control" in
  wrong-line) ready=16 ;;
  wrong-target) target=100000 ;;
esac
cat >receh.conf <<TEXT
[console]
enabled = off
[leds]
ready = GPIO$ready
counting = pinctrl-bcm2711:27
unsure = GPIO22
fault = GPIO23
bar = GPIO5 GPIO6 pinctrl-bcm2711:13 GPIO19
target = $target
TEXT

# lit LINE...: whether these lines of the header, and no other LED's, are lit.
lit() {
  local line wanted
  for line in 17 22 23 5 6 13 19; do
    wanted=0
    [[ " $* " == *" $line "* ]] && wanted=1
    [[ "$(gpio "$line")" == "$wanted" ]] || return 1
  done
}

# levels: every LED's level, for a complaint.
levels() {
  local line
  for line in 17 27 22 23 5 6 13 19; do echo "GPIO$line=$(gpio "$line")"; done | xargs
}

counting() { [[ "$(gpio 27)" == 1 ]]; }

all_dark() { lit '' && ! counting; }

# Slow enough that each total stays while its lights are looked at.
start run --source /board/pictures/film-and-on --json --no-voice --fps 1 --config receh.conf
await '"event":"ready"'
poll "$brief" lit 17 || fail "the light for ready is not lit alone: $(levels)"
await '"event":"hold"'
poll "$patience" counting || fail "the light for counting stays dark: $(levels)"
await '"event":"total","total":1000'
poll "$brief" lit 17 5 6 || fail "the bar shows something else for 1000 of 2000: $(levels)"
await '"event":"total","total":1500'
poll "$patience" lit 17 5 6 13 || fail "the bar shows something else for 1500 of 2000: $(levels)"
stop
[[ "$status" == 0 ]] || fail "the status is $status"
poll "$patience" all_dark || fail "lights are left after a stop: $(levels)"

start run --source /board/pictures/film-and-on --json --no-voice --fps 1 --config receh.conf
await '"event":"total","total":1000'
poll "$patience" lit 17 5 6 || fail "the lights are not lit the second time: $(levels)"
kill -KILL "$receh"
poll "$patience" all_dark || fail "lights are left after a kill: $(levels)"
