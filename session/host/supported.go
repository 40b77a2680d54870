package host

import "runtime"

// Supported reports whether this system can have hosts.
const Supported = runtime.GOOS == "linux" || runtime.GOOS == "darwin"
