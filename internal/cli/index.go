package cli

import (
	"context"
	"log/slog"
	"time"

	"parley/internal/crash"
	"parley/internal/pace"
	"parley/session/live"
	"parley/session/store/index"
	"parley/session/store/marks"
)

// indexOf returns the index of the sessions, the same for the whole run; nil in the demo, whose sessions are few.
func indexOf(a *app) *index.Index {
	if a.words == nil && a.demo == nil {
		a.words = index.New(a.paths.Index())
		a.closing.add(func() {
			if err := a.words.Close(); err != nil {
				a.log.Warn("close the index of sessions", "error", err)
			}
		})
	}
	return a.words
}

// marksOf returns the tags and pins of sessions; those of the demo go with it.
func marksOf(a *app) *marks.Store { return marks.New(a.paths.Marks()) }

// indexDelay keeps the work at the index of sessions out of the way of a chat that starts. indexEvery is the time between two looks
// at what changed.
const (
	indexDelay = 3 * time.Second
	indexEvery = 10 * time.Minute
)

// indexSessions brings the index of sessions up to date in the background, now and then, and empties the bin of what is old. The returned function ends that and waits
// for it.
func indexSessions(ctx context.Context, m *live.Manager, binDays int, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	due, done := time.NewTimer(indexDelay), make(chan struct{})
	crash.Go(func() {
		defer close(done)
		defer due.Stop()
		for {
			select {
			case <-due.C:
			case <-ctx.Done():
				return
			}
			gentle, rested := pace.Gently(ctx)
			all := m.Listing(gentle)
			read, err := m.Index(gentle, all.Sessions, len(all.Problems) == 0)
			if err != nil && ctx.Err() == nil {
				log.Warn("the index of sessions is not up to date; searches read the sessions themselves", "read", read, "error", err)
			}
			if len(all.Problems) == 0 {
				m.SweepScratch(gentle, all.Sessions)
			}
			rested()
			emptyBin(ctx, m, binDays, log)
			due.Reset(indexEvery)
		}
	})
	return func() {
		cancel()
		<-done
	}
}
