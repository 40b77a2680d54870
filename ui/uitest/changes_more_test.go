package uitest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/changes"
	"parley/ui"
)

// A log without changes, and one that cannot be read, say so; without a log there is no command.
func TestChangesWithoutRows(t *testing.T) {
	r := &record{}
	Run(t, Config{Options: withChanges(r)}, func(p *Program) {
		p.Type("/changes")
		p.Settle()
		p.Keys("u", "a", "enter", "s", "tab", "down", "e", "y")
		if !p.Has("No file was changed in this session.") {
			t.Errorf("an empty log:\n%s", p.Text())
		}
		p.Keys("esc")
		r.err = errors.New("locked\x1b[31m")
		p.Type("/changes")
		p.Settle()
		if !p.Has("Couldn't read the changes of this session: locked␛[31m") {
			t.Errorf("a log that cannot be read:\n%s", p.Text())
		}
	})
	Run(t, Config{}, func(p *Program) {
		p.Type("/changes")
		if !p.Has("Changes to files are not recorded here.") {
			t.Errorf("no log:\n%s", p.Text())
		}
		p.Keys("alt+e")
		p.Send("/cha")
		p.Settle()
		if p.Has("keep and undo what agents did") {
			t.Errorf("a command that can do nothing is offered:\n%s", p.Text())
		}
	})
}

// While the panel is open the log grows: the rows follow, and the selection stays. The header counts what is not accepted, and
// a click there opens the panel.
func TestChangesFollowTheSession(t *testing.T) {
	r := &record{}
	Run(t, Config{Width: 120, Height: 40, Options: withChanges(r)}, func(p *Program) {
		work(p, r)
		p.Type("/changes")
		p.Settle()
		p.Keys("end", "up")
		if _, err := p.Session.Send(session.Prompt{Text: "go on"}); err != nil { // behind the panel
			t.Fatal(err)
		}
		turn := p.Turn()
		turn.Tool("Edit", `{"file_path":"`+Dir+`/new.go"}`, "")
		r.add(turn.ID, Dir+"/new.go", "", "package upload\n")
		turn.Emit(session.FilesChanged{Unaccepted: 5})
		p.Settle()
		if !p.Has("new.go") || !p.Has("❯   ● upload/retry.go") || !p.Has("5 files changed") {
			t.Errorf("the log grew:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Keys("esc")
		p.Settle()
		x, y := p.Find("5 files changed")
		if y != 0 {
			t.Fatalf("the header does not count:\n%s", p.Text())
		}
		p.Golden("changes-header")
		p.Click(x+3, y, 1)
		if !p.Has("Changes   ") || !p.Has("enter read") {
			t.Errorf("a click on the count:\n%s", p.Text())
		}
		p.Keys("esc")
		for width, want := range map[int]string{80: "5 changed", 46: "±5"} {
			p.Resize(width, 20)
			if x, y := p.Find(want); y != 0 || x < width/2 {
				t.Errorf("at %d columns:\n%s", width, p.Text())
			}
		}
	})
}

// The key opens the panel at the file of the call on the screen; the pane scrolls, jumps and leaves.
func TestChangesOpenAtACall(t *testing.T) {
	r := &record{}
	Run(t, Config{Width: 80, Height: 24, Options: withChanges(r)}, func(p *Program) {
		p.Type("go")
		turn := p.Turn()
		call := turn.StartTool("Edit", `{"file_path":"`+Dir+`/b.go"}`)
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK, Edits: []session.FileEdit{{Path: Dir + "/b.go", Added: 1, Patch: "@@ -1,1 +1,2 @@\n a\n+b\n"}}})
		turn.Text("done")
		turn.End(session.TurnCompleted)
		p.Settle()
		r.add(turn.ID, Dir+"/a.go", "", "a\n")
		long := strings.Repeat("line\n", 100)
		r.add(turn.ID, Dir+"/b.go", long+"end\n", "first\n"+long+"last\n", func(c *changes.Change) { c.Call = call })
		r.patches = map[string]string{Dir + "/b.go": "@@ -1,1 +1,2 @@\n+first\n line\n" + "@@ -50,30 +51,30 @@\n" + strings.Repeat(" line\n", 29) + "-x\n+changed\n" +
			"@@ -100,2 +101,2 @@\n line\n-end\n+last\n"}
		p.Keys("alt+e")
		p.Settle()
		if !p.Has("❯   ● b.go") {
			t.Fatalf("not at the call:\n%s", p.Text())
		}
		p.Keys("enter", "n")
		if !p.Has("51   line") || p.Has("first") {
			t.Errorf("the next change:\n%s", p.Text())
		}
		p.Keys("p")
		if !p.Has("first") {
			t.Errorf("the previous change:\n%s", p.Text())
		}
		p.Keys("end")
		if !p.Has("last") || p.Has("first") {
			t.Errorf("the end:\n%s", p.Text())
		}
		p.Keys("esc")
		if !p.Has("❯   ● b.go") {
			t.Errorf("back in the list:\n%s", p.Text())
		}
		p.Keys("alt+e")
		if p.Has("Changes   ") {
			t.Errorf("the key does not close the panel:\n%s", p.Text())
		}
	})
}

