package runtimes

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestInstallAdoptsTheWinner has another process finish first although the lock did not keep it away.
func TestInstallAdoptsTheWinner(t *testing.T) {
	b := newBench(t)
	winner := newBench(t)
	if _, err := winner.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Fatal(err)
	}
	b.o.Files = &raced{from: filepath.Join(winner.o.Dir, "toy", "2.0.0")}
	i, err := b.Install(t.Context(), "toy", "2.0.0", nil)
	if err != nil || !strings.HasPrefix(i.Dir, b.o.Dir) {
		t.Fatalf("%+v, %v", i, err)
	}
	if got := b.leftovers(); !slices.Equal(got, []string{"2.0.0"}) {
		t.Errorf("left behind %v", got)
	}
}

// raced puts another version in place right before the first rename.
type raced struct {
	diskFiles
	from string
}

func (f *raced) Rename(from, to string) error {
	if f.from != "" {
		if err := os.Rename(f.from, to); err != nil {
			return err
		}
		f.from = ""
	}
	return f.diskFiles.Rename(from, to)
}

func TestSweep(t *testing.T) {
	b := newBench(t)
	home := filepath.Join(b.o.Dir, "toy")
	half := func(name string) string { return file(t, filepath.Join(home, name, "toy"), elf, 0o755) }
	half(stagingPrefix + "2.0.0-1")
	half(stagingPrefix + "1.5.0-22")
	half(stagingPrefix + "latest-3")
	half(trashPrefix + "9")
	half("2.0.0") // without a receipt
	half("1.4.0")
	busy := half(stagingPrefix + "1.6.0-5")
	half("1.6.0")
	unlock, err := lock(context.Background(), b.store.lockFile(b.families[0], "1.6.0"), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	file(t, filepath.Join(home, "notes", "mine"), "x", 0o600)

	if list := b.List(); len(list) != 0 {
		t.Errorf("listed %+v", list)
	}
	if _, err := b.Find("toy"); ReasonOf(err) != ReasonNotFound {
		t.Errorf("found half a runtime: %v", err)
	}
	if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Fatal(err)
	}
	if got, want := b.leftovers(), []string{filepath.Base(filepath.Dir(busy)), "1.6.0", "2.0.0", "notes"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
}

// TestShortProgramIsNoRuntime is what a power cut can leave: a receipt, and a program without its end.
func TestShortProgramIsNoRuntime(t *testing.T) {
	b := newBench(t)
	i, err := b.Install(t.Context(), "toy", "2.0.0", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(i.Dir, "toy"), 3); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Find("toy"); ReasonOf(err) != ReasonNotFound {
		t.Fatalf("found: %v", err)
	}
	if i, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil || i.Already {
		t.Fatalf("%+v, %v", i, err)
	}
	if _, err := b.Find("toy"); err != nil {
		t.Fatal(err)
	}
}
