package mapper

import (
	"strings"

	"parley/copilot/cloud"
	"parley/session"
)

// Remote describes a session and its pull request, nil if there is none yet. repository and base are those of the task, for the
// time before there is a pull request.
func Remote(s cloud.Session, p *cloud.Pull, repository, base string) session.Remote {
	r := session.Remote{State: session.RemoteState(s.State), Repository: repository, Base: base}
	if p != nil {
		r.Repository, r.Branch, r.Base, r.URL = p.Repository, p.Head, p.Base, Page(*p, s.ID)
		r.Pull = &session.Pull{Number: p.Number, Title: p.Title, URL: p.URL, State: p.State, Draft: p.Draft}
		r.Checks = session.Checks(p.Checks)
	}
	switch s.State {
	case cloud.Failed:
		r.Problem = why(s)
	case cloud.TimedOut:
		r.Problem = "It ran out of time."
	case cloud.WaitingForUser:
		r.Problem = "It waits for your answer."
	}
	return r
}

// Page returns the address of a session's web page.
func Page(p cloud.Pull, session string) string {
	if p.URL == "" || session == "" {
		return p.URL
	}
	return p.URL + "/agent-sessions/" + session
}

// why says why a session failed, as a sentence.
func why(s cloud.Session) string {
	text := strings.Join(strings.Fields(s.Problem), " ")
	switch {
	case text == "" && s.Code == "":
		return "The service gives no reason."
	case text == "":
		text = s.Code
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// Ended returns the events that end the turn of a session, nil while it works. page is its web page, which may be empty.
func Ended(h session.Head, s cloud.Session, page string) []session.Event {
	if !s.State.Over() {
		return nil
	}
	if !s.Completed.IsZero() {
		h.At = s.Completed
	} else if !s.Updated.IsZero() {
		h.At = s.Updated
	}
	end := session.TurnEnded{Head: h, Outcome: session.TurnCompleted, Duration: since(s.Created, h.At)}
	see := ""
	if page != "" {
		see = "See " + page + "."
	}
	var notice *session.Notice
	switch s.State {
	case cloud.Failed:
		end.Outcome = session.TurnFailed
		end.Problem = &session.Problem{Kind: session.KindServer, What: "The cloud agent failed: " + why(s), Next: strings.TrimSpace("Send a prompt to let it try again. " + see)}
	case cloud.TimedOut:
		end.Outcome = session.TurnLimit
		end.Problem = &session.Problem{Kind: session.KindStalled, What: "The cloud agent ran out of time.", Next: strings.TrimSpace("Send a prompt to let it go on. " + see)}
	case cloud.Cancelled:
		end.Outcome = session.TurnCancelled
		notice = &session.Notice{Head: h, Severity: session.Info, Text: "This task was cancelled at GitHub. Send a prompt to go on."}
	case cloud.WaitingForUser:
		notice = &session.Notice{Head: h, Severity: session.Warning, Text: strings.TrimSpace("The cloud agent waits for you: answer with a prompt, which becomes a comment. " + see)}
	}
	if notice != nil {
		return []session.Event{*notice, end}
	}
	return []session.Event{end}
}
