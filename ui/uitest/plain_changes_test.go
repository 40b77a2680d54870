package uitest

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes"
)

// workInLines records what work does, in a chat in lines.
func workInLines(l *Lines, r *record) {
	l.Type("Retry uploads with jitter")
	turn := l.Agent.Turn(l.T)
	turn.Text("Done.")
	turn.End(session.TurnCompleted)
	l.Settle()
	r.add(turn.ID, Dir+"/upload/retry.go", "a\nb\n", "a\nc\n")
	r.add(turn.ID, Dir+"/gen.go", "", "package gen\n", func(c *changes.Change) { c.Command = "go generate" })
	r.add(turn.ID, Dir+"/big.bin", "x", "y")
	l.News()
}

func TestChangesInLines(t *testing.T) {
	r := &record{}
	RunLines(t, Config{Options: withChanges(r)}, func(l *Lines) {
		l.Type("/changes")
		if said := l.News(); !strings.Contains(said, "No file was changed in this session.") {
			t.Errorf("an empty log: %s", said)
		}
		workInLines(l, r)
		for _, c := range []struct{ typed, says string }{
			{"/changes", "changes: Turn 1, 3 files: Retry uploads with jitter"},
			{"/changes", "changes:   upload/retry.go, changed"},
			{"/changes", "changes:   gen.go, changed, by $ go generate"},
			{"/changes", "note: 3 files changed."},
			{"/changes diff upload/retry.go", "-b\n+c"},
			{"/changes diff nothing.go", "No change of nothing.go is recorded."},
			{"/changes burn", "Write /changes, /changes diff PATH"},
			{"/changes undo", "Write what to undo"},
			{"/changes undo turn 7", "No file was changed in turn 7."},
			{"/changes accept gen.go", "Kept gen.go."},
			{"/changes undo gen.go", "Undid gen.go. Bring it back with /changes redo"},
			{"/changes redo gen.go", "Brought back gen.go."},
			{"/changes undo turn 1", "Undid 3 files of turn 1."},
			{"/changes undo turn 1", "Nothing of turn 1 is left to undo."},
			{"/changes redo all", "Brought back 3 files of this session."},
			{"/changes keep", "Kept 3 files of this session."},
		} {
			l.Type(c.typed)
			if said := l.News(); !strings.Contains(said, c.says) {
				t.Errorf("%s says:\n%s", c.typed, said)
			}
		}
	})
}

// Losses are printed and asked about; only the number of a choice loses anything.
func TestLossesInLines(t *testing.T) {
	r := &record{}
	RunLines(t, Config{Options: withChanges(r)}, func(l *Lines) {
		workInLines(l, r)
		r.lost = map[string][]changes.Loss{Dir + "/upload/retry.go": {{By: "you, or another program", From: r.file("a\nc\n"), To: r.file("a\nd\n")}}}
		r.refused = map[string]string{Dir + "/big.bin": "It is larger than 32 MB."}
		for _, answer := range []struct{ line, step, says string }{
			{"1", "", "Everything was left as it is"},
			{"3", "undo " + Dir + "/upload/retry.go " + Dir + "/gen.go", "Undid 2 files of turn 1."},
		} {
			r.steps = nil
			l.Type("/changes undo turn 1")
			said := l.News()
			for _, want := range []string{"Undo turn 1? 1 of 3 files has other changes, which this would lose", "-c\n+d", "changed by you, or another program",
				"big.bin stays as it is: it is larger than 32 MB.", "1. leave everything as it is", "2. undo the 1 without other changes", "3. undo all 2, and lose what is shown"} {
				if !strings.Contains(said, want) {
					t.Errorf("%q is missing:\n%s", want, said)
				}
			}
			l.Type(answer.line)
			if said := l.News(); !strings.Contains(said, answer.says) || strings.Join(r.steps, "") != answer.step {
				t.Errorf("%s did %q:\n%s", answer.line, r.steps, said)
			}
		}
		r.steps = nil
		r.lost = map[string][]changes.Loss{Dir + "/upload/retry.go": {{By: "you"}}}
		l.Type("/changes redo turn 1")
		l.News()
		l.Type("/changes undo upload/retry.go")
		l.Send("2\n") // before it could be read
		if said := l.News(); !strings.Contains(said, "left as it is") || len(r.steps) != 1 {
			t.Errorf("an answer that was typed ahead did %q:\n%s", r.steps, said)
		}
	})
}
