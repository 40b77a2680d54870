package proc

import (
	"os"
	"testing"
)

func TestParseStat(t *testing.T) {
	tail := " 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 100"
	tests := map[string]struct {
		line  string
		ppid  int
		start string
		rests bool
		ok    bool
	}{
		"plain":      {"12 (sh) S 7" + tail, 7, "987654", true, true},
		"busy":       {"12 (sh) R 7" + tail, 7, "987654", false, true},
		"on a disk":  {"12 (sh) D 7" + tail, 7, "987654", false, true},
		"odd name":   {"12 (a) R 1 (b c) S 7" + tail, 7, "987654", true, true},
		"zombie":     {"12 (sh) Z 7" + tail, 0, "", false, false},
		"dead":       {"12 (sh) X 7" + tail, 0, "", false, false},
		"cut":        {"12 (sh) S 7 1 1", 0, "", false, false},
		"empty":      {"", 0, "", false, false},
		"bad parent": {"12 (sh) S x" + tail, 0, "", false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ppid, start, rests, ok := parseStat(test.line)
			if ok != test.ok || ok && (ppid != test.ppid || start != test.start || rests != test.rests) {
				t.Errorf("%d %q %v %v", ppid, start, rests, ok)
			}
		})
	}
}

func TestParseEnviron(t *testing.T) {
	mark, guard := parseEnviron([]byte("A=PARLEY_RUN=no\x00PARLEY_RUN=1.2.3.4.\x00PARLEY_GUARDIAN=1\x00"))
	if mark != "1.2.3.4." || guard {
		t.Error(mark, guard)
	}
	if mark, guard = parseEnviron([]byte("PARLEY_GUARD=1")); mark != "" || !guard {
		t.Error(mark, guard)
	}
}

func TestTableKnowsUs(t *testing.T) {
	table, err := processes()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range table {
		if e.pid == os.Getpid() {
			if e.ppid != os.Getppid() || e.start != startOf(os.Getpid()) {
				t.Errorf("%+v", e)
			}
			return
		}
	}
	t.Error("we are not in the table")
}

func FuzzParseStat(f *testing.F) {
	f.Add("12 (a) R 1 (b c) S 7 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 100")
	f.Fuzz(func(t *testing.T, line string) {
		if _, start, _, ok := parseStat(line); ok && start == "" {
			t.Error("a process without a start")
		}
	})
}

func TestLater(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"100", "99", true}, {"99", "100", false}, {"100", "100", true}, {"101", "100", true}, {"", "1", false}} {
		if later(c.a, c.b) != c.want {
			t.Errorf("later(%q, %q) is not %v", c.a, c.b, c.want)
		}
	}
}
