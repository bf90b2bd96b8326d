# Events go out over a serial port of 115200 baud, and arrive whole.
# control silent-port: the port gave
source /board/functions.sh

stty -F /dev/ttyS0 115200 raw -echo
stty -F /dev/ttyS1 115200 raw -echo
cat /dev/ttyS1 >received &
reader=$!
port=/dev/ttyS0
if [[ "$control" == silent-port ]]; then port=/dev/null; fi
receh run --source /board/pictures/film --frames 4 --json --no-voice >"$port" 2>"$complaints" ||
  fail "the status is $?"
poll "$brief" grep -q '"event":"stopped"' received || fail "the port gave $(head -c 300 received)"
kill "$reader"
grep -q '"event":"ready"' received || fail "the port gave no ready"
