package rewind

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes"
	"parley/ui/style"
)

// talk returns a transcript with the turns of these names: "a" was answered, "a-" was not, "-" has no prompt.
func talk(names string) *session.Transcript {
	t := &session.Transcript{}
	for _, name := range strings.Fields(names) {
		id, answered := strings.CutSuffix(name, "-")
		turn := &session.Turn{ID: session.TurnID(id)}
		if id != "" {
			turn.Prompt.Text = id
		}
		if !answered {
			turn.Entries = []session.Entry{&session.Tool{Ended: true}}
		}
		t.Turns = append(t.Turns, turn)
	}
	return t
}

func TestPoints(t *testing.T) {
	all := []changes.Change{{ID: 1, Turn: "a", Path: "/x"}, {ID: 2, Turn: "b", Path: "/x"}, {ID: 3, Turn: "b", Path: "/y", Status: changes.Undone},
		{ID: 4, Turn: "c", Path: "/z"}, {ID: 5, Turn: "elsewhere", Path: "/w"}}
	for talked, want := range map[string]string{
		"":           "",
		"a":          "1 a after  skips 0 made [1] files 1",
		"a b c":      "3 c after b skips 0 made [4] files 1 | 2 b after a skips 0 made [2 4] files 2 | 1 a after  skips 0 made [1 2 4] files 2",
		"a b- c":     "3 c after a skips 1 made [4] files 1 | 2 b after a skips 0 made [2 4] files 2 | 1 a after  skips 0 made [1 2 4] files 2",
		"a- b- c":    "3 c after  skips 2 made [4] files 1 | 2 b after  skips 1 made [2 4] files 2 | 1 a after  skips 0 made [1 2 4] files 2",
		"a - c":      "3 c after a skips 0 made [4] files 1 | 1 a after  skips 0 made [1 4] files 2",
		"other":      "1 other after  skips 0 made [] files 0",
		"a c- other": "3 other after a skips 1 made [] files 0 | 2 c after a skips 0 made [4] files 1 | 1 a after  skips 0 made [1 4] files 2",
	} {
		points := pointsOf(talk(talked))
		for i := range points {
			count(&points[i], all)
		}
		var got []string
		for _, p := range points {
			got = append(got, fmt.Sprintf("%d %s after %s skips %d made %v files %d", p.number, p.turn, p.after, p.skipped, p.made, p.files))
		}
		if s := strings.Join(got, " | "); s != want {
			t.Errorf("%q:\n%s\nwant\n%s", talked, s, want)
		}
	}
}

// What cannot go back is named before the choice, and bytes of a prompt or a path never reach the terminal as they are.
func TestParts(t *testing.T) {
	plan := changes.Plan{Files: []changes.PlanFile{{Path: "/repos/x/a.go"}, {Path: "/repos/x/b\x1b[2J.go", Refused: "It is gone."},
		{Path: "/elsewhere/c", Lost: []changes.Loss{{By: "you, or another program"}}}}}
	l := parts{look: &style.Look{}, plan: plan, dir: "/repos/x", copies: true,
		point: point{after: "t", skipped: 2, prompt: session.Prompt{Text: "mend \x1b[31mit\nplease"}}}
	text := l.Options().Text
	for _, want := range []string{"2 prompts without an answer go too", "Stays: b", "It is gone.", "/elsewhere/c: it was changed since by you", "in a copy"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing: %s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\n") {
		t.Errorf("it drives the terminal: %q", text)
	}
	rows := l.Rows()
	if len(rows) != 3 || rows[0].Cells[1] != "1 file goes back, 2 stay" {
		t.Errorf("%+v", rows)
	}
	l.copies, l.plan, l.point.after = false, changes.Plan{}, ""
	if rows = l.Rows(); len(rows) != 1 || rows[0].Off == "" || !strings.Contains(l.Options().Text, "a new one begins") {
		t.Errorf("%+v %s", rows, l.Options().Text)
	}
}
