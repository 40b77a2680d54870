package lsptest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	// gopls v0.24 needs Go 1.27.
	goplsVersion = "golang.org/x/tools/gopls@v0.23.0"
	// TypeScript 7 has no tsserver.
	typescriptVersion       = "typescript@5.9.3"
	typescriptServerVersion = "typescript-language-server@5.3.0"
)

// cached returns a directory of the user's cache that install has filled once.
func cached(t testing.TB, name string, install func(dir string) *exec.Cmd) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "parley-contract", strings.NewReplacer("/", "_", "@", "_").Replace(name))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "install-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := install(fresh)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(dir); errors.Is(there, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return dir
}

// Gopls returns the directory of gopls.
func Gopls(t testing.TB) string {
	return cached(t, goplsVersion, func(dir string) *exec.Cmd {
		cmd := exec.Command("go", "install", goplsVersion)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
		return cmd
	})
}

// TypeScript returns the directory of the programs of an npm installation.
func TypeScript(t testing.TB) string {
	dir := cached(t, typescriptServerVersion+"_"+typescriptVersion, func(dir string) *exec.Cmd {
		cmd := exec.Command("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir, typescriptServerVersion, typescriptVersion)
		cmd.Dir = dir
		return cmd
	})
	return filepath.Join(dir, "node_modules", ".bin")
}
