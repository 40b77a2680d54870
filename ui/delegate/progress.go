package delegate

import (
	"context"
	"strings"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/panel"
)

// await reports when a session that is not shown has begun to work at its service, or is over.
func (c *Command) await(s *live.Session, over bool) panel.Effect {
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		wait := core.Begun
		if over {
			wait = core.Over
		}
		r, problem := wait(ctx, s)
		p := panel.Progress{Session: s, Over: over}
		if ctx.Err() != nil {
			return p
		}
		p.Text, p.Warn = progress(r, problem, over)
		if problem != nil && r.State == "" {
			p.Over = true
		}
		if !p.Over {
			p.Then = c.await(s, true)
		}
		return p
	}}
}

// progress returns what is reported of a session's work at a service, "" for nothing.
func progress(r session.Remote, problem *session.Problem, over bool) (text string, warn bool) {
	name := core.RemoteName(r)
	switch {
	case problem != nil && r.State == "":
		return "GitHub didn't start the task. " + strings.TrimSpace(problem.What+" "+problem.Next), true
	case !over:
		return "GitHub works on it: " + name + ". /resume opens it", false
	case r.State.Ended() || r.State == session.RemoteWaiting:
		return "GitHub's work on " + name + ": " + core.RemoteState(r.State) + ". /resume opens it", r.State != session.RemoteCompleted
	}
	return "", false
}