// The editor opens the file, the path is copied, clicks choose and the wheel scrolls.
func TestChangesHandsOutFiles(t *testing.T) {
	r, opened := &record{}, ""
	Run(t, Config{Width: 120, Height: 30, Options: func(o *ui.Options) {
		withChanges(r)(o)
		o.Editor = EditorFunc(func(path string, _ io.Reader, _, _ io.Writer) error { opened = path; return nil })
	}}, func(p *Program) {
		work(p, r)
		p.Type("/changes")
		p.Settle()
		p.Keys("e")
		if !p.Has("Choose a file of this turn first.") || opened != "" {
			t.Errorf("the editor opened %q:\n%s", opened, p.Text())
		}
		x, y := p.Find("upload/old_client.go")
		p.Click(x, y, 1)
		p.Keys("e")
		if !p.Has("upload/old_client.go isn't there: it was removed.") {
			t.Errorf("the editor opened %q:\n%s", opened, p.Text())
		}
		p.Click(x, y-1, 1)
		p.Keys("y")
		p.Settle()
		if text, _ := p.Copied(); text != Dir+"/upload/retry.go" {
			t.Errorf("copied %q:\n%s", text, p.Text())
		}
		p.Keys("ctrl+g")
		p.Pass(time.Second)
		if opened != Dir+"/upload/retry.go" {
			t.Errorf("the editor opened %q", opened)
		}
		p.Keys("x") // swallowed with the pipe of the editor
		p.Wheel(1)
		if !p.Has("❯   ● upload/old_client.go") {
			t.Errorf("the wheel does not choose:\n%s", p.Text())
		}
	})
}

// Of thousands of changes only what is on the screen is compared and laid out.
func TestManyChangesStayQuick(t *testing.T) {
	r := &record{}
	Run(t, Config{Width: 120, Height: 40, Options: withChanges(r)}, func(p *Program) {
		ids := talkAbout(p, "one", "two")
		for i := range 5000 {
			r.add(ids[i%2], fmt.Sprintf("%s/f%04d.go", Dir, i), "a\n", fmt.Sprintf("b%d\n", i))
		}
		p.Type("/changes")
		p.Settle()
		p.Keys("end", "home", "down", "down", "enter", "end", "esc", "tab", "end")
		if n := len(r.asked); n > 400 {
			t.Errorf("%d of 5,000 files were compared", n)
		}
		if !p.Has("❯ ● f4999.go") {
			t.Errorf("the end of the list:\n%s", p.Text())
		}
		before := p.Counts().Layouts
		p.Keys("up", "up", "up", "up")
		if n := p.Counts().Layouts - before; n > 8 {
			t.Errorf("four rows further, %d layouts were made", n)
		}
	})
}

// A long difference is laid out piece by piece.
func TestLongDifferenceStaysQuick(t *testing.T) {
	r := &record{}
	Run(t, Config{Width: 120, Height: 40, Options: withChanges(r)}, func(p *Program) {
		ids := talkAbout(p, "one")
		p.Resize(120, 40)
		r.add(ids[0], Dir+"/long.go", "a\n", "b\n")
		r.patches = map[string]string{Dir + "/long.go": "@@ -1,10000 +1,10000 @@\n" + strings.Repeat("-\tfmt.Println(\"old\")\n", 10000) + strings.Repeat("+\tfmt.Println(\"new\")\n", 10000)}
		p.Settle()
		before := p.Counts().Layouts
		p.Type("/changes")
		p.Settle()
		p.Keys("down", "enter", "pgdown", "pgdown", "end")
		if n := p.Counts().Layouts - before; n > 20 {
			t.Errorf("%d layouts were made", n)
		}
		if !p.Has("10000 +     fmt.Println(\"new\")") {
			t.Errorf("the end:\n%s", p.Text())
		}
		p.Keys("s", "end")
		p.Settle()
		if !p.Has("10000 -     fmt.Println(\"old\")") || !p.Has("10000 +     fmt.Println(\"new\")") {
			t.Errorf("side by side, the end:\n%s", p.Text())
		}
	})
}

