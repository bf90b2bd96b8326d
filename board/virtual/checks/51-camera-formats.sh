# A real driver is set to each format, on single- and multi-planar nodes, and streams in it.
# control other-format: the driver is set to
source /board/functions.sh

# streams DEVICE FORMAT: counts ten pictures in a format, and looks at what the driver is set to.
streams() {
  local wanted=$2
  if [[ "$control" == other-format ]]; then wanted=YU12; fi
  printf '[console]\nenabled = off\n[camera]\ndevice = %s\nformat = %s\n' "$1" "$wanted" >receh.conf
  start run --json --no-voice --frames 10 --config receh.conf
  finish
  [[ "$status" == 0 ]] || fail "the status is $status in $2"
  v4l2-ctl -d "$1" --get-fmt-video >format
  grep -q "'$2'" format || fail "the driver is set to $(xargs <format)"
  if grep -q camera-lost "$events"; then fail "the camera was lost in $2"; fi
  grep -q '"stopped","frame":[1-9]' "$events" || fail "$1 gave no pictures in $2"
}

for format in YUYV UYVY NV12 NV21 YU12 GREY RGB3 RGGB; do streams /dev/video0 "$format"; done
for format in NM12 YM12; do streams /dev/video4 "$format"; done
