package cli

import (
	"context"
	"log/slog"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/spending"
	"parley/session/store/bin"
)

// binOf returns the bin of deleted sessions, the same for the whole run; that of the demo goes with it.
func binOf(a *app) *bin.Bin {
	if a.bin == nil {
		a.bin = bin.New(a.paths.Bin())
	}
	return a.bin
}

// emptyBin deletes what has been in the bin for as many days as a setting says; nothing for 0.
func emptyBin(ctx context.Context, m *live.Manager, days int, log *slog.Logger) {
	if days <= 0 {
		return
	}
	before := time.Now().AddDate(0, 0, -days)
	n, err := m.Empty(ctx, func(s session.Meta) bool { return s.Deleted.Before(before) })
	if n > 0 || err != nil && ctx.Err() == nil {
		log.Info("sessions that were in the bin for long", "deleted", n, "error", err)
	}
}

// spent reads what the sessions of this machine cost, also those in the bin.
func (a *app) spent(ctx context.Context) (spending.Report, error) {
	all, err := a.store().Spending(ctx)
	if err == nil {
		var binned []spending.Session
		binned, err = binOf(a).Spending(ctx)
		all = append(all, binned...)
	}
	return spending.NewReport(all, time.Now()), err
}
