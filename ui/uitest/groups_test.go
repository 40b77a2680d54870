package uitest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

// look reads files and searches, one of which fails.
func look(turn *sessiontest.Turn) {
	turn.Tool("Read", `{"file_path":"/home/ada/src/acme/upload_test.go"}`, strings.Repeat("line\n", 214))
	turn.Tool("Read", `{"file_path":"/home/ada/src/acme/retry.go"}`, "package acme\n")
	turn.Tool("Grep", `{"pattern":"NewTimer"}`, "retry.go:42\nretry.go:60\n")
	turn.Tool("Grep", `{"pattern":"backoff"}`, "retry.go:40\n")
	gone := turn.StartTool("Read", `{"file_path":"/home/ada/src/acme/timer.go"}`)
	turn.Emit(session.ToolEnded{Call: gone, Outcome: session.ToolFailed, Result: session.ToolResult{Text: "no such file"}})
}

// TestGroupScreens reads and searches several times in a row: one row while it runs and after, which opens; a failure has a
// row to itself.
func TestGroupScreens(t *testing.T) {
	for _, size := range []struct {
		w, h  int
		light bool
	}{{80, 24, false}, {120, 40, false}, {40, 12, false}, {80, 24, true}} {
		name := fmt.Sprintf("%dx%d", size.w, size.h)
		if size.light {
			name += "-light"
		}
		t.Run(name, func(t *testing.T) {
			Run(t, Config{Width: size.w, Height: size.h, Settings: opus, Options: func(o *ui.Options) { o.Light = size.light }}, func(p *Program) {
				p.Type(question)
				turn := p.Turn()
				look(turn)
				turn.Tool("Read", `{"file_path":"/home/ada/src/acme/client.go"}`, "package acme\n")
				slow := turn.StartTool("Grep", `{"pattern":"Timer","path":"/home/ada/src"}`)
				p.Pass(3 * time.Second)
				p.Golden("group-running-" + name)
				turn.Emit(session.ToolEnded{Call: slow, Outcome: session.ToolOK, Result: session.ToolResult{Text: "many\n"}})
				turn.Text("It starts too late.")
				turn.End(session.TurnCompleted)
				p.Settle()
				p.Golden("group-done-" + name)
				p.Keys("ctrl+up", "tab")
				p.Keys("ctrl+up", "ctrl+up", "tab")
				p.Golden("group-open-" + name)
			})
		})
	}
}

// TestGroupsResumed compares grouped calls with the same ones resumed by a new process, and in a session that shows each call
// in its row.
func TestGroupsResumed(t *testing.T) {
	var before string
	var id session.ID
	world := library()
	Run(t, Config{Width: 100, Height: 30, World: world, Settings: opus}, func(p *Program) {
		id = p.Session.ID()
		p.Type(question)
		turn := p.Turn()
		look(turn)
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Settle()
		before = p.Text()
	})
	resumed := func(separate bool) (text string) {
		c := Config{Width: 100, Height: 30, World: world.AfterCrash(), Settings: opus}
		c.Options = func(o *ui.Options) { o.Appearance.SeparateTools = separate }
		c.Session = func(m *live.Manager) *live.Session {
			s, err := m.Resume(context.Background(), id)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		Run(t, c, func(p *Program) { text = p.Text() })
		return text
	}
	if again := resumed(false); again != before || !strings.Contains(before, "read 2 files, searched twice") {
		t.Errorf("live:\n%s\n\nresumed:\n%s", before, again)
	}
	if apart := resumed(true); strings.Contains(apart, "2 files") || strings.Count(apart, "• read ") != 2 || strings.Count(apart, "• searched ") != 2 {
		t.Errorf("each call in its row:\n%s", apart)
	}
}

// TestNotesStandAtTheEdgeOfTheHeader compares the right ends of rows with that of the header at every width.
func TestNotesStandAtTheEdgeOfTheHeader(t *testing.T) {
	const last = 240
	each := repeat.Times(101, 51, 1) // widths of one program, whose window is resized
	for first := 40; first <= last; first += each {
		Run(t, Config{Width: first, Height: 24, Settings: opus}, func(p *Program) {
			p.Type("hi")
			turn := p.Turn()
			turn.Reasoning(6*time.Second, "Two words.")
			turn.Tool("Read", `{"file_path":"/home/ada/src/acme/a.go"}`, "one\ntwo\n")
			turn.Tool("Bash", `{"command":"ls"}`, "one\n")
			look(turn)
			turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Edit"}})
			p.Settle()
			for w := first; w < first+each && w <= last; w++ {
				if w > first {
					p.Resize(w, 24)
				}
				notesEnd(p, w-2)
			}
		})
	}
}

// notesEnd checks that the notes of rows end in a column, and that there are some.
func notesEnd(p *Program, column int) {
	p.T.Helper()
	notes := 0
	for _, row := range p.Rows() {
		for _, note := range []string{"2 lines", "1 line", "failed, 1 line", "asks", "shows", " tab"} {
			if strings.HasSuffix(row, note) && (strings.HasPrefix(row, "•") || strings.HasPrefix(row, "✗")) {
				notes++
				if n := len([]rune(row)); n != column {
					p.T.Errorf("a note ends in column %d, not in %d: %q", n, column, row)
				}
			}
		}
	}
	if notes < 3 {
		p.T.Errorf("%d notes end in column %d of\n%s", notes, column, p.Text())
	}
}
