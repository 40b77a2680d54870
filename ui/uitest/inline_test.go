package uitest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

// inlined makes the screen an inline one.
func inlined(o *ui.Options) { o.Appearance.Inline = true }

// Everything is what the terminal remembers: what was scrolled away and what it shows, without blank rows at the end.
func (s *Screen) Everything() []string {
	rows := s.Rows()
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for y := range s.emu.ScrollbackLen() {
		var b strings.Builder
		for x := range s.emu.Width() {
			switch c := s.emu.ScrollbackCellAt(x, y); {
			case c == nil || c.Content == "" && c.Width > 0:
				b.WriteByte(' ')
			case c.Width > 0:
				b.WriteString(c.Content)
			}
		}
		all = append(all, strings.TrimRight(b.String(), " "))
	}
	all = append(all, rows...)
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// GoldenLines compares what the terminal remembers with testdata/NAME.screen, or with -update writes it.
func (p *Program) GoldenLines(name string) {
	p.T.Helper()
	file := filepath.Join("testdata", name+".screen")
	text := "|" + strings.Join(p.Everything(), "\n|") + "\n"
	if updating() {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			p.T.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		p.T.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		p.T.Errorf("%s differs (-want +got); go test ./ui/uitest -update accepts it:\n%s", file, diff)
	}
}

// TestInline plays a turn with everything in it and looks at what the terminal remembers.
func TestInline(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			Run(t, Config{Width: size[0], Height: size[1], Settings: opus, Options: func(o *ui.Options) {
				inlined(o)
				fmt.Fprint(o.Output, "$ ls\r\nREADME.md\r\n$ parley --screen inline\r\n")
			}}, func(p *Program) {
				p.Send("why does the upload test fail?")
				p.GoldenLines("inline-empty-" + name)
				p.Keys("enter")
				turn := p.Turn()
				turn.Reasoning(4*time.Second, "Let me look.")
				turn.Tool("Read", `{"file_path":"/home/ada/src/acme/upload_test.go"}`, "a\nb\n")
				turn.Text("It is a race. ", "The timer starts *after* the answer.\n\n", "1. start it first\n2. stop it ")
				p.Settle()
				p.GoldenLines("inline-streaming-" + name)
				turn.Text("last\n")
				answer := editAsk(turn)
				p.Pass(time.Second)
				p.GoldenLines("inline-asks-" + name)
				p.Keys("y")
				got(p, answer)
				turn.End(session.TurnCompleted)
				p.Settle()
				p.GoldenLines("inline-done-" + name)
				p.Keys("ctrl+d")
				p.Left()
				p.GoldenLines("inline-left-" + name)
				p.checkModes()
			})
		})
	}
}

// checkModes checks that an inline screen took no screen and gave back what it took.
func (p *Program) checkModes() {
	p.T.Helper()
	raw := p.Raw()
	for _, m := range []string{"\x1b[?1049h", "\x1b[2J", "\x1b[3J", "\x1b[?1000h", "\x1b[?1002h"} {
		if strings.Contains(raw, m) {
			p.T.Errorf("an inline screen wrote %q", m)
		}
	}
	for _, m := range modesGivenBack[1:] {
		if !strings.Contains(raw, m) {
			p.T.Errorf("%q is missing at the end", m)
		}
	}
}

// numbered is an answer of so many paragraphs.
func numbered(n int) []string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf("Paragraph number %d of the answer.\n\n", i+1))
	}
	return parts
}

// numbers finds the numbers of the paragraphs in rows, in their order.
func numbers(rows []string) (found []int) {
	for _, r := range rows {
		var n int
		if _, err := fmt.Sscanf(strings.TrimSpace(r), "Paragraph number %d", &n); err == nil {
			found = append(found, n)
		}
	}
	return found
}

// Everything that was said is in the scrollback once, in order, however long it is and however the window changes.
func TestInlineSaysEverythingOnce(t *testing.T) {
	for seed := range uint64(repeat.Times(2, 3, 8)) {
		Run(t, Config{Options: func(o *ui.Options) {
			inlined(o)
			in("XTERM_VERSION=390")(o) // which cuts rows that have become too wide, as the emulator does
		}}, func(p *Program) {
			r := rand.New(rand.NewPCG(seed, 3))
			p.Type("count")
			turn := p.Turn()
			part := turn.OpenPart(session.PartText)
			for _, s := range numbered(60) {
				turn.Emit(session.PartDelta{Part: part, Text: s[:9]}, session.PartDelta{Part: part, Text: s[9:]})
				if r.IntN(3) == 0 {
					p.Settle()
				}
				if r.IntN(12) == 0 {
					p.resizeAsTerminalsDo(80+r.IntN(30), 16+r.IntN(20))
				}
				if r.IntN(9) == 0 {
					p.Send("x")
				}
			}
			turn.Emit(session.PartEnded{Part: part})
			turn.End(session.TurnCompleted)
			p.Settle()
			p.Signals <- syscall.SIGTERM
			p.Left()
			all := p.Everything()
			got := numbers(all)
			for i := range 60 {
				if len(got) != 60 || got[i] != i+1 {
					t.Fatalf("seed %d: paragraphs %v:\n%s", seed, got, strings.Join(all, "\n"))
				}
			}
		})
	}
}

