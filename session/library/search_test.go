package library_test

import (
	"context"
	"strings"
	"testing"

	"parley/session"
	"parley/session/library"
	"parley/session/sessiontest"
	"parley/session/words"
)

// teller is an agent with the text of one session.
type teller struct{ *sessiontest.Agent }

func (teller) Name() string { return "claude" }

func (teller) Texts(_ context.Context, id session.ID, _ session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	if id != "own" {
		return session.TextsRead{}, &session.Error{Op: "read", Kind: session.KindNotFound}
	}
	yield(session.Text{Bytes: []byte("the agent's words")})
	return session.TextsRead{Bytes: 17}, nil
}

// TestFind looks where a session is stored: at its agent, else in its journal.
func TestFind(t *testing.T) {
	w := sessiontest.NewWorld()
	for _, id := range []session.ID{"ours", "own", "old"} {
		w.Journals.Put(session.Meta{ID: id}, session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{Text: "words of the journal"}})
	}
	l := library.New(library.Options{Journals: w.Journals, Agents: []session.Agent{w.Agent, teller{w.Agent}}})
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx      context.Context
		m        session.Meta
		query    string
		found    bool
		passages int
	}{
		{t.Context(), session.Meta{ID: "ours", Agent: "builtin"}, "JOURNAL words", true, 1},
		{t.Context(), session.Meta{ID: "ours", Agent: "builtin", Title: "The journal"}, "journal", true, 0},
		{t.Context(), session.Meta{ID: "ours", Agent: "builtin"}, "agent", false, 0},
		{t.Context(), session.Meta{ID: "own", Agent: "claude"}, "agent", true, 1},
		{t.Context(), session.Meta{ID: "own", Agent: "claude"}, "journal", false, 0},
		{t.Context(), session.Meta{ID: "old", Agent: "claude"}, "journal", true, 1},
		{t.Context(), session.Meta{ID: "none", Agent: "builtin"}, "journal", false, 0},
		{ended, session.Meta{ID: "ours", Agent: "builtin"}, "journal", false, 0},
	} {
		if h, ok := l.Find(c.ctx, words.New(strings.Fields(c.query)), c.m); ok != c.found || ok && len(h.Passages) != c.passages {
			t.Errorf("%s in %+v: %v, %+v", c.query, c.m, ok, h)
		}
	}
}
