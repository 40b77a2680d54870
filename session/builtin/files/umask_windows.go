package files

import "io/fs"

// umask returns 0: Windows has none.
func umask() fs.FileMode { return 0 }
