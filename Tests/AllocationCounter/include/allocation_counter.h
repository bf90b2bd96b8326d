// Counts heap allocations when preloaded into `receh run --json`; has nothing to call.
#pragma once
