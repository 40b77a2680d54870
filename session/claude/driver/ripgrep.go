package driver

import (
	"os"
	"path/filepath"
	"runtime"
)

// nodeNames are Node's names of systems and architectures where they differ from Go's.
var nodeNames = map[string]string{"amd64": "x64", "386": "ia32", "windows": "win32"}

// ripgrepDir returns the folder of the ripgrep that a runtime's npm package brings along, "" if it has none: newer runtimes
// have it in their program.
func ripgrepDir(program []string) string {
	if len(program) == 0 {
		return ""
	}
	node := func(name string) string {
		if n := nodeNames[name]; n != "" {
			return n
		}
		return name
	}
	dir := filepath.Join(filepath.Dir(program[len(program)-1]), "vendor", "ripgrep", node(runtime.GOARCH)+"-"+node(runtime.GOOS))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// pathWith returns a list of folders with one more at its end, so that the user's programs come first.
func pathWith(list, dir string) string {
	if list == "" {
		return dir
	}
	return list + string(os.PathListSeparator) + dir
}
