# Functions of the checks. A check is a bash script in board/virtual/checks that runs in the
# virtual board, in an empty folder of its own, as root; it passes when it ends with status 0.
#
# A line "# control NAME: REASON" declares a control: the check is run again with $control set to
# NAME, has to spoil something when it sees that, and must then fail with "failed: REASON...".
set -euo pipefail

: "${control=}"
# Where a started command's events and complaints go.
readonly events=$PWD/events complaints=$PWD/complaints

# How long to wait for what comes, unless something is wrong; where a control spoils the very thing
# that is waited for, $brief is enough.
readonly patience=120
readonly brief=$([[ -n "$control" ]] && echo 20 || echo "$patience")

# fail WORDS...: ends the check.
fail() {
  echo "failed: $*"
  if [[ -s "$complaints" ]]; then
    echo "complaints:"
    tail -n 15 "$complaints"
  fi
  if [[ -s "$events" ]]; then
    echo "events:"
    tail -n 15 "$events"
  fi
  exit 1
}

# measured WORDS...: reports a figure of the emulated board.
measured() {
  echo "measured $*"
}

# start ARGUMENT...: starts receh in the background; its process id is in $receh.
start() {
  : >"$events"
  : >"$complaints"
  receh "$@" >"$events" 2>"$complaints" &
  receh=$!
}

# poll SECONDS COMMAND...: repeats a command until it succeeds, or the time is over.
poll() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}

# await PATTERN [SECONDS]: waits for an event.
await() {
  poll "${2-$patience}" grep -qE -- "$1" "$events" || fail "no event like $1"
}

# await_complaint PATTERN [SECONDS]: waits for a line of standard error.
await_complaint() {
  poll "${2-$patience}" grep -qE -- "$1" "$complaints" || fail "no complaint like $1"
}

# ended: whether the started command has ended.
ended() {
  ! kill -0 "$receh" 2>/dev/null
}

# finish [SECONDS]: waits for the command's own end; its status is in $status.
finish() {
  poll "${1-300}" ended || fail "receh does not end"
  # shellcheck disable=SC2034 # for the check
  if wait "$receh"; then status=0; else status=$?; fi
}

# stop: asks the command to end, as systemd does; its status is in $status.
stop() {
  kill -TERM "$receh" 2>/dev/null || true
  finish "$patience"
}

# totals: the totals told so far, in order, without repeats and without those of an empty tray.
totals() {
  sed -n 's/.*"event":"total","total":\([0-9]*\).*/\1/p' "$events" | uniq | grep -v '^0$' || true
}

# The simulated GPIO chip in sysfs.
gpio_chip() {
  local device
  device=$(</sys/kernel/config/gpio-sim/board/dev_name)
  echo "/sys/devices/platform/$device/$(</sys/kernel/config/gpio-sim/board/bank0/chip_name)"
}

# gpio LINE: what the chip's line is at, 0 or 1.
gpio() {
  cat "$(gpio_chip)/sim_gpio$1/value"
}

# pull LINE up|down: what an input line reads, as a button would have it.
pull() {
  echo "pull-$2" >"$(gpio_chip)/sim_gpio$1/pull"
}

# show TOTAL: has the second camera, /dev/video2, show the tray with that much on it. The picture
# stays until the next. $shower is the process to kill so that the camera shows nothing.
show() {
  cp "/board/pictures/$1.yuyv" /tmp/.shown && mv /tmp/.shown /tmp/shown.yuyv
  if ! kill -0 "${shower-}" 2>/dev/null; then
    show-frames /dev/video2 /dev/video3 /tmp/shown.yuyv >/tmp/show.log 2>&1 &
    shower=$!
    poll "$patience" grep -q showing /tmp/show.log || fail "the second camera shows nothing: $(cat /tmp/show.log)"
  fi
}

# Samples a second of a recording.
readonly recording_rate=16000

# record FILE: records what the sound card plays, as a WAV file, until end_recording.
record() {
  arecord -q -D hw:Loopback,1,0 -f S16_LE -r "$recording_rate" -c 1 "$1" &
  recorder=$!
}

# loud RATE: milliseconds of standard input, 16-bit samples, in which something is heard.
loud() {
  od -An -v -t d2 -w2 | awk -v window=$(($1 / 50)) '
    $1 > 500 || $1 < -500 { is_loud = 1 }
    NR % window == 0 { heard += 20 * is_loud; is_loud = 0 }
    END { print heard + 0 }'
}

# heard FILE [RATE]: milliseconds of a WAV file in which something is heard.
heard() {
  tail -c +45 "$1" | loud "${2-$recording_rate}"
}

# lately FILE: how many milliseconds of a recording's last second and a half are heard.
lately() {
  tail -c +45 "$1" | tail -c $((3 * recording_rate)) | loud "$recording_rate"
}

# is_heard FILE: whether something is heard just now.
is_heard() { [[ "$(lately "$1")" != 0 ]]; }

# is_silent FILE: whether nothing is heard just now.
is_silent() { ! is_heard "$1"; }

end_recording() {
  kill -INT "$recorder"
  wait "$recorder" || true
}
