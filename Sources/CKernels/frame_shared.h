// What the files of frames' vectors begin with.
#pragma once
#include "ckernels_frame.h"
#include "frame_wide.h"
#include "shared.h"

#include <string.h>