// Nothing in a path, a prompt, a command, a reason or a file drives the terminal, at any size.
func TestChangesDriveNoTerminal(t *testing.T) {
	const evil = "\x1b]0;x\x07\x1b[31m\u009b32m\u202e\u2066\r\n👩‍👩‍👧‍👦\t"
	for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 30}} {
		for _, inline := range []bool{false, true} {
			r := &record{}
			Run(t, Config{Width: size[0], Height: size[1], Options: func(o *ui.Options) { withChanges(r)(o); o.Appearance.Inline = inline }}, func(p *Program) {
				ids := talkAbout(p, "hello", "again")
				path := Dir + "/" + strings.Repeat("deep"+evil+"/", 12) + "name.go"
				r.add(ids[0], path, "a\n", evil+"\n"+strings.Repeat("wide 界", 80)+evil, func(c *changes.Change) { c.Command = "x" + evil })
				r.add(ids[1], path, "a\n", "b"+evil, func(c *changes.Change) { c.Unsure = "why" + evil })
				r.lost = map[string][]changes.Loss{path: {{By: "you" + evil, From: r.file("x\n"), To: r.file(evil)}}}
				p.Type("/changes")
				p.Settle()
				for _, k := range []string{"down", "u", "pgdown", "esc", "enter", "s", "n", "end", "esc", "tab", "down", "?", "y", "x"} {
					p.Keys(k)
					p.Settle()
					for _, row := range p.Rows() {
						if n := len([]rune(row)); n > size[0] && !strings.Contains(row, "👩") && !strings.Contains(row, "界") {
							t.Errorf("a row has %d cells after %s: %q", n, k, row)
						}
					}
				}
				r.refused = map[string]string{path: "No" + evil}
				p.Keys("esc", "u")
				p.Settle()
				raw := p.Raw()
				for _, bad := range []string{"\u009b", "\u202e", "\u2066", "\x1b]0;x"} {
					if i := strings.Index(raw, bad); i >= 0 {
						t.Errorf("%q reached the terminal in %q", bad, raw[max(0, i-40):min(len(raw), i+40)])
					}
				}
			})
		}
	}
}

// Keys, clicks and sizes at random, while the log grows: nothing breaks, and escape leaves.
func TestChangesTakeAnyKey(t *testing.T) {
	names := []string{"up", "down", "pgup", "pgdown", "home", "end", "enter", "esc", "left", "right", "tab", "n", "p", "a", "x", "u", "r", "y", "s", "?", "g", "G", "j", "k", "q",
		"space", "ctrl+g", "alt+e", "ctrl+up", "ctrl+down", "alt+v"}
	for seed := range uint64(repeat.Times(4, 4, 8)) {
		r := &record{}
		Run(t, Config{Options: func(o *ui.Options) {
			withChanges(r)(o)
			o.Editor = EditorFunc(func(string, io.Reader, io.Writer, io.Writer) error { return nil })
			o.Appearance.Inline = seed%4 == 3
		}}, func(p *Program) {
			random := rand.New(rand.NewPCG(seed, 3))
			work(p, r)
			withLosses(r)
			p.Type("/changes")
			w, h := 80, 24
			for i := range 200 {
				switch n := random.IntN(16); {
				case n < 12:
					name := names[random.IntN(len(names))]
					if seq, ok := keys[name]; ok {
						name = seq
					}
					p.Send(name)
				case n == 12:
					p.Press(random.IntN(w), random.IntN(h))
					p.Release(0, 0)
				case n == 13:
					w, h = 30+random.IntN(120), 8+random.IntN(40)
					p.Resize(w, h)
				case n == 14:
					r.add("elsewhere", fmt.Sprintf("%s/f%d.go", Dir, i%9), fmt.Sprint("a", i), fmt.Sprint("b", i))
					p.Wheel(random.IntN(5) - 2)
				default:
					p.Pass(time.Duration(random.IntN(900)) * time.Millisecond)
				}
			}
			p.Resize(80, 24)
			p.Settle()
			for range 6 {
				p.Keys("esc")
			}
			p.Keys("ctrl+u")
			p.Send("written at last")
			p.Settle()
			if !p.Has("written at last") {
				t.Errorf("seed %d: the keyboard does not write:\n%s", seed, p.Text())
			}
			p.Pass(30 * time.Second)
			before := p.Counts()
			p.Pass(time.Minute)
			if now := p.Counts(); now != before {
				t.Errorf("seed %d: something goes on: %+v became %+v", seed, before, now)
			}
		})
	}
}
