package safefs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func put(t *testing.T, text string, name ...string) string {
	t.Helper()
	path := filepath.Join(name...)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRegularFilesAreReadWithinABound(t *testing.T) {
	dir := t.TempDir()
	path := put(t, "hello", dir, "a")
	for most, want := range map[int64]string{5: "hello", 6: "hello", 1 << 20: "hello"} {
		if got, err := ReadFile(t.Context(), path, most, NoLinks); err != nil || string(got) != want {
			t.Errorf("%d: %q, %v", most, got, err)
		}
	}
	for most, want := range map[int64]string{4: "hell", 1: "h", 0: ""} {
		if got, err := ReadFile(t.Context(), path, most, FollowLinks); !errors.Is(err, ErrTooLarge) || string(got) != want {
			t.Errorf("%d: %q, %v", most, got, err)
		}
	}
	long := strings.Repeat("x", 3*chunk+7)
	if got, err := ReadFile(t.Context(), put(t, long, dir, "long"), 1<<30, NoLinks); err != nil || string(got) != long {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, err := ReadFile(t.Context(), put(t, "", dir, "empty"), 10, NoLinks); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := ReadFile(t.Context(), filepath.Join(dir, "none"), 10, NoLinks); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := ReadFile(t.Context(), dir, 10, FollowLinks); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}

func TestLinksAreFollowedOnlyIfAsked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("links need a privilege here")
		return
	}
	dir, outside := t.TempDir(), t.TempDir()
	put(t, "hello", dir, "a")
	far := put(t, "secret", outside, "far")
	for name, to := range map[string]string{"near": "a", "far": far} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if got, err := ReadFile(t.Context(), filepath.Join(dir, "near"), 10, FollowLinks); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ReadFileIn(t.Context(), root, "near", 10, FollowLinks); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ReadFileIn(t.Context(), root, "far", 10, FollowLinks); err == nil {
		t.Errorf("out of the root: %q", got)
	}
	for _, name := range []string{"near", "far"} {
		if got, err := ReadFile(t.Context(), filepath.Join(dir, name), 10, NoLinks); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if got, err := ReadFileIn(t.Context(), root, name, 10, NoLinks); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
