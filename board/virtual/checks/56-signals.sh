# SIGHUP has the configuration read anew, a mistake in it leaves the run as it was, and SIGTERM ends
# the run with a last event and status 0.
# control no-reload: no event like
source /board/functions.sh

printf '[console]\nenabled = off\n[voice]\nenabled = off\n' >receh.conf
start run --source /board/pictures/film-and-on --json --fps 1 --config receh.conf
await '"event":"ready"'
[[ "$control" == no-reload ]] || kill -HUP "$receh"
await '"event":"reloaded"' "$brief"
echo 'colour = red' >receh.conf
kill -HUP "$receh"
await '"event":"degraded","part":"configuration"'
await_complaint "receh.conf:1: unknown key 'colour'"
printf '[console]\nenabled = off\n' >receh.conf
kill -HUP "$receh"
await '"event":"recovered","part":"configuration"'
read -r before _ </proc/uptime
stop
read -r after _ </proc/uptime
[[ "$status" == 0 ]] || fail "the status is $status"
measured "from SIGTERM to the end of receh run: $(awk "BEGIN { print $after - $before }") s"
[[ "$(tail -n 1 "$events")" == *'"event":"stopped"'* ]] || fail "the last event is another"