// resizeAsTerminalsDo changes the size. In a window that gets lower, terminals scroll until the cursor is in it again; the
// emulator cuts instead.
func (p *Program) resizeAsTerminalsDo(w, h int) {
	synctest.Wait() // what is being written belongs to the old size
	p.Screen.mu.Lock()
	at, high := p.Screen.emu.CursorPosition(), p.Screen.emu.Height()
	if by := at.Y - h + 1; by > 0 {
		fmt.Fprintf(p.Screen.emu, "\x1b[%dH%s\x1b[%d;%dH", high, strings.Repeat("\n", by), at.Y-by+1, at.X+1)
	}
	p.Screen.emu.Resize(w, h)
	p.Screen.mu.Unlock()
	p.model.Resized(w, h)
	p.Settle()
}

// What stood on the terminal before stays, above everything.
func TestInlineLeavesWhatWasThere(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) {
		inlined(o)
		for i := range 30 {
			fmt.Fprintf(o.Output, "line %d\r\n", i)
		}
	}}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text(strings.Join(numbered(30), ""))
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("f1") // a view that covers the screen
		p.Keys("esc")
		p.Signals <- syscall.SIGTERM
		p.Left()
		all := p.Everything()
		for i := range 30 {
			if i >= len(all) || all[i] != fmt.Sprintf("line %d", i) {
				t.Fatalf("row %d is gone:\n%s", i, strings.Join(all, "\n"))
			}
		}
	})
}

// A long change that is asked about can be read whole, although an inline frame does not scroll.
func TestInlineShowsAllThatIsAskedAbout(t *testing.T) {
	Run(t, Config{Options: inlined}, func(p *Program) {
		p.Type("plan it")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: strings.Join(numbered(40), "")}})
		p.Pass(time.Second)
		if got := numbers(p.Everything()); len(got) < 40 || got[0] != 1 || got[39] != 40 {
			t.Errorf("of the plan there is %v:\n%s", got, strings.Join(p.Everything(), "\n"))
		}
		p.Keys("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
		p.GoldenLines("inline-plan")
	})
}

// Tab writes what is folded below the rest.
func TestInlineWritesWhatIsFolded(t *testing.T) {
	Run(t, Config{Options: inlined}, func(p *Program) {
		p.Type("list")
		turn := p.Turn()
		turn.Tool("Bash", `{"command":"seq 3"}`, "one\ntwo\nthree\n")
		turn.Tool("Bash", `{"command":"seq 2"}`, "four\nfive\n")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Keys("tab", "tab", "tab")
		p.GoldenLines("inline-folded")
	})
}

// A conversation that is picked up again is written, but not all of a long one.
func TestInlineResumes(t *testing.T) {
	w := sessiontest.NewWorld()
	const id = "0194a000-0000-7000-8000-000000000500"
	w.Journals.Put(session.Meta{ID: id, Agent: "builtin", Dir: Dir}, longPast(id, 500)...)
	Run(t, Config{World: w, Options: inlined, Session: func(m *live.Manager) *live.Session {
		s, err := m.Resume(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}}, func(p *Program) {
		all := p.Everything()
		if n := len(all); n > 450 || n < 300 {
			t.Errorf("%d rows were written", n)
		}
		if !strings.Contains(strings.Join(all, "\n"), "earlier rows · /export saves everything") {
			t.Errorf("it does not say that there is more:\n%s", strings.Join(all[:5], "\n"))
		}
	})
}

// A key costs a few bytes and no layout, however long the conversation is.
func TestInlineKeysAreCheap(t *testing.T) {
	Run(t, Config{Options: inlined}, func(p *Program) {
		p.Type("count")
		turn := p.Turn()
		turn.Text(strings.Join(numbered(200), ""))
		turn.End(session.TurnCompleted)
		p.Settle()
		before := p.Bytes()
		for range 10 {
			p.Send("x")
		}
		p.Settle()
		if n := p.Bytes() - before; n > 200 {
			t.Errorf("ten keys took %d bytes", n)
		}
	})
}

// What covers the chat takes no more rows than it needs, half of the window at most, and leaves nothing behind.
func TestInlinePickersStayLow(t *testing.T) {
	Run(t, Config{Width: 80, Height: 30, Options: inlined}, func(p *Program) {
		p.Type("count")
		turn := p.Turn()
		turn.Text(strings.Join(numbered(12), ""))
		turn.End(session.TurnCompleted)
		p.Settle()
		for _, open := range []string{"/mode", "/resume", "/palette", "/help"} {
			p.Type(open)
			p.Settle()
			rows := p.Everything()
			at := slices.IndexFunc(rows, func(r string) bool { return strings.HasPrefix(r, "  Paragraph number 12") })
			if n := len(rows) - at - 2; at < 0 || n > 16 || open == "/mode" && n > 8 {
				t.Errorf("%s takes %d rows:\n%s", open, n, strings.Join(rows, "\n"))
			}
			p.Keys("esc")
			p.Settle()
		}
		p.GoldenLines("inline-pickers-closed")
		p.Type("/mode")
		p.Settle()
		p.GoldenLines("inline-picker")
	})
}
