package core

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/internal/handover"
	"parley/session"
	"parley/session/live"
	"parley/ui/style"
)

// HandedOver is the text for an agent whose plan the user handed over.
const HandedOver = "The user handed this plan over to GitHub's cloud agent, which carries it out there. Do not carry it out here, and end your turn."

// RemoteState returns the words for a state of work at a service, visible.
func RemoteState(s session.RemoteState) string {
	switch s {
	case session.RemoteRunning:
		return "working"
	case session.RemoteWaiting:
		return "waiting for you"
	case session.RemoteCompleted:
		return "done"
	}
	return style.Visible(style.OneLine(strings.ReplaceAll(string(s), "_", " ")))
}

// AgentAndState returns the agent of a session, with the state of work at a service, visible.
func AgentAndState(m session.Meta) string {
	name := AgentTitle(m.Agent)
	if m.Remote == nil || m.Remote.State == "" {
		return name
	}
	return name + ": " + RemoteState(m.Remote.State)
}

// RemoteName returns the name of work at a service as others know it, such as "octo/app#12", visible.
func RemoteName(r session.Remote) string {
	name := r.Repository
	if r.Pull != nil {
		name += fmt.Sprintf("#%d", r.Pull.Number)
	}
	return style.Visible(style.OneLine(name))
}

// RemotePage returns the page of work at a service: its pull request, else the page of the work; "" if there is none.
func RemotePage(r *session.Remote) string {
	switch {
	case r == nil:
		return ""
	case r.Pull != nil && r.Pull.URL != "":
		return r.Pull.URL
	}
	return r.URL
}

// Begin sends a prompt into a new session of the agent that works at a service.
func Begin(m Manager, dir string, p session.Prompt) (*live.Session, error) {
	s, err := m.Draft(live.DraftOptions{Agent: m.RemoteName(), Dir: dir})
	if err != nil {
		return nil, err
	}
	_, err = s.Send(p)
	return s, err
}

// Begun waits until the service has begun to work for a session, or its turn has ended, and returns what is known of the work,
// and why it did not begin.
func Begun(ctx context.Context, s *live.Session) (session.Remote, *session.Problem) {
	return await(ctx, s, func(t *session.Transcript) bool { return t.Remote != nil && t.Remote.State != "" || over(t) })
}

// Over waits until the turn of a session has ended, and returns what [Begun] does.
func Over(ctx context.Context, s *live.Session) (session.Remote, *session.Problem) {
	return await(ctx, s, over)
}

// over reports whether the last turn of a session has ended.
func over(t *session.Transcript) bool {
	if len(t.Turns) == 0 || len(t.Queue) > 0 {
		return false
	}
	last := t.Turns[len(t.Turns)-1]
	return last.ID != "" && !last.Running()
}

// await waits until a session's transcript is as it should be, but for what its turns contain.
func await(ctx context.Context, s *live.Session, enough func(*session.Transcript) bool) (session.Remote, *session.Problem) {
	history, box := NewInbox(s)
	defer box.Close()
	t := session.Fold(history)
	for !enough(t) {
		select {
		case <-box.urgent:
		case <-ctx.Done():
			return session.Remote{}, session.ProblemOf(ctx.Err(), time.Time{})
		}
		for _, e := range box.Take() {
			switch e.(type) {
			case session.RemoteChanged, session.TurnStarted, session.TurnEnded, session.Queued, session.Unqueued:
				t.Apply(e)
			}
		}
	}
	switch n := len(t.Turns); {
	case t.Remote != nil:
		return *t.Remote, nil
	case n > 0:
		return session.Remote{}, t.Turns[n-1].Problem
	}
	return session.Remote{}, nil
}

// Statement returns what work is handed over with: words alone where nothing was said, else one made from the conversation.
// ask is a question for the agent that has a better one, "" if there is nothing to ask about.
func Statement(t *session.Transcript, dir, words string) (text, ask string) {
	if len(t.Turns) == 0 {
		return strings.TrimSpace(words), ""
	}
	return handover.Statement(t, dir, words), handover.Question(words)
}
