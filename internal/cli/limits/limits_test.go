package limits

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/config"
	"parley/session"
	"parley/session/caps"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/spending"
)

// stored is what stored and deleted sessions cost.
type stored struct {
	kept    int64
	deleted []spending.Session
	err     error
}

func (s stored) SpentOn(context.Context, time.Time, func(session.ID) bool) (int64, error) {
	return s.kept, s.err
}
func (s stored) Spending(context.Context) ([]spending.Session, error) { return s.deleted, nil }

// The settings hold as they are in the file, also after a change; what is in the bin counts, and a file with a mistake changes nothing.
func TestKeeper(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	set := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set("limits: {day_credits: 10}\n")
	today := time.Now().Format(time.DateOnly)
	s := stored{kept: 6e9, deleted: []spending.Session{{Days: []spending.Day{{Day: today, NanoAIU: 3e9}, {Day: "2020-01-01", NanoAIU: 50e9}}}}}
	a := Keeper(config.Source{File: file}, s, s).Account("a", time.Now())
	if p := a.Check(t.Context()); p != nil {
		t.Error(p.What)
	}
	a.Note(session.CreditsReported{Head: session.Head{At: time.Now()}, NanoAIU: 1e9})
	if a.Check(t.Context()) == nil {
		t.Error("the limit of the day is not reached")
	}
	set("limits: {day_credits: ten}\n")
	if a.Check(t.Context()) == nil {
		t.Error("a mistake lifts the limit")
	}
	set("limits: {day_credits: 11}\n")
	if p := a.Check(t.Context()); p != nil {
		t.Error(p.What)
	}
	set("limits: {session_credits: 1}\n")
	if a.Check(t.Context()) == nil {
		t.Error("the limit of the session is not reached")
	}
	s.err = errors.New("no disk")
	set("limits: {day_credits: 1}\n")
	if st, _ := Keeper(config.Source{File: file}, s, s).Account("b", time.Now()).Standing(t.Context()); st.Day != 0 || st.Caps.Day != 1e9 {
		t.Errorf("%+v", st)
	}
}

// A session gets the limit of the run when it is opened for the first time; the user may change it afterwards.
func TestSessions(t *testing.T) {
	if To(0) != nil {
		t.Error("no limit is one")
	}
	w := sessiontest.NewWorld()
	s := stored{}
	w.Deps.Caps = Keeper(config.Source{}, s, s)
	m := To(5e9)
	m.Manager = w.Manager()
	limit := func(s *live.Session, err error) int64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		st, err := live.CapsOf(s).Standing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st.Caps.Session
	}
	draft, err := m.Draft(live.DraftOptions{Dir: "/project"})
	if got := limit(draft, err); got != 5e9 {
		t.Errorf("a new session: %d", got)
	}
	if _, err := draft.Send(session.Prompt{Text: "one"}); err != nil {
		t.Fatal(err)
	}
	turn := w.Agent.Turn(t)
	turn.Text("an answer")
	turn.End(session.TurnCompleted)
	if err := draft.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	live.CapsOf(draft).Cap(caps.Caps{Session: 9e9})
	if got := limit(m.Resume(t.Context(), draft.ID())); got != 9e9 {
		t.Errorf("shown again: %d", got)
	}
	if err := draft.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := To(7e9)
	other.Manager = w.Manager()
	if got := limit(other.Resume(t.Context(), draft.ID())); got != 7e9 {
		t.Errorf("resumed by another run: %d", got)
	}
	if got := limit(other.Fork(t.Context(), draft.ID(), "")); got != 7e9 {
		t.Errorf("a copy: %d", got)
	}
	if _, err := other.Resume(t.Context(), "unknown"); err == nil {
		t.Error("an unknown session is resumed")
	}
}
