//go:build unix

package host

import (
	"os"
	"strings"
	"testing"
)

// A program that fails says why, and one that ends well says nothing.
func TestSpawn(t *testing.T) {
	for script, want := range map[string]string{
		"echo 'parley: the lock cannot be opened' >&2; echo more >&2; exit 1": "the lock cannot be opened", "exit 3": "it ended: exit status 3", "echo fine >&2": "",
	} {
		ended, err := Spawn("/bin/sh", []string{"-c", script}, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		if err := <-ended; want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "more")) {
			t.Errorf("%q: %v", script, err)
		}
		if _, open := <-ended; open {
			t.Errorf("%q: it is said twice", script)
		}
	}
	if _, err := Spawn("/none/parley", nil, nil); err == nil {
		t.Error("there is no such program")
	}
}
