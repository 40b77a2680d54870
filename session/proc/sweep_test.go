package proc

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	now := time.Unix(2e9, 0)
	recent, old := now.Add(-time.Hour), now.Add(-strayAfter-time.Hour)
	starts := map[int]string{10: "100", 11: "110"}
	start := func(pid int) string { return starts[pid] }
	mine := func(owner int, ownerStart string) record {
		return record{Pid: 11, Start: "110", Owner: owner, OwnerStart: ownerStart, Mark: "1.2.3.4.", Place: "here"}
	}
	elsewhere := mine(12, "120")
	elsewhere.Place = "there"
	tests := map[string]struct {
		r       record
		valid   bool
		written time.Time
		want    verdict
	}{
		"living owner":              {mine(10, "100"), true, recent, keep},
		"living owner, long ago":    {mine(10, "100"), true, old, keep},
		"dead owner":                {mine(12, "120"), true, recent, sweep},
		"owner's pid used again":    {mine(10, "99"), true, recent, sweep},
		"owner of unknown start":    {mine(10, ""), true, recent, keep},
		"dead owner, unknown start": {mine(12, ""), true, recent, sweep},
		"half a file":               {record{}, false, recent, keep},
		"half a file, long ago":     {record{}, false, old, drop},
		"another machine":           {elsewhere, true, recent, keep},
		"another machine, long ago": {elsewhere, true, old, drop},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := judge(test.r, test.valid, test.written, now, "here", start); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func writeTestRecord(t *testing.T, dir, name string, r record) {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A process that only has the pid of one of ours is spared, and so is everything else in the directory.
func TestSweepSparesStrangers(t *testing.T) {
	dir := t.TempDir()
	parent := os.Getppid()
	writeTestRecord(t, dir, "reused.json", record{Pid: parent, Start: "other than " + startOf(parent), Owner: 999999999,
		OwnerStart: "1", Mark: "999999999.1.1.1.", Place: place()})
	writeTestRecord(t, dir, "unknown.json", record{Pid: parent, Owner: 999999999, OwnerStart: "1", Mark: "999999999.1.1.2.", Place: place()})
	writeTestRecord(t, dir, "wide.json", record{Owner: 999999999, OwnerStart: "1", Mark: "", Place: place()})
	for _, name := range []string{"noise.json", "other.txt"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, time.Now()); err != nil { // by our clock, which may differ from the file system's
			t.Fatal(err)
		}
	}
	n, err := New(Options{Dir: dir}).Sweep(context.Background())
	if n != 0 || err != nil {
		t.Errorf("killed %d, %v", n, err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 3 {
		t.Errorf("left: %v", left)
	}
}

func TestSweepWithoutDirectory(t *testing.T) {
	for _, dir := range []string{"", filepath.Join(t.TempDir(), "none")} {
		if n, err := New(Options{Dir: dir}).Sweep(context.Background()); n != 0 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
}

func BenchmarkSweepOfTheLiving(b *testing.B) {
	dir := b.TempDir()
	g := New(Options{Dir: dir})
	g.self, g.here = ident{os.Getpid(), startOf(os.Getpid())}, place()
	for i := range 10 {
		if err := g.writeRecord(g.record(ident{}, "1.2.3."+strconv.Itoa(i)+".", "x")); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := g.Sweep(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
