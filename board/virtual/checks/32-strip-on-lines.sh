# A strip on two GPIO lines gets the right bits, as the kernel sees them set, and is dark at the end.
# control other-colour: the kernel saw
source /board/functions.sh

color=143cff
if [[ "$control" == other-colour ]]; then color=143cfe; fi
cat >receh.conf <<TEXT
[console]
enabled = off
[strip]
type = sk9822
clock = GPIO20
data = GPIO21
length = 8
brightness = 60
thousands = $color
TEXT
trace=/sys/kernel/tracing
[[ -d "$trace/events" ]] || mount -t tracefs tracefs "$trace"
echo 16384 >"$trace/buffer_size_kb"
echo >"$trace/trace"
echo 1 >"$trace/events/gpio/gpio_value/enable"
start run --source /board/pictures/film-and-on --json --no-voice --fps 1 --config receh.conf
await '"event":"total","total":1000'
sleep 2
stop
echo 0 >"$trace/events/gpio/gpio_value/enable"

# Of the two lines the data's number is the higher. A bit counts when the clock rises.
sed -n 's/.*gpio_value: \([0-9]*\) set \([01]\).*/\1 \2/p' "$trace/trace" >levels
clock=$(cut -d ' ' -f 1 levels | sort -nu | sed -n 1p)
awk -v "clock=$clock" '
  $1 != clock { data = $2; next }
  $2 == 1 {
    byte = byte * 2 + data
    if (++bits % 8 == 0) { printf "%02x", byte; byte = 0 }
  }' levels >bytes

# Rp1000: a blue light and three zeros, dark ones between; 60 % of the current is 19 of 31.
blue=f3ff3c14 zero=f3282828 off=f3000000
picture=00000000$blue$off$zero$off$zero$off$zero${off}0000000000
dark=00000000$off$off$off$off$off$off$off${off}0000000000
grep -q "$picture" bytes || fail "the kernel saw no picture of 1000 in $(wc -c <bytes) digits: $(tail -c 200 bytes)"
[[ "$(tail -c ${#dark} bytes)" == "$dark" ]] || fail "the strip is left with $(tail -c ${#dark} bytes)"
