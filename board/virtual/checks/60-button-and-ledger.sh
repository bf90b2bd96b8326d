# A push-button chooses the mode and keeps the tray; the ledger outlives a full and a read-only disk.
# control other-line: no event like "mode":"session"
# control no-room: no event like "event":"saved"
source /board/functions.sh

line=27
if [[ "$control" == other-line ]]; then line=26; fi
mkdir disk
mount -t tmpfs -o size=64k tmpfs disk
cat >receh.conf <<TEXT
[button]
line = pinctrl-bcm2711:$line
[ledger]
file = $PWD/disk/ledger
TEXT

# press SECONDS: presses the button with contacts that bounce.
press() {
  for _ in 1 2 3; do
    pull 27 down
    pull 27 up
  done
  pull 27 down
  sleep "$1"
  pull 27 up
  sleep 0.3
}

pull 27 up
start run --source /board/pictures/film --fps 0.5 --config receh.conf --json --no-voice
await '"event":"ready"'
sleep 2
press 0.4
await '"mode":"session"' 10
press 0.4
await '"mode":"tray"' 10
[[ "$(grep -c '"event":"mode"' "$events")" == 2 ]] || fail "one press is not one press"

# Kept on demand: first on a read-only disk, then on a full one, then with room.
dd if=/dev/zero of=disk/filler bs=1k count=100 2>/dev/null || true
mount -o remount,ro disk
press 1.6
await '"event":"degraded","part":"ledger","why":"the ledger cannot be written' 10
mount -o remount,rw disk
await '"event":"degraded","part":"ledger","why":"the ledger.s disk is full' 10
[[ "$(grep -c '"event":"saved"' "$events")" == 0 ]] || fail "saved on a full disk"
if [[ "$control" != no-room ]]; then rm disk/filler; fi
await '"event":"saved","kind":"tray","sequence":1' 10
await '"event":"recovered","part":"ledger"' 10
press 1.6
await '"event":"saved","kind":"tray","sequence":2' 10
stop
[[ "$status" == 0 ]] || fail "the status is $status"
[[ "$(receh ledger --file disk/ledger --csv | grep -c ',tray,')" == 2 ]] || fail "the ledger lacks entries"
umount disk
