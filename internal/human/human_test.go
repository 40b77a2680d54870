package human

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestForms(t *testing.T) {
	got := []string{
		Seconds(5 * time.Second), Seconds(125 * time.Second), Seconds(2*time.Hour + 5*time.Minute),
		Age(30 * time.Second), Age(5 * time.Minute), Age(26 * time.Hour), Age(49 * time.Hour), Ago(0), Ago(5 * time.Minute),
		Tokens(900), Tokens(41400), Tokens(1000000), Tokens(1250000),
		Count(1, "line", "lines"), Count(0, "line", "lines"), Count(1204, "line", "lines"), Number(-1234567), Number(-100),
		Size(200), Size(12 << 10), Size(30 << 20), Kilobytes(1), Kilobytes(1232897), Megabytes(77_100_000),
		And(nil), And([]string{"a"}), And([]string{"a", "b"}), And([]string{"a", "b", "c"}),
		Dollars(300), Dollars(50), Dollars(12.5), Dollars(1.1), Dollars(0.25), Dollars(0),
	}
	want := []string{"5s", "2m 05s", "2h 05m", "now", "5 min", "26 h", "2 d", "now", "5 min ago", "900", "41k", "1M", "1.2M",
		"1 line", "0 lines", "1,204 lines", "-1,234,567", "-100", "200 bytes", "12 kB", "30 MB", "1 KB", "1,205 KB", "77.1 MB", "", "a", "a and b", "a, b and c",
		"$3", "$0.50", "$0.125", "$0.011", "$0.0025", "$0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The copy of a copy counts, also where older versions wrote the word twice; what only looks like it is a part of the title.
func TestFork(t *testing.T) {
	for title, want := range map[string]string{"a": "a (fork)", " a\n": "a (fork)", "a (fork)": "a (fork 2)", "a (fork 9)": "a (fork 10)", "a (fork) (fork)": "a (fork 3)",
		"": "(fork)", "a (fork 1)": "a (fork 1) (fork)", "a (fork x)": "a (fork x) (fork)", "a (forks)": "a (forks) (fork)", "(fork) a": "(fork) a (fork)"} {
		if got := Fork(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	if first, copies := Forked("a (b) (fork 3)"); first != "a (b)" || copies != 3 {
		t.Errorf("%q %d", first, copies)
	}
}
