package cloud

import (
	"encoding/base64"
	"time"
)

// wireJob is a job as the service sends it.
type wireJob struct {
	ID      string `json:"job_id"`
	Session string `json:"session_id"`
	Status  string `json:"status"`
	Result  string `json:"result"`
	Actor   struct {
		Login string `json:"login"`
	} `json:"actor"`
	Created time.Time `json:"created_at"`
	Updated time.Time `json:"updated_at"`
	Pull    struct {
		ID     int64 `json:"id"`
		Number int   `json:"number"`
	} `json:"pull_request"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (w wireJob) job() Job {
	return Job{ID: w.ID, Session: w.Session, Status: State(w.Status), Result: w.Result, Actor: w.Actor.Login,
		Created: w.Created, Updated: w.Updated, PullID: w.Pull.ID, PullNumber: w.Pull.Number, Problem: w.Error.Message}
}

// wireSession is a session as the service sends it.
type wireSession struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	User      int64     `json:"user_id"`
	State     string    `json:"state"`
	Owner     int64     `json:"owner_id"`
	Repo      int64     `json:"repo_id"`
	Type      string    `json:"resource_type"`
	Resource  int64     `json:"resource_id"`
	Node      string    `json:"resource_global_id"`
	Created   time.Time `json:"created_at"`
	Updated   time.Time `json:"last_updated_at"`
	Completed time.Time `json:"completed_at"`
	Event     string    `json:"event_type"`
	EventURL  string    `json:"event_url"`
	Premium   float64   `json:"premium_requests"`
	Error     struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (w wireSession) session() Session {
	s := Session{ID: w.ID, Name: w.Name, State: State(w.State), User: w.User, Owner: w.Owner, Repo: w.Repo,
		Created: w.Created, Updated: w.Updated, Completed: w.Completed, Event: w.Event, EventURL: w.EventURL,
		PremiumRequests: w.Premium, Code: w.Error.Code, Problem: w.Error.Message}
	if w.Type == "pull" {
		s.Resource, s.Node = w.Resource, w.Node
		if s.Node == "" && w.Resource != 0 {
			s.Node = pullNode(w.Repo, w.Resource)
		}
	}
	return s
}

// wireResource is a pull request as the service describes it.
type wireResource struct {
	User     int64  `json:"user_id"`
	Resource int64  `json:"resource_id"`
	Node     string `json:"resource_global_id"`
	Sessions []struct {
		ID      string `json:"id"`
		Name    string `json:"name"`
		State   string `json:"state"`
		Updated int64  `json:"last_updated_at"` // seconds since 1970
	} `json:"sessions"`
}

// pullNode returns the id of a pull request for GraphQL: the numbers 0, repository and pull request as a list in
// MessagePack, in base64.
func pullNode(repo, pull int64) string {
	buf := []byte{0x93, 0}
	for _, n := range []int64{repo, pull} {
		switch {
		case n < 0:
			return ""
		case n < 1<<7:
			buf = append(buf, byte(n))
		case n < 1<<8:
			buf = append(buf, 0xcc, byte(n))
		case n < 1<<16:
			buf = append(buf, 0xcd, byte(n>>8), byte(n))
		case n < 1<<32:
			buf = append(buf, 0xce, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
		default:
			buf = append(buf, 0xcf, byte(n>>56), byte(n>>48), byte(n>>40), byte(n>>32), byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
		}
	}
	return "PR_" + base64.RawURLEncoding.EncodeToString(buf)
}
