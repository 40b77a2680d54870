package uitest

import (
	"strings"
	"testing"

	"parley/session"
	"parley/ui/keymap"
)

// A list in lines is chosen from by the number that was printed, by a name or by words; anything else chooses nothing.
func TestListsInLines(t *testing.T) {
	RunLines(t, Config{World: library(), Settings: opus, Options: withCatalog(catalog{})}, func(l *Lines) {
		says := func(line string, want ...string) {
			t.Helper()
			l.News()
			l.Type(line)
			l.Settle()
			said := l.News()
			for _, w := range want {
				if !strings.Contains(said, w) {
					t.Errorf("%s does not say %q:\n%s", line, w, said)
				}
			}
		}
		says("/model 3", "note: model gpt-5.5") // the list is read first
		says("/model 9", "There is no model 9")
		says("/model 4", "a policy of your organization")
		if got := l.Session.Settings().Model; got != "gpt-5.5" {
			t.Errorf("model %q", got)
		}
		says("/mode 2", "accept edits mode")
		says("/mode", "mode 2: accept edits", "in use")
		says("/mode nosuch", "No mode nosuch")
		says("/effort", "effort 1: model default", "effort 4: high, in use")
		says("/usage", "note: ")
		says("/palette", "/palette needs the screen")
		says("/resume nothing like it", `No session matches "nothing like it"`)
	})
}

// What waits is listed by number; a number takes one out, and words that match nothing take nothing.
func TestQueueInLines(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("begin")
		turn := l.Agent.Turn(l.T)
		l.Type("first thing")
		l.Type("second thing")
		l.Settle()
		l.News()
		l.Type("/queue")
		if said := l.News(); !strings.Contains(said, "prompt 1: first thing") || !strings.Contains(said, "prompt 2: second thing") {
			t.Errorf("listed:\n%s", said)
		}
		l.Type("/queue nonsense")
		l.Settle()
		if n := len(queued(l)); n != 2 {
			t.Fatalf("%d wait:\n%s", n, l.Said())
		}
		l.Type("/queue 1")
		l.Settle()
		if q := queued(l); len(q) != 1 || q[0] != "second thing" {
			t.Errorf("%q wait:\n%s", q, l.Said())
		}
		l.Type("/queue drop")
		l.Settle()
		if n := len(queued(l)); n != 0 {
			t.Errorf("%d wait", n)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
	})
}

// Every command of the screen is answered in lines, in a session in which nothing was said and after a turn.
func TestEveryCommandInLines(t *testing.T) {
	RunLines(t, Config{World: library(), Settings: opus, Options: withCatalog(catalog{})}, func(l *Lines) {
		all := func() {
			for _, c := range keymap.Commands {
				if c.Name == "quit" || c.Name == "new" || c.Name == "clear" {
					continue
				}
				l.News()
				l.Type("/" + c.Name)
				l.Settle()
				if said := l.News(); len(strings.Split(strings.TrimSpace(said), "\n")) < 2 || strings.Contains(said, "no command") {
					t.Errorf("/%s says nothing:\n%s", c.Name, said)
				}
			}
		}
		all()
		l.Type("hello")
		turn := l.Agent.Turn(l.T)
		turn.Text("Hello.")
		turn.End(session.TurnCompleted)
		l.Settle()
		all()
	})
}

// queued returns the prompts that wait in the session.
func queued(l *Lines) (all []string) {
	var t session.Transcript
	history, detach := l.Session.Attach(func(session.Event) {})
	detach()
	for _, e := range history {
		t.Apply(e)
	}
	for _, p := range t.Queue {
		all = append(all, p.Text)
	}
	return all
}

// TestPlainFindsWords lists the sessions in which words were said, with the passages.
func TestPlainFindsWords(t *testing.T) {
	w := shelf()
	for _, id := range []session.ID{"s6", "s7"} {
		h := session.Head{Session: id, Turn: "t"}
		w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: Dir, Title: "Tidy the cellar", Turns: 1},
			session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "Where is the Thermostat of the boiler?"}}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
	}
	RunLines(t, Config{World: w}, func(l *Lines) {
		l.Type("/resume thermostat")
		l.Settle()
		l.Golden("plain-resume-words")
	})
}
