# A real driver is set to each format, on single- and multi-planar nodes, and streams in it.
# control other-format: the driver is set to
source /board/functions.sh

mapped() { grep -q "$1" "/proc/$receh/maps"; }

# streams DEVICE FORMAT: streams in a format for a while, and looks at what the driver is set to.
streams() {
  local wanted=$2 frames
  if [[ "$control" == other-format ]]; then wanted=YU12; fi
  printf '[console]\nenabled = off\n[camera]\ndevice = %s\nformat = %s\n' "$1" "$wanted" >receh.conf
  start run --json --no-voice --config receh.conf
  poll "$patience" mapped "$1" || fail "the buffers of $1 are not mapped in $2"
  v4l2-ctl -d "$1" --get-fmt-video >format
  grep -q "'$2'" format || fail "the driver is set to $(xargs <format)"
  sleep 3
  stop
  [[ "$status" == 0 ]] || fail "the status is $status in $2"
  if grep -q camera-lost "$events"; then fail "the camera was lost in $2"; fi
  frames=$(sed -n 's/.*"stopped","frame":\([0-9]*\).*/\1/p' "$events")
  ((frames >= 5)) || fail "$1 gave $frames frames in $2"
  measured "$1 in $2: $frames frames"
}

for format in YUYV UYVY NV12 NV21 YU12 GREY RGB3 RGGB; do streams /dev/video0 "$format"; done
for format in NM12 YM12; do streams /dev/video4 "$format"; done
