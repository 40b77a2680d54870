package transcript_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/live"
	"parley/session/sessiontest"
)

// shelf is an agent that only keeps sessions.
type shelf struct{ *archive.Archive }

func (shelf) Name() string { return "claude" }
func (shelf) Open(context.Context, session.OpenOptions) (session.Conversation, error) {
	return nil, errors.New("only kept")
}

// TestJournalAndTranscript puts what parley journaled while a conversation was live together with what is replayed from
// the transcript of the same conversation: nothing may be there twice, and nothing be missing, what was asked included.
func TestJournalAndTranscript(t *testing.T) {
	for _, name := range recordings(t) {
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			rec, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir, data, id := unpack(t, rec)
			events := mapLive(t, data)
			journals := sessiontest.Journals()
			journals.Put(session.Meta{ID: id, Agent: "claude", Dir: "/home/user/project"}, events...)
			m := live.NewManager(live.Deps{Agents: []session.Agent{shelf{archive.New(dir)}}, Journals: journals})
			_, merged, err := m.Read(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			live, both := session.Fold(events), session.Fold(merged)
			if diff := cmp.Diff(view(live), view(both)); diff != "" {
				t.Errorf("together (+) they differ from what was live (-):\n%s", diff)
			}
			if len(both.Asks) != 0 || asked(both) != asked(live) {
				t.Errorf("%d asks, live %d", asked(both), asked(live))
			}
		})
	}
}

func asked(t *session.Transcript) int {
	n := 0
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			if _, ok := e.(*session.Ask); ok {
				n++
			}
		}
	}
	return n
}
