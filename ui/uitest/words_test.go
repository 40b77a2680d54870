package uitest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// What did not happen is not told as if it had.
func TestCallsThatDidNothing(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		read := turn.StartTool("Read", `{"file_path":"missing.txt"}`)
		turn.Emit(session.ToolEnded{Call: read, Outcome: session.ToolFailed, Result: session.ToolResult{Text: "missing.txt does not exist."}})
		run := turn.StartTool("Bash", `{"command":"make"}`)
		turn.Emit(session.ToolEnded{Call: run, Outcome: session.ToolFailed,
			Result: session.ToolResult{Text: "no rule", ExitCode: code(2), Summary: "1 line"}})
		in := `{"file_path":"a.txt","content":"x"}`
		write := turn.StartTool("Write", in)
		turn.Ask(session.Asked{Call: write, Permission: &session.PermissionAsk{Tool: "Write", Input: json.RawMessage(in), Path: "a.txt"}})
		p.Pass(time.Second)
		p.Keys("esc")
		turn.Emit(session.ToolEnded{Call: write, Outcome: session.ToolCancelled})
		turn.End(session.TurnCancelled)
		p.Settle()
		for _, want := range []string{"could not read missing.txt", "ran make", "exit 2", "wanted to write a.txt"} {
			if !p.Has(want) {
				t.Errorf("%q is not shown:\n%s", want, p.Text())
			}
		}
	})
}

// A notice is shown for a moment only, so that it does not hide what the agent does.
func TestFlashesPass(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		turn.Text("I will")
		p.Keys("shift+tab")
		if !p.Has("accept edits mode") || p.Has("esc to stop") {
			t.Errorf("the new mode is not told:\n%s", p.Text())
		}
		p.Pass(5 * time.Second)
		if !p.Has("esc to stop") {
			t.Errorf("what runs stays hidden:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// Nothing on the help screen is cut where there are rows to say it on.
func TestHelpSaysAll(t *testing.T) {
	eachSize(t, Config{}, func(p *Program, size string) {
		p.Keys("?")
		all := p.Text()
		p.Keys("pgdown", "pgdown")
		all += p.Text()
		if strings.Contains(all, "…") {
			t.Errorf("something is cut:\n%s", all)
		}
	})
}

// Hints are said whole or not at all.
func TestHintsAreNotCut(t *testing.T) {
	Run(t, Config{Settings: opus, Width: 60, Height: 20}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		turn.OpenPart(session.PartText, strings.Repeat("line\n\n", 60))
		p.Pass(3 * time.Second)
		p.Keys("pgup")
		if !p.Has("below · ctrl+end  esc to stop") || !p.Has("Writing  3s") || p.Has("…") {
			t.Errorf("the hints beside each other:\n%s", p.Text())
		}
		p.Resize(40, 12)
		if !p.Has("Writing  3s") || !p.Has("↓ more  esc to stop") || p.Has("·…") {
			t.Errorf("the hints in a narrow window:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// The demo shows what to do until the user does something.
func TestDemoSaysHowToBegin(t *testing.T) {
	Run(t, Config{Settings: opus, Options: func(o *ui.Options) { o.Demo = true }}, func(p *Program) {
		p.Pass(time.Minute)
		if !p.Has("Demo: the model is a script, all else is real. Type anything to start.") {
			t.Errorf("nothing says how to begin:\n%s", p.Text())
		}
		p.Type("hello")
		turn := p.Turn()
		turn.Text("I will")
		p.Settle()
		if p.Has("Type anything") || !p.Has("esc to stop") {
			t.Errorf("it stays:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
