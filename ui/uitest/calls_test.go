package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestWaitingCallsDoNotRun shows no call as running that the model still writes, that waits for permission, or that waits
// behind one that does.
func TestWaitingCallsDoNotRun(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		turn.Emit(session.ToolStarted{Call: "one", Name: "Bash"}, session.ToolInput{Call: "one", Fragment: `{"command":"mkdir on`})
		p.Pass(5 * time.Second)
		if p.Has("running mkdir") || !p.Has("wants to run mkdir") {
			t.Errorf("a call that the model writes runs:\n%s", p.Text())
		}
		turn.Emit(session.ToolReady{Call: "one", Input: []byte(`{"command":"mkdir one"}`)})
		_, answer := turn.Ask(session.Asked{Call: "one", Permission: &session.PermissionAsk{Tool: "Bash", Command: "mkdir one"}})
		two := turn.StartTool("Bash", `{"command":"mkdir two"}`)
		p.Pass(5 * time.Second)
		if p.Has("running") || !p.Has("wants to run mkdir two") {
			t.Errorf("calls run before they may:\n%s", p.Text())
		}
		p.Answer("y")
		got(p, answer)
		p.Settle()
		if !p.Has("running mkdir one") || !p.Has("running mkdir two") || p.Has("mkdir one  5s") {
			t.Errorf("what runs by now does not, or has run while it waited:\n%s", p.Text())
		}
		turn.Emit(session.ToolEnded{Call: "one", Outcome: session.ToolOK}, session.ToolEnded{Call: two, Outcome: session.ToolOK})
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestStoppedWhileItWaited shows no call as having run that was stopped while it waited behind one that was asked about.
func TestStoppedWhileItWaited(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		one := turn.StartTool("Bash", `{"command":"mkdir one"}`)
		turn.Ask(session.Asked{Call: one, Permission: &session.PermissionAsk{Tool: "Bash", Command: "mkdir one"}})
		turn.StartTool("Bash", `{"command":"mkdir two"}`)
		p.Pass(5 * time.Second)
		turn.End(session.TurnCancelled)
		p.Settle()
		if p.Has("running mkdir") || !p.Has("wanted to run mkdir one") || !p.Has("wanted to run mkdir two") || p.Has("two  5s") {
			t.Errorf("it says that something ran:\n%s", p.Text())
		}
	})
}

// TestEndOfOutput shows the last lines of a command that runs and of one that failed, more of them by key, and that a
// command has more lines than its row shows.
func TestEndOfOutput(t *testing.T) {
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("line %02d", i))
	}
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		call := turn.StartTool("Bash", `{"command":"make\nmake install\nmake clean"}`)
		turn.Emit(session.ToolOutput{Call: call, Text: strings.Join(lines, "\n")})
		p.Settle()
		last := func(when, first, more string) {
			t.Helper()
			if p.Has("line 06") || !p.Has(first) || !p.Has("line 11") || !p.Has(more+"  tab") {
				t.Errorf("%s: the last lines are not shown, or not how to see more:\n%s", when, p.Text())
			}
			if !p.Has("make … +2 lines") {
				t.Errorf("%s: it does not say that the command goes on:\n%s", when, p.Text())
			}
		}
		last("running", "line 07", "7 more lines")
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolFailed, Result: session.ToolResult{Text: strings.Join(lines, "\n"), ExitCode: code(2)}})
		p.Settle()
		last("failed", "line 09", "9 more lines")
		p.Golden("failed-command")
		p.Keys("tab")
		if !p.Has("line 00") || !p.Has("make clean") {
			t.Errorf("the key does not show all:\n%s", p.Text())
		}
		p.Keys("tab")
		done := turn.StartTool("Bash", `{"command":"true"}`)
		turn.Emit(session.ToolEnded{Call: done, Outcome: session.ToolOK, Result: session.ToolResult{Text: "all is well"}})
		p.Settle()
		if !p.Has("all is well") {
			t.Errorf("what worked hides its one line:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
