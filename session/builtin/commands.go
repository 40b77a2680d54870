package builtin

import (
	"parley/session"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/tool"
)

// recall restores what the commands of an earlier process left: the directory, and the names that are taken. The model reads
// of commands that have ended since its last turn.
func (l *loop) recall(h *session.Transcript) {
	var last session.ShellState
	environ := false
	for _, turn := range h.Turns {
		for _, e := range turn.Entries {
			t, ok := e.(*session.Tool)
			if !ok {
				continue
			}
			l.ws.Jobs.Reserve(t.Result.Job)
			if t.Name != "Bash" || t.Child != l.child || !t.Ended || t.Handover != nil || t.Outcome == session.ToolDenied {
				continue
			}
			if last = (session.ShellState{}); t.Result.Shell != nil {
				last = *t.Result.Shell
			}
			environ = environ || last.Environ
		}
	}
	l.ws.Shell.Restore(last.Dir, environ)
	for i := len(h.Turns) - 1; i >= 0 && h.Turns[i].ID == ""; i-- {
		for _, e := range h.Turns[i].Entries {
			if m, ok := e.(*session.Mark); ok {
				if end, ok := m.Event.(session.ToolEnded); ok {
					l.inbox.add(endNote(end.Call, end.Result, end.Result.Job+" ended"))
				}
			}
		}
	}
}

// lost returns the commands of a transcript whose ends were not reported, because parley was killed.
func lost(h *session.Transcript) []session.ToolEnded {
	var out []session.ToolEnded
	for _, w := range h.Background() {
		if w.Tool != nil {
			out = append(out, session.ToolEnded{Call: w.Tool.Call, Result: session.ToolResult{Job: w.Tool.Result.Job}})
		}
	}
	return out
}

// reportLost reports the ends of the commands that ended with an earlier process.
func (c *conversation) reportLost() {
	for _, e := range c.lost {
		text := string(job.WithParley)
		if e.Result.Job != "" {
			text = e.Result.Job + " " + text
		}
		c.top.endedLater(e.Call, tool.Outcome{How: session.ToolCancelled, Result: session.ToolResult{Text: "(" + text + ")",
			Summary: string(job.WithParley), Job: e.Result.Job}}, text)
	}
	c.lost = nil
}
