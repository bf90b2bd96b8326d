# SIGHUP has the configuration read anew, a mistake in it leaves the run as it was, and SIGTERM ends
# the run with a last event and status 0.
# control no-reload: no event like
source /board/functions.sh

printf '[console]\nenabled = off\n[voice]\nenabled = off\n' >receh.conf
start run --source /board/pictures/film --json --fps 1 --config receh.conf
await '"event":"ready"'
[[ "$control" == no-reload ]] || kill -HUP "$receh"
await '"event":"reloaded"' 20
echo 'colour = red' >receh.conf
kill -HUP "$receh"
await '"event":"degraded","part":"configuration"' 20
await_complaint "receh.conf:1: unknown key 'colour'" 20
printf '[console]\nenabled = off\n' >receh.conf
kill -HUP "$receh"
await '"event":"recovered","part":"configuration"' 20
before=$(date +%s%N)
stop
[[ "$status" == 0 ]] || fail "the status is $status"
measured "from SIGTERM to the end of receh run: $((($(date +%s%N) - before) / 1000000)) ms"
grep -q '"event":"stopped"' "$events" || fail "the last event is missing"
