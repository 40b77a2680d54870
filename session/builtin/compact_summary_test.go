package builtin

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions/style"
)

// A summary that was answered by a call is asked for again without tools; where there is none at all, the oldest answers go, and the
// user's own words stay.
func TestSummaryAnsweredByACall(t *testing.T) {
	call := counts(use(0, "g1", "Glob", `{"pattern":"*.none"}`), end("tool_use"))
	for name, tc := range map[string]struct {
		again reply
		want  string
	}{
		"then given": {counts(text(0, aSummary), end("end_turn")), "weeks"},
		"never":      {counts(use(0, "g2", "Glob", `{}`), end("tool_use")), "could not summarize it"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, counts(text(0, "first answer"), end("end_turn")), call, tc.again, counts(text(0, "second answer"), end("end_turn")))
			ch := openChat(t, s, smallModel)
			ch.send(long("mend the parser", 80))
			if end := ch.send(long("second", 80)); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v %+v", end, end.Problem)
			}
			all := s.requests()
			if len(all) != 4 || !strings.Contains(all[2], "Your last answer was no summary") || strings.Contains(all[2], `"tools":[{`) {
				t.Fatalf("%d requests", len(all))
			}
			if last := all[3]; !strings.Contains(last, tc.want) || strings.Contains(last, "first answer") || !strings.Contains(last, "word for word, oldest first\\n\\nmend the parser") {
				t.Errorf("%.3000s", last[strings.Index(last, `"messages"`):])
			}
			if got := ch.ended(); len(got) != 0 {
				t.Errorf("a call of the summary ran: %+v", got)
			}
		})
	}
}

// After a summary the instructions, those that changed meanwhile among them, the output style and the mode are in force again.
func TestInForceAfterASummary(t *testing.T) {
	s := newService(t, says("one"), says("two"), counts(text(0, aSummary), end("end_turn")), says("three"))
	home := t.TempDir()
	ch := openChat(t, s, mode(session.ModePlan), func(o *Options, _ *session.OpenOptions) { o.Styles = &style.Finder{Dirs: []string{home}} })
	ch.file("AGENTS.md", "MARK-tabs")
	ch.send("/output-style learning")
	ch.send("first")
	ch.file("AGENTS.md", "MARK-spaces")
	ch.send("second")
	ch.send("/compact")
	ch.send("third")
	all := s.requests()
	last := all[len(all)-1]
	for text, want := range map[string]bool{"MARK-spaces": true, "MARK-tabs": false, "output style Learning": true, "Plan mode is on": true} {
		if got := strings.Contains(last, text); got != want {
			t.Errorf("%q is there: %v", text, got)
		}
	}
}
