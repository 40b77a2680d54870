package scenario

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/session"
	"parley/session/proc"
)

// Stage is a real runtime with the agent that drives it. Its functions fail the test, and wait as long as Patience.
type Stage struct {
	testing.TB
	// Home is the user's home directory, Dir that of the session.
	Home, Dir string
	Group     *proc.Group
	Patience  time.Duration
	// Send sends a prompt, Ends waits for the end of its turn, Until for an event.
	Send  func(prompt string) session.PromptID
	Ends  func(id session.PromptID) session.TurnEnded
	Until func(what string, is func(session.Event) bool) session.Event
	// Answers sets what answers the user's asks, Tools what tools of parley the conversation has.
	Answers func(func(a session.Asked) (session.Answer, bool))
	Tools   func(all ...session.ClientTool)
	// Further sets the further directories of the session.
	Further func(dirs ...string)
	// Newest returns the body of the newest request of the model that has tools.
	Newest func() string
	// Delegate begins a prompt that a child agent carries out.
	Delegate string
}

// files writes files below a folder.
func (s Stage) files(dir string, all map[string]string) {
	s.Helper()
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			s.Fatal(err)
		}
	}
}

// completes sends a prompt and waits for the end of its turn, which has to be a good one.
func (s Stage) completes(prompt string) {
	s.Helper()
	if end := s.Ends(s.Send(prompt)); end.Outcome != session.TurnCompleted {
		s.Errorf("%q ended %s: %+v", prompt, end.Outcome, end.Problem)
	}
}

// call sends a prompt and returns how the first call ended that is wanted, once the turn is over.
func (s Stage) call(prompt string, wanted func(e session.ToolStarted) bool) session.ToolEnded {
	s.Helper()
	id := s.Send(prompt)
	started := s.Until("call", func(e session.Event) bool {
		started, ok := e.(session.ToolStarted)
		return ok && started.Turn == session.TurnID(id) && wanted(started)
	}).(session.ToolStarted)
	end := s.Until("end", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && end.Call == started.Call
	}).(session.ToolEnded)
	s.Ends(id)
	return end
}
