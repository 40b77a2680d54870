package uitest

import (
	"testing"

	"parley/session"
)

// blockedByHook plays a turn with a call that a hook has blocked.
func blockedByHook(turn interface {
	StartTool(name, input string) session.CallID
	Emit(...session.Event)
	End(session.TurnOutcome)
}) {
	call := turn.StartTool("Bash", `{"command":"make deploy"}`)
	turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolDenied,
		Result: session.ToolResult{Text: "Deploys run on Mondays.", Summary: session.BlockedByHook, Sent: "PreToolUse:Bash hook error: Deploys run on Mondays."}})
	turn.End(session.TurnCompleted)
}

// TestBlockedByAHook means that a call did not fail but was blocked, and why.
func TestBlockedByAHook(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("deploy")
		blockedByHook(p.Turn())
		p.Settle()
		if !p.Has("wanted to run make deploy") || !p.Has("blocked by a hook") || !p.Has("the hook said: Deploys run on Mondays.") || p.Has("failed") {
			t.Errorf("it shows:\n%s", p.Text())
		}
	})
	RunLines(t, Config{Settings: opus}, func(l *Lines) {
		l.Type("deploy")
		blockedByHook(l.Agent.Turn(l.T))
		l.Settle()
		l.Type("/quit")
		l.Left()
		l.Golden("plain-hook")
	})
}

// refusedWithWords plays a turn with a call that the user refused with words.
func refusedWithWords(turn interface {
	StartTool(name, input string) session.CallID
	Emit(...session.Event)
	End(session.TurnOutcome)
}) {
	call := turn.StartTool("Bash", `{"command":"npm install"}`)
	turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolDenied,
		Result: session.ToolResult{Text: "use yarn", Summary: session.RefusedWithWords, Sent: "The user refused, and says: use yarn"}})
	turn.End(session.TurnCompleted)
}

// TestRefusedInAnotherProgram shows what the user said when they refused a call in a session that has no answers.
func TestRefusedInAnotherProgram(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("install")
		refusedWithWords(p.Turn())
		p.Settle()
		if !p.Has("wanted to run npm install") || !p.Has("denied") || !p.Has("you said: use yarn") || p.Has("refused with words") {
			t.Errorf("it shows:\n%s", p.Text())
		}
	})
	RunLines(t, Config{Settings: opus}, func(l *Lines) {
		l.Type("install")
		refusedWithWords(l.Agent.Turn(l.T))
		l.Settle()
		l.Type("/quit")
		l.Left()
		l.Golden("plain-refused")
	})
}
