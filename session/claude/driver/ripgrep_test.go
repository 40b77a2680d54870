package driver

import (
	"os"
	"path/filepath"
	"testing"

	"parley/session/proc"
)

// The runtime's ripgrep is at the end of its PATH, if the package has one.
func TestRipgrepIsOnThePath(t *testing.T) {
	dir := t.TempDir()
	l := Launch{Program: []string{"/usr/bin/node", filepath.Join(dir, "cli.js")}, Environ: []string{"PATH=/usr/bin" + string(os.PathListSeparator) + "/bin"}, Dir: dir}
	if got := proc.Lookup(Environ(l), "PATH"); got != "/usr/bin"+string(os.PathListSeparator)+"/bin" {
		t.Errorf("PATH %q without a ripgrep", got)
	}
	for _, arch := range []string{"x64", "arm64", "ia32", "riscv64"} {
		for _, system := range []string{"linux", "darwin", "win32"} {
			if err := os.MkdirAll(filepath.Join(dir, "vendor", "ripgrep", arch+"-"+system), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := "/usr/bin" + string(os.PathListSeparator) + "/bin" + string(os.PathListSeparator) + ripgrepDir(l.Program)
	if got := proc.Lookup(Environ(l), "PATH"); got != want || ripgrepDir(l.Program) == "" {
		t.Errorf("PATH %q, want %q", got, want)
	}
	l.Environ = nil
	if got := proc.Lookup(Environ(l), "PATH"); got != ripgrepDir(l.Program) {
		t.Errorf("PATH %q of an empty environment", got)
	}
}
