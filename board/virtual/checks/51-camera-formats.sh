# A real driver is set to each format, on single- and multi-planar nodes, and streams in it.
# control other-format: the driver is set to
source /board/functions.sh

# streams DEVICE FORMAT: streams in a format, and looks at what the driver is set to meanwhile.
streams() {
  local wanted=$2
  if [[ "$control" == other-format ]]; then wanted=YU12; fi
  printf '[console]\nenabled = off\n[camera]\ndevice = %s\nformat = %s\n' "$1" "$wanted" >receh.conf
  start run --json --no-voice --config receh.conf --frames 8
  await '"event":"ready"'
  poll 20 streaming "$1" || fail "$1 does not stream in $2"
  grep -q "'$2'" format || fail "the driver is set to $(xargs <format)"
  finish
  [[ "$status" == 0 ]] || fail "the status is $status in $2"
  grep -qE 'camera-lost|degraded' "$events" && fail "$1 in $2 is not read without a fault"
  grep -q '"event":"stopped","frame":8' "$events" || fail "$1 in $2 gave other than 8 frames"
}

# streaming DEVICE: whether a program has the device's buffers; leaves its format in a file.
streaming() {
  v4l2-ctl -d "$1" --get-fmt-video >format &&
    ! v4l2-ctl -d "$1" --set-fmt-video=width=320,height=180 2>/dev/null >&2
}

for format in YUYV UYVY NV12 NV21 GREY RGB3 RGGB; do streams /dev/video0 "$format"; done
for format in NM12 YM12; do streams /dev/video4 "$format"; done
