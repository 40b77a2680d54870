package proc

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestClaimed(t *testing.T) {
	row := func(pid, ppid int, mark string) entry {
		return entry{ident: ident{pid, fmt.Sprint("s", pid)}, ppid: ppid, mark: mark}
	}
	guard := row(60, 50, "")
	guard.guard = true
	table := []entry{
		row(1, 0, ""), row(2, 1, ""), // the system
		row(40, 30, ""), // a grandchild that hides its mark, listed before its parent
		row(30, 20, ""),
		row(20, 9, "9.s9.1.1."),
		row(21, 1, "9.s9.1.1."),           // its parent is gone
		row(22, 9, "9.s9.1.2."),           // another child
		row(50, 20, "50.s50.1.1."), guard, // a parley below a child, with a guard
		row(9, 2, ""),           // ourselves
		row(70, 1, "9.s9.2.1."), // another group
	}
	tests := map[string]struct {
		prefix string
		root   ident
		want   []int
	}{
		"one child":           {"9.s9.1.1.", ident{}, []int{20, 21, 30, 40, 50}},
		"the group":           {"9.s9.1.", ident{}, []int{20, 21, 22, 30, 40, 50}},
		"by pid":              {"x.", ident{30, "s30"}, []int{30, 40}},
		"by pid, start unset": {"x.", ident{30, ""}, nil},
		"pid used again":      {"x.", ident{30, "s29"}, nil},
		"nothing":             {"", ident{}, nil},
		"ourselves":           {"", ident{9, "s9"}, []int{20, 22, 30, 40, 50}},
		"the first process":   {"", ident{2, "s2"}, []int{2, 20, 22, 30, 40, 50}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []int
			for _, e := range claimed(table, test.prefix, test.root, 9) {
				got = append(got, e.pid)
			}
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestKillWaitsForAMark lets a process become another program while the table is read: it is killed once it has its mark.
func TestKillWaitsForAMark(t *testing.T) {
	without := []entry{{ident: ident{30, "s"}, ppid: 1, changing: true}}
	with := []entry{{ident: ident{30, "s"}, ppid: 1, mark: "9.s9.1.1."}}
	for name, test := range map[string]struct {
		tables         [][]entry // the last one stays
		killed, pauses int
	}{
		"at once":       {[][]entry{without, with, nil}, 1, 1},
		"after a while": {[][]entry{without, without, without, with, nil}, 1, 3},
		"never":         {[][]entry{without}, 0, changeLooks},
		"nothing":       {[][]entry{nil}, 0, 0},
		"a second one":  {[][]entry{with, without, with, nil}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			reads, pauses := 0, 0
			h := host{
				read:  func() ([]entry, error) { reads++; return test.tables[min(reads, len(test.tables))-1], nil },
				kill:  func([]entry) {},
				pause: func(time.Duration) { pauses++ },
			}
			killed, err := h.killClaimed("9.s9.1.", ident{})
			if killed != test.killed || pauses != test.pauses || err != nil {
				t.Errorf("killed %d after %d pauses, %v", killed, pauses, err)
			}
		})
	}
}

func TestParsePS(t *testing.T) {
	out := "    1     0 Thu Jan  1 10:00:00 2026 /sbin/launchd\n" +
		"  501     1 Thu Jan  1 10:00:01 2026 /bin/sh -c x PATH=/bin PARLEY_RUN=7.s.1.2. HOME=/x\n" +
		"  502   501 Thu Jan 11 10:00:02 2026 sh PARLEY_GUARD=1\n" +
		"nonsense\n  503 x Thu Jan 11 10:00:02 2026 sh\n"
	want := []entry{
		{ident: ident{1, "Thu Jan 1 10:00:00 2026"}},
		{ident: ident{501, "Thu Jan 1 10:00:01 2026"}, ppid: 1, mark: "7.s.1.2."},
		{ident: ident{502, "Thu Jan 11 10:00:02 2026"}, ppid: 501, guard: true},
	}
	if got := parsePS(out); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

func FuzzParsePS(f *testing.F) {
	f.Add("  501     1 Thu Jan  1 10:00:01 2026 /bin/sh -c x PATH=/bin PARLEY_RUN=7.s.1.2. HOME=/x\n")
	f.Fuzz(func(t *testing.T, out string) {
		for _, e := range parsePS(out) {
			if e.start == "" {
				t.Error("a row without a start")
			}
		}
	})
}
