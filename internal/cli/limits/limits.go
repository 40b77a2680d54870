package limits

import (
	"context"
	"sync"
	"time"

	"parley/config"
	"parley/session"
	"parley/session/caps"
	"parley/session/live"
	"parley/session/spending"
	"parley/ui/core"
)

// Store reads what stored sessions cost.
type Store interface {
	SpentOn(ctx context.Context, day time.Time, but func(session.ID) bool) (int64, error)
}

// Bin reads what deleted sessions cost.
type Bin interface {
	Spending(ctx context.Context) ([]spending.Session, error)
}

// Keeper returns what bounds the costs of sessions. It reads the settings again for each prompt, so that a limit that is raised holds
// in every parley that runs. Sessions in the bin count.
func Keeper(src config.Source, stored Store, deleted Bin) *caps.Keeper {
	return caps.New(caps.Options{Now: time.Now, Settings: func() (caps.Caps, error) {
		cfg, err := config.Load(src)
		if err != nil {
			return caps.Caps{}, err
		}
		return caps.Caps{Session: int64(cfg.Limits.SessionCredits) * 1e9, Day: int64(cfg.Limits.DayCredits) * 1e9}, nil
	}, Stored: func(ctx context.Context, day time.Time, but func(session.ID) bool) (int64, error) {
		sum, err := stored.SpentOn(ctx, day, but)
		if err != nil {
			return 0, err
		}
		binned, err := deleted.Spending(ctx)
		for _, s := range binned {
			for _, d := range s.Days {
				if d.Day == day.Local().Format(time.DateOnly) {
					sum += d.NanoAIU
				}
			}
		}
		return sum, err
	}})
}

// Sessions give each session a limit when it is opened for the first time, wherever it runs.
type Sessions struct {
	core.Manager
	limit caps.Caps

	mu   sync.Mutex
	seen map[session.ID]bool
}

// To returns sessions with a limit, nil for a limit of 0.
func To(nanoAIU int64) *Sessions {
	if nanoAIU == 0 {
		return nil
	}
	return &Sessions{limit: caps.Caps{Session: nanoAIU}, seen: map[session.ID]bool{}}
}

// Draft makes a session with the limit.
func (m *Sessions) Draft(o live.DraftOptions) (*live.Session, error) {
	o.Caps = m.limit
	s, err := m.Manager.Draft(o)
	if err == nil {
		m.first(s.ID())
	}
	return s, err
}

// Resume loads a session and gives it the limit.
func (m *Sessions) Resume(ctx context.Context, id session.ID) (*live.Session, error) {
	s, err := m.Manager.Resume(ctx, id)
	return m.bound(s, err)
}

// Fork copies a session and gives the copy the limit.
func (m *Sessions) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
	s, err := m.Manager.Fork(ctx, id, upTo)
	return m.bound(s, err)
}

func (m *Sessions) bound(s *live.Session, err error) (*live.Session, error) {
	if err == nil && m.first(s.ID()) {
		live.CapsOf(s).Cap(m.limit)
	}
	return s, err
}

// first reports whether a session was not opened before: the user may have changed its limit since.
func (m *Sessions) first(id session.ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.seen[id]
	m.seen[id] = true
	return !seen
}
