package caps

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// world is a keeper with a clock, settings and stored costs of a test.
type world struct {
	*Keeper
	now      time.Time
	settings Caps
	wrong    error
	stored   map[session.ID]int64
	reads    int
	during   func() // a reading of the stored costs
}

func newWorld() *world {
	w := &world{now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.Local), stored: map[session.ID]int64{}}
	w.Keeper = New(Options{Now: func() time.Time { return w.now }, Settings: func() (Caps, error) { return w.settings, w.wrong },
		Stored: func(_ context.Context, _ time.Time, but func(session.ID) bool) (n int64, err error) {
			w.reads++
			for id, cost := range w.stored {
				if !but(id) {
					n += cost
				}
			}
			if w.during != nil {
				w.during()
			}
			return n, w.wrong
		}})
	return w
}

// cost is a cost of a session at the time of the test.
func (w *world) cost(credits int64) session.Event {
	return session.CreditsReported{Head: session.Head{At: w.now}, NanoAIU: credits * 1e9}
}

// says returns the problem of a check, "" for none.
func says(t *testing.T, a *Account) string {
	t.Helper()
	if p := a.Check(t.Context()); p != nil {
		return p.What + " " + p.Next
	}
	return ""
}

func TestCostsInWords(t *testing.T) {
	for nano, want := range map[int64]string{1: "less than 0.01 credits", 1e9: "1 credit", 700e6: "0.7 credits", 1_556e6: "1.56 credits", 10e9: "10 credits", 100e9: "100 credits",
		12_345e9: "12345 credits"} {
		if got := credits(nano); got != want {
			t.Errorf("%d: %q, want %q", nano, got, want)
		}
	}
}

func TestASessionStopsAtItsLimit(t *testing.T) {
	w := newWorld()
	a := w.Account("a", w.now)
	w.settings.Session = 10e9
	a.Note(session.CreditsReported{Head: session.Head{At: w.now.Add(-time.Hour)}, NanoAIU: 100e9}) // what a copy took over
	a.Note(session.CreditsReported{NanoAIU: 100e9})                                                // without a time
	a.Note(session.TurnEnded{})
	a.Note(w.cost(9))
	if got := says(t, a); got != "" || w.reads != 0 {
		t.Errorf("%q, %d readings", got, w.reads)
	}
	a.Note(session.CreditsReported{Head: session.Head{At: w.now, Child: "c"}, NanoAIU: 1e9}) // of a subagent
	got := says(t, a)
	if !strings.Contains(got, "its limit of 10 credits: it has cost 10 credits") || !strings.Contains(got, "/limit 20") || !strings.Contains(got, "limits.session_credits") {
		t.Error(got)
	}
	if err := w.Admit("a"); err == nil || !strings.Contains(err.Error(), "its limit of 10 credits") {
		t.Error(err)
	}
	if err := w.Admit("unknown"); err != nil {
		t.Error(err)
	}
	w.now = w.now.AddDate(0, 0, 1) // the limit is not one of a day
	if says(t, a) == "" {
		t.Error("the next day raises it")
	}
	a.Cap(Caps{Session: 20e9})
	if got := says(t, a); got != "" {
		t.Error(got)
	}
	a.Cap(Caps{Session: None})
	a.Note(w.cost(100))
	if got := says(t, a); got != "" {
		t.Error(got)
	}
	b := w.Account("b", w.now) // another session has its own
	b.Note(w.cost(1))
	if got := says(t, b); got != "" {
		t.Error(got)
	}
}

