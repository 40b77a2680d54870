package shell

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/builtin/tool/tooltest"
)

func TestPruneOutputs(t *testing.T) {
	dir := t.TempDir()
	limit := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for name, at := range map[string]time.Time{"old.txt": limit.Add(-time.Hour), "new.txt": limit.Add(time.Hour)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	pruneOutputs(dir, limit, 100)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "new.txt" {
		t.Errorf("left %v, %v", left, err)
	}
	pruneOutputs(filepath.Join(dir, "gone"), limit, 100) // a missing directory is fine
}

// All outputs together stay within a bound, also while one more comes: the oldest go.
func TestOutputsAreBoundedInAll(t *testing.T) {
	b := tooltest.New(t, nil)
	dir := b.W.OutputDir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const each = 100 << 20
	for i := range 12 { // sparse: they take no room
		path := filepath.Join(dir, fmt.Sprintf("%02d.txt", i))
		at := time.Now().Add(time.Duration(i-12) * time.Minute)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, each), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	path := b.Run(Bash, tooltest.Obj{"command": "seq 1 20000"}).Result.FullPath
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), "03.txt 04.txt 05.txt 06.txt 07.txt 08.txt 09.txt 10.txt 11.txt "+filepath.Base(path); got != want || path == "" {
		t.Errorf("left %s", got)
	}
	if most := int64(maxOutputs); 9*each+maxKept > most {
		t.Errorf("more than %d bytes", most)
	}
}

// The output of one command is kept up to a bound, and the result says so.
func TestTheOutputOfOneCommandIsBounded(t *testing.T) {
	b := tooltest.New(t, nil)
	got := b.Run(Bash, tooltest.Obj{"command": "yes '' | head -c 67200000"}).Result
	info, err := os.Stat(got.FullPath)
	if err != nil || info.Size() != maxKept {
		t.Errorf("%v, %v", info, err)
	}
	if want := "\n(the first 64 MiB of the output, of 67200000 bytes, are in " + got.FullPath + "; the rest was not kept)"; !strings.HasSuffix(got.Text, want) || !got.Truncated {
		t.Errorf("%q", got.Text[max(0, len(got.Text)-300):])
	}
}

// A file that cannot be written to the end does not stay.
func TestAnOutputThatCannotBeKeptLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	c := newCapture(func() (*os.File, error) {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return os.Open(path) // for reading only
	}, func(string) {})
	for range 40 {
		_, _ = c.Write([]byte(strings.Repeat("x", 1000)))
	}
	if got := c.close(); got.path != "" || got.size != 40000 || !got.cut || got.where() != "" {
		t.Errorf("%d bytes, %q, %v", got.size, got.path, got.cut)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// The service makes up the ids of calls, which name files.
func TestIdsOfCallsLeadNowhere(t *testing.T) {
	b := tooltest.New(t, nil)
	f, err := outputFile(b.W, "../../x/\x00é")()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if filepath.Dir(f.Name()) != b.W.OutputDir || filepath.Base(f.Name()) != "s-______x___.txt" {
		t.Error(f.Name())
	}
}
