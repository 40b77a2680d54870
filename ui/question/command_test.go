package question

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/session"
	"parley/ui/style"
)

// spelledMarks returns the lines of a command with their marks: what is asked about in [], what is allowed in ().
func spelledMarks(command string, parts []session.CommandPart) string {
	lines, marks := marked(command, parts)
	for i := range marks {
		for n := len(marks[i]) - 1; n >= 0; n-- {
			m, around := marks[i][n], "[]"
			if m.Allowed {
				around = "()"
			}
			lines[i] = lines[i][:m.From] + around[:1] + lines[i][m.From:m.To] + around[1:] + lines[i][m.To:]
		}
	}
	return strings.Join(lines, "\n")
}

// find returns the parts of a command with these words, every second one allowed.
func find(command string, words ...string) (parts []session.CommandPart) {
	at := 0
	for i, w := range words {
		from := at + strings.Index(command[at:], w)
		at = from + len(w)
		parts = append(parts, session.CommandPart{Start: from, End: at, Allowed: i%2 == 1})
	}
	return parts
}

func TestPartsOfACommandAreMarked(t *testing.T) {
	for _, c := range []struct {
		command string
		words   []string
		want    string
	}{
		{"go test ./... | tail -n 1 > x", []string{"go test ./...", "tail -n 1", "> x"}, "[go test ./...] | (tail -n 1) [> x]"},
		{"a && b", []string{"a", "b"}, "[a] && (b)"},
		{"東京 && 大阪", []string{"東京", "大阪"}, "[東京] && (大阪)"},
		{"a\tb &&\tc", []string{"a\tb", "c"}, "[a   b] &&    (c)"},
		{"a\x1b[2J && b\u00a0c", []string{"a\x1b[2J", "b\u00a0c"}, "[a␛[2J] && (b<U+00A0>c)"},
		{"cat <<E\none\ntwo\nE\nls", []string{"cat <<E\none\ntwo\nE", "ls"}, "[cat <<E]\n[one]\n[two]\n[E]\n(ls)"},
		{"e\u0301cho && ls", []string{"e\u0301cho", "ls"}, "[e\u0301cho] && (ls)"},
		{"a\r\nb && c", []string{"a", "c"}, "[a]\nb && (c)"},
		{"a", []string{"a"}, "a"},
		{"a; b", []string{"a"}, "a; b"},
	} {
		if got := spelledMarks(c.command, find(c.command, c.words...)); got != c.want {
			t.Errorf("%q: %q, want %q", c.command, got, c.want)
		}
	}
}

// TestBoundsThatCannotBeTrueMarkNothing shows the command as it is where an agent sends bounds that do not fit.
func TestBoundsThatCannotBeTrueMarkNothing(t *testing.T) {
	const command = "wörld | ls"
	for _, parts := range [][]session.CommandPart{
		{{Start: 0, End: 99}, {Start: 99, End: 100, Allowed: true}},
		{{Start: -1, End: 2}, {Start: 3, End: 4, Allowed: true}},
		{{Start: 0, End: 2}, {Start: 3, End: 5, Allowed: true}}, // within a character
		{{Start: 4, End: 6}, {Start: 0, End: 1, Allowed: true}},
		{{Start: 0, End: 5}, {Start: 4, End: 8, Allowed: true}},
		{{Start: 3, End: 3}, {Start: 5, End: 6, Allowed: true}},
	} {
		a := &session.PermissionAsk{Tool: "Bash", Command: command, Parts: parts}
		if got := spelledMarks(command, parts); got != command || partsOf(a) != nil {
			t.Errorf("%v: %q, %v", parts, got, partsOf(a))
		}
	}
	hidden := "a\xff\xff\xff\xff\xff && ls" // shown as one stretch, which a bound cuts
	if got := spelledMarks(hidden, []session.CommandPart{{Start: 0, End: 5}, {Start: 10, End: 12, Allowed: true}}); strings.ContainsAny(got, "[]()") {
		t.Errorf("%q", got)
	}
}

// FuzzMarked wants every command shown whole, with any bounds, and marks that lie within its lines, in order.
func FuzzMarked(f *testing.F) {
	f.Add("go test ./... | tail > x", uint64(1))
	f.Add("a\x1b\t東京\u200b\r\n\xff && b", uint64(2))
	f.Fuzz(func(t *testing.T, command string, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var parts []session.CommandPart
		for at := 0; at < len(command) && len(parts) < 9; {
			from := at + r.IntN(len(command)-at+1)
			to := from + r.IntN(len(command)-from+2)
			parts = append(parts, session.CommandPart{Start: from, End: to, Allowed: r.IntN(2) == 0})
			at = max(at+1, to)
		}
		lines, marks := marked(command, parts)
		if got := strings.Join(lines, "\n"); got != style.Spell(command) {
			t.Fatalf("%q is shown as %q", command, got)
		}
		for i, of := range marks {
			at := 0
			for _, m := range of {
				if m.From < at || m.To <= m.From || m.To > len(lines[i]) {
					t.Fatalf("%q: line %d has %v", command, i, of)
				}
				at = m.To
			}
		}
	})
}

// TestRuleOfAnAnswer walks through rules, edits them, and looks at what each answer saves.
func TestRuleOfAnAnswer(t *testing.T) {
	offered := []session.Rule{{Text: "command make *", Label: "make *"}, {Text: "command make test", Label: "exactly this line"},
		{Label: "every make", Destination: "Claude Code"}, {Tool: "Bash", Pattern: "go test", Label: "go test"}}
	q := New(&session.Ask{Asked: session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "make test", Rules: offered}}}, Options{Dir: "/w"})
	saves := func() string {
		var s []string
		for _, c := range q.Choices {
			if c.Answer.Rule != nil {
				s = append(s, fmt.Sprintf("%s=%s%s", c.Key, c.Answer.Rule.Text, c.Answer.Rule.Destination))
			}
		}
		return strings.Join(s, " ")
	}
	step := func(want, draft string) {
		t.Helper()
		if got := saves(); got != want || q.Permission.RuleDraft() != draft || q.At > 1 {
			t.Errorf("saves %q, want %q; the rule is %q, want %q; selected is %q", got, want, q.Permission.RuleDraft(), draft, q.Choices[q.At].Key)
		}
	}
	step("a=command make *", "command make *")
	q.NextRule()
	step("a=command make test", "command make test")
	q.NextRule()
	step("a=Claude Code", "every make")
	if q.Permission.Editable() || q.ChoiceOf("e") >= 0 {
		t.Error("a rule of the runtime can be edited")
	}
	q.NextRule()
	step("a=", "command go test *") // in the older grammar
	q.NextRule()
	for _, wrong := range []string{"", "make", "command", "command a\nb", "rule x", "command bash *", "tool Bash"} {
		if q.SetRule(wrong) == "" {
			t.Errorf("%q is a rule", wrong)
		}
	}
	step("a=command make *", "command make *")
	if trouble := q.SetRule("  command   make lint "); trouble != "" {
		t.Error(trouble)
	}
	if _, at := q.Permission.Offers(); at != 0 || !strings.Contains(saves(), "a=command ") {
		t.Errorf("the edited rule is not saved: %q", saves())
	}
	q.NextRule()
	step("a=command make *", "command make *")
}