func TestADayStopsAllSessions(t *testing.T) {
	w := newWorld()
	w.settings.Day = 10e9
	w.stored["elsewhere"], w.stored["a"] = 4e9, 7e9 // the journal of a has what its account has
	a, b := w.Account("a", w.now), w.Account("b", w.now)
	a.Note(session.CreditsReported{Head: session.Head{At: w.now.AddDate(0, 0, -1)}, NanoAIU: 50e9})
	a = w.Account("a", w.now.AddDate(0, 0, -2))
	a.Note(session.CreditsReported{Head: session.Head{At: w.now.AddDate(0, 0, -1)}, NanoAIU: 50e9}) // yesterday
	a.Note(w.cost(5))
	if got := says(t, a); got != "" {
		t.Error(got)
	}
	if s, err := a.Standing(t.Context()); err != nil || s != (Standing{55e9, 9e9, Caps{Day: 10e9}}) {
		t.Errorf("%+v", s)
	}
	b.Note(w.cost(1))
	if got := says(t, b); !strings.Contains(got, "Today's limit of 10 credits is reached: all sessions together have cost 10 credits") || !strings.Contains(got, "/limit day 20") {
		t.Error(got)
	}
	if a.Reached() == nil {
		t.Error("only the session that spent the rest stops")
	}
	b.Cap(Caps{Day: 30e9})
	if b.Reached() != nil || a.Reached() == nil {
		t.Error("a limit of one session is that of the other")
	}
	w.stored["elsewhere"] = 40e9
	if b.Reached() != nil || says(t, b) == "" {
		t.Error("what another parley spends is not read")
	}
	w.now = w.now.AddDate(0, 0, 1)
	if got := a.Reached(); got != nil {
		t.Error("the limit outlives the day:", got)
	}
	w.stored = map[session.ID]int64{}
	if got := says(t, a); got != "" {
		t.Error(got)
	}
}

// A session that is closed or opened while the stored costs are read is counted once.
func TestSessionsThatComeAndGo(t *testing.T) {
	w := newWorld()
	w.settings.Day = 100e9
	a, b := w.Account("a", w.now), w.Account("b", w.now)
	b.Note(w.cost(3))
	w.stored["b"] = 3e9
	day := func() int64 {
		s, _ := a.Standing(t.Context())
		return s.Day
	}
	a.Check(t.Context())
	if got := day(); got != 3e9 {
		t.Errorf("stored: %d", got)
	}
	w.during = func() { w.during = nil; b.Check(t.Context()) }
	a.Check(t.Context())
	if got := day(); got != 3e9 {
		t.Errorf("opened meanwhile: %d", got)
	}
	w.during = func() { w.during = nil; b.Close() }
	a.Check(t.Context())
	if got := day(); got != 3e9 {
		t.Errorf("closed meanwhile: %d", got)
	}
	b.Check(t.Context())
	b.Close()
	if s := a.standing(); s.Day != 3e9 {
		t.Errorf("closed: %d", s.Day)
	}
	b.Close()
	if s := a.standing(); s.Day != 3e9 {
		t.Errorf("closed twice: %d", s.Day)
	}
}

// What cannot be read leaves the limits as they were.
func TestWhatCannotBeRead(t *testing.T) {
	w := newWorld()
	w.settings.Session = 1e9
	a := w.Account("a", w.now)
	a.Note(w.cost(1))
	if says(t, a) == "" {
		t.Fatal("no limit")
	}
	w.settings, w.wrong = Caps{}, errors.New("no disk")
	if says(t, a) == "" {
		t.Error("a file that cannot be read lifts the limit")
	}
	var none *Keeper
	n := none.Account("n", w.now)
	n.Note(w.cost(1))
	n.Cap(Caps{Session: 1})
	n.Close()
	if s, err := n.Standing(t.Context()); n.Check(t.Context()) != nil || n.Reached() != nil || s != (Standing{}) || err != nil {
		t.Error("no keeper limits something")
	}
}

func TestRaised(t *testing.T) {
	for spent, want := range map[int64]string{1: "2", 1e9: "2", 10.3e9: "30", 50.2e9: "110", 3.2e9: "8", 1234e9: "3000"} {
		if got := raised(spent); got != want {
			t.Errorf("%d: %s, want %s", spent, got, want)
		}
	}
}
