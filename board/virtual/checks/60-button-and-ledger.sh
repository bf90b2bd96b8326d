# A push-button chooses the mode and keeps the tray; the ledger outlives a full and a read-only disk.
# control other-line: no event like "mode":"session"
# control no-room: no event like "event":"saved"
source /board/functions.sh

line=27
if [[ "$control" == other-line ]]; then line=26; fi
mkdir disk
mount -t tmpfs -o size=64k tmpfs disk
dd if=/dev/zero of=disk/filler bs=1k count=100 2>/dev/null || true
mount -o remount,ro disk
cat >receh.conf <<TEXT
[button]
line = pinctrl-bcm2711:$line
debounce = 200
long = 4000
[ledger]
file = $PWD/disk/ledger
TEXT

# press SECONDS: presses the button with contacts that bounce. Written at once, so that even an
# emulation that stutters bounces within the time that is allowed for it.
switch=$(gpio_chip)/sim_gpio27/pull
press() {
  for level in down up down up down; do echo "pull-$level" >"$switch"; done
  sleep "$1"
  for level in up down up; do echo "pull-$level" >"$switch"; done
  sleep 1
}
short=0.6 long=6

pull 27 up
start run --source /board/pictures/film-and-on --fps 0.5 --config receh.conf --json --no-voice
await '"event":"ready"'
sleep 2
press "$short"
await '"mode":"session"' "$brief"
press "$short"
await '"mode":"tray"'
[[ "$(grep -c '"event":"mode"' "$events")" == 2 ]] || fail "one press is not one press"

# Kept on demand: first on a read-only disk, then on a full one, then with room.
press "$long"
await '"event":"degraded","part":"ledger","why":"the ledger cannot be written'
mount -o remount,rw disk
await '"event":"degraded","part":"ledger","why":"the ledger.s disk is full'
[[ "$(grep -c '"event":"saved"' "$events")" == 0 ]] || fail "saved on a full disk"
if [[ "$control" != no-room ]]; then rm disk/filler; fi
await '"event":"saved","kind":"tray","sequence":1' "$brief"
await '"event":"recovered","part":"ledger"'
press "$long"
await '"event":"saved","kind":"tray","sequence":2'
stop
[[ "$status" == 0 ]] || fail "the status is $status"
[[ "$(receh ledger --file disk/ledger --csv | grep -c ',tray,')" == 2 ]] || fail "the ledger lacks entries"
umount disk
