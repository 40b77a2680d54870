//go:build contract && unix

package copilot

import (
	"strings"
	"syscall"
	"testing"

	"parley/session"
	"parley/session/runtimes/runtimestest"
)

// TestContractCopilotAgent lets the agent do on real runtimes what a user makes it do, with the runtime's own requests to
// Copilot and through the proxy.
func TestContractCopilotAgent(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		for _, step := range agentSteps {
			for _, traffic := range []string{"direct", "proxy"} {
				if traffic == "proxy" && version == runtimestest.CopilotHeadless {
					continue // it takes twenty times as long to start
				}
				t.Run(version+"/"+traffic+"/"+step.name, func(t *testing.T) {
					t.Parallel()
					step.run(newWhole(t, runtimestest.Copilot(t, dir, version), traffic == "direct"))
				})
			}
		}
	}
}

var agentSteps = []struct {
	name string
	run  func(w *whole)
}{
	{"turns", (*whole).turns},
	{"abort", (*whole).abort},
	{"abort command", (*whole).abortCommand},
	{"abort ask", (*whole).abortAsk},
	{"abort at once", (*whole).abortAtOnce},
	{"abort beside a child", (*whole).abortBeside},
	{"abort with a child", (*whole).abortChild},
	{"crash", (*whole).crash},
	{"crash at an ask", (*whole).crashAtAsk},
	{"client tool", (*whole).clientTool},
	{"steer", (*whole).steer},
	{"settings", (*whole).settings},
	{"children", (*whole).children},
	{"background", (*whole).background},
	{"stops", (*whole).stops},
	{"to background", (*whole).toBackground},
	{"aside", (*whole).aside},
	{"compact", (*whole).compact},
	{"tasks", (*whole).tasks},
	{"resume", (*whole).resumed},
	{"in use", (*whole).inUse},
	{"continued elsewhere", (*whole).continued},
	{"fork", (*whole).fork},
	{"truncate", (*whole).truncate},
	{"remove", (*whole).remove},
	{"attachments", (*whole).attachments},
	{"custom agents", (*whole).customAgents},
}

func (w *whole) turns() {
	w.completes("hello", "You said: hello")
	pid := w.client().Pid()
	w.completes("second", "You said: second")
	if w.client().Pid() != pid {
		w.t.Error("another process for the second turn")
	}
	thought := false
	for _, e := range w.all() {
		switch e := e.(type) {
		case session.ModelChanged:
			if e.Model != "claude-sonnet-4.6" {
				w.t.Errorf("model %q", e.Model)
			}
		case session.PartStarted:
			thought = thought || e.Kind == session.PartReasoning
		case session.Notice:
			w.t.Errorf("notice %+v", e)
		}
	}
	if !thought {
		w.t.Error("no reasoning")
	}
}

func (w *whole) abort() {
	id := w.send("endless")
	w.until("word", w.begun(id))
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("after all", "after all")
}

func (w *whole) crash() {
	w.completes("hello", "hello")
	id := w.send("endless")
	w.until("word", w.begun(id))
	if err := syscall.Kill(w.client().Pid(), syscall.SIGKILL); err != nil {
		w.t.Fatal(err)
	}
	if end := w.ends(id); end.Outcome != session.TurnFailed || end.Problem == nil || !end.Problem.Retry {
		w.t.Errorf("%+v", end)
	}
	w.completes("after all", "after all")
	if got := strings.Join(outline(w.all()), " "); !strings.Contains(got, "runtime_changed") {
		w.t.Error(got)
	}
}

func (w *whole) abortCommand() {
	w.allows()
	id := w.send("run sleep 60")
	w.until("call", is[session.ToolReady])
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("after all", "after all")
}

func (w *whole) abortAsk() {
	id := w.send("run touch made")
	asked := w.until("ask", is[session.Asked]).(session.Asked)
	w.s.Abort()
	w.until("end of the ask", func(e session.Event) bool {
		s, ok := e.(session.Settled)
		return ok && s.Ask == asked.Ask && s.How == session.SettledCancelled
	})
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("after all", "after all")
}

// abortAtOnce interrupts before the runtime has begun.
func (w *whole) abortAtOnce() {
	w.completes("hello", "hello")
	id := w.send("endless")
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("after all", "after all")
}

// crashAtAsk kills the runtime while a call waits for the user. The next prompt goes on with the session.
func (w *whole) crashAtAsk() {
	id := w.send("run touch made")
	asked := w.until("ask", is[session.Asked]).(session.Asked)
	if err := syscall.Kill(w.client().Pid(), syscall.SIGKILL); err != nil {
		w.t.Fatal(err)
	}
	if end := w.ends(id); end.Outcome != session.TurnFailed {
		w.t.Errorf("%+v", end)
	}
	w.until("end of the ask", func(e session.Event) bool {
		s, ok := e.(session.Settled)
		return ok && s.Ask == asked.Ask
	})
	w.completes("after all", "after all")
	if !strings.Contains(string(w.bodyOf("after all")), "touch made") {
		w.t.Error("the session was not resumed")
	}
}
