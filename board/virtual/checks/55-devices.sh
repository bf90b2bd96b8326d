# The survey of the devices names the camera with its formats, the GPIO chip by its label, the sound
# card and the kernel, and a report has the system's own files besides.
# control wrong-label: no line like
source /board/functions.sh

# lists PATTERN: whether the survey has such a line.
lists() {
  grep -qE -- "$1" survey || fail "no line like $1 in: $(head -c 3000 survey)"
}

label=pinctrl-bcm2711
[[ "$control" != wrong-label ]] || label=pinctrl-rp1
receh devices --report report.txt >survey
lists '^  /dev/video0  .*vivid'
lists '^    YUYV .*640x480'
lists "label $label, [0-9]+ lines"
lists 'Loopback.*playback'
kernel=$(uname -r)
# A version may have a +, which is not to repeat what is before it.
lists "^  kernel +${kernel//[+.]/[+.]}"
lists '^What is wrong'
grep -q "^  .*$(cut -d ' ' -f 1-3 /proc/version)" report.txt || fail "the report lacks the kernel"

# A node that is not for the user is told with the group that may.
chgrp video /dev/video0
chmod 660 /dev/video0
su -s /bin/bash nobody -c 'receh devices' >survey
lists 'usermod -aG video'
