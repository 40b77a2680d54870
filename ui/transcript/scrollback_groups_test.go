package transcript

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/session"
	"parley/ui/style"
)

// TestScrollbackHasEachCallOnce writes conversations into a scrollback while they grow. Each call is in it once, in a row of
// its own or in the number of a group, and rows never come after others that they precede.
func TestScrollbackHasEachCallOnce(t *testing.T) {
	header := func() string { return "header" }
	grouped := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		m, c := groupModel(t, "")
		in := NewScrollback(m)
		var out []string
		write := func() {
			above, _ := in.Rows(header, nil, 5)
			out = append(out, above...)
		}
		want := []string{}
		for range 3 {
			h := session.Head{Turn: c.turn}
			for range r.IntN(12) {
				word := []string{"read", "read", "read", "read!", "run", "text"}[r.IntN(6)]
				if word != "text" {
					verb := map[string]string{"read": "read", "read!": "failed", "run": "ran"}[word]
					want = append(want, verb)
					word += ":" + fmt.Sprint("f", c.n)
				}
				for _, e := range c.word(word) {
					m.Apply([]session.Event{e})
					write()
				}
			}
			m.Apply([]session.Event{session.TurnEnded{Head: h, Outcome: session.TurnCompleted}})
			write()
			c.turn += "t"
			m.Apply(c.begin())
		}
		out = append(out, in.Tail(header)...)
		var got []string
		for _, row := range out {
			row = style.Unstyled(row)
			var n int
			switch {
			case strings.HasPrefix(row, "✗ could not read"):
				got = append(got, "failed")
			case strings.HasPrefix(row, "• ran"):
				got = append(got, "ran")
			case strings.HasPrefix(row, "• read") && strings.Contains(row, " files"):
				fmt.Sscanf(row, "• read %d files", &n)
				grouped += n
				for range n {
					got = append(got, "read")
				}
			case strings.HasPrefix(row, "• read"):
				got = append(got, "read")
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: written are\n%s\nof calls\n%s\nin\n%s", seed, got, want, strings.Join(out, "\n"))
		}
	}
	if grouped < 100 {
		t.Errorf("only %d calls were grouped", grouped)
	}
}
