//go:build contract

package claude

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/runtimes/runtimestest"
)

// TestContractWork lets commands and child agents of real runtimes run in the background, and stops them.
func TestContractWork(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for name, run := range map[string]func(w *whole, version string){
			"output": (*whole).workOutput, "stop": (*whole).workStop, "sent there": (*whole).workSent, "child": (*whole).workChild, "restart": (*whole).workRestart,
		} {
			t.Run(rt.version+"/"+name, func(t *testing.T) {
				t.Parallel()
				run(newWhole(t, runtimestest.Claude(t, dir, rt.version), func(o *Options) {
					if name == "restart" { // a runtime with a command behind it waits for that as long as it may
						o.Limits.Drain = 5 * time.Second
					}
				}), rt.version)
			})
		}
	}
}

// behind sends a prompt whose command runs in the background, and returns the call once its turn is over.
func (w *whole) behind() session.CallID {
	w.t.Helper()
	w.answers(always(yes))
	w.completes("build behind", "")
	return w.until("command behind", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && end.Result.Background
	}).(session.ToolEnded).Call
}

// over waits for the end of a call in the background.
func (w *whole) over(call session.CallID) session.ToolEnded {
	w.t.Helper()
	return w.until("end of the command", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && end.Call == call && !end.Result.Background
	}).(session.ToolEnded)
}

// saysWhy waits for the turn that begins because of a call.
func (w *whole) saysWhy(call session.CallID) {
	w.t.Helper()
	turn := w.until("turn by itself", func(e session.Event) bool {
		s, ok := e.(session.TurnStarted)
		return ok && s.Origin == session.OriginAutonomous
	}).(session.TurnStarted)
	if turn.Call != call || turn.Because == "" {
		w.t.Errorf("it began with %+v", turn)
	}
	w.rests()
}

// lets creates the file for which the commands wait.
func (w *whole) lets() {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, "go"), nil, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *whole) workOutput(string) {
	call := w.behind()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	w.s.Follow(ctx, call)
	w.until("output", func(e session.Event) bool {
		o, ok := e.(session.ToolOutput)
		return ok && o.Call == call && strings.Contains(o.Text, "one")
	})
	w.lets()
	end := w.over(call)
	if end.Outcome != session.ToolFailed || end.Result.ExitCode == nil || *end.Result.ExitCode != 3 || !strings.Contains(end.Result.Text, "two") {
		w.t.Errorf("%s %+v", end.Outcome, end.Result)
	}
	w.saysWhy(call)
	w.completes("hello", "You said: hello")
}

func (w *whole) workStop(string) {
	call := w.behind()
	if err := w.s.StopCall(w.t.Context(), call); err != nil {
		w.t.Fatal(err)
	}
	if end := w.over(call); end.Outcome != session.ToolCancelled {
		w.t.Errorf("%s %+v", end.Outcome, end.Result)
	}
	if err := w.s.StopCall(w.t.Context(), call); session.KindOf(err) != session.KindNotFound {
		w.t.Errorf("again: %v", err)
	}
	w.rests()
	w.completes("hello", "You said: hello")
	w.eventually("the command to be gone", func() bool { return !w.loops() })
}

// loops reports whether a shell still waits for the file.
func (w *whole) loops() bool {
	for _, line := range w.processes() {
		if strings.Contains(line, "until [ -e go ]") {
			return true
		}
	}
	return false
}

func (w *whole) workSent(version string) {
	w.answers(always(yes))
	id := w.send("short command")
	call := w.until("command", func(e session.Event) bool { _, ok := e.(session.ToolReady); return ok }).(session.ToolReady).Call
	w.eventually("the command to run", w.loops)
	var err error
	w.eventually("the command to go", func() bool {
		err = w.s.ToBackground(w.t.Context(), call)
		return session.KindOf(err) != session.KindNotFound
	})
	if version == runtimestest.ClaudeScript {
		if session.KindOf(err) != session.KindUnsupported {
			w.t.Errorf("an old runtime: %v", err)
		}
		w.lets()
		w.ends(id)
		return
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.until("command behind", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && end.Call == call && end.Result.Background
	})
	if end := w.ends(id); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	w.lets()
	if end := w.over(call); end.Outcome != session.ToolOK {
		w.t.Errorf("%s %+v", end.Outcome, end.Result)
	}
	w.saysWhy(call)
}

func (w *whole) workChild(string) {
	w.answers(always(yes))
	w.send("a late colleague")
	child := w.until("child", func(e session.Event) bool { s, ok := e.(session.ChildStarted); return ok && s.Background }).(session.ChildStarted)
	var err error
	w.eventually("the child to stop", func() bool {
		err = w.s.StopCall(w.t.Context(), child.Call)
		return session.KindOf(err) != session.KindUnsupported
	})
	if err != nil && session.KindOf(err) != session.KindNotFound {
		w.t.Fatal(err)
	}
	end := w.until("end of the child", func(e session.Event) bool { s, ok := e.(session.ChildEnded); return ok && s.ID == child.ID }).(session.ChildEnded)
	if err == nil && end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.rests()
	w.mu.Lock()
	conv := w.conv
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	conv.Mu.Lock()
	rt := conv.Link
	conv.Mu.Unlock()
	if rt == nil {
		return
	}
	// No version takes words for a child agent on request; one that does is worth using.
	if _, err := rt.p.(interface {
		Control(context.Context, string, map[string]any) (json.RawMessage, error)
	}).Control(ctx, "send_task_message", map[string]any{"task_id": "x", "message": "hello"}); err == nil || !strings.Contains(err.Error(), "send_task_message") {
		w.t.Errorf("words for a child: %v", err)
	}
}

func (w *whole) workRestart(string) {
	call := w.behind()
	if err := w.m.Close(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.eventually("the command to be gone", func() bool { return !w.loops() })
	for range 2 {
		w.manage()
		s, err := w.m.Resume(w.t.Context(), w.s.ID())
		if err != nil {
			w.t.Fatal(err)
		}
		events, detach := s.Attach(func(session.Event) {})
		detach()
		tr := session.Fold(events)
		marks := 0
		for _, turn := range tr.Turns {
			for _, e := range turn.Entries {
				if mark, ok := e.(*session.Mark); ok && session.EventType(mark.Event) == "tool_ended" {
					marks++
				}
			}
		}
		if tool := tr.Call(call); tool == nil || tool.Outcome != session.ToolCancelled || len(tr.Background()) != 0 || marks != 1 {
			w.t.Errorf("%d marks, %+v, behind %v", marks, tool, tr.Background())
		}
		if err := w.m.Close(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	}
}
