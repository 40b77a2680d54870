package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/spending"
)

// costs are what a session cost by day and model, as its summary has them. Missing in older summaries, they come from the journal.
type costs struct {
	// Counted reports whether Days are complete.
	Counted bool           `json:"counted,omitempty"`
	Days    []spending.Day `json:"days,omitempty"`
	// Model is that of the newest request.
	Model string `json:"model,omitempty"`
}

// fold adds an event of a session that was made then: what a copy took over was charged to the original.
func (c *costs) fold(e session.Event, made session.Meta) {
	switch e := e.(type) {
	case session.ModelChanged:
		c.Model = e.Model
	case session.UsageReported:
		if e.Model != "" {
			c.Model = e.Model
		}
	case session.CreditsReported:
		if e.At.IsZero() || e.At.Before(made.Created) {
			return
		}
		d := spending.Day{Day: e.At.Local().Format("2006-01-02"), Model: c.Model, NanoAIU: e.NanoAIU}
		if e.Child != "" {
			d.Children = e.NanoAIU
		}
		c.Days = spending.Add(c.Days, d)
	}
}

// SpentOn returns what stored sessions cost on the local day of a time, in nano AI units, without those for which but returns true.
// It reads journals that were written that day only, and skips unreadable ones.
func (s *Store) SpentOn(ctx context.Context, day time.Time, but func(session.ID) bool) (sum int64, err error) {
	day = day.Local()
	began := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.Local)
	err = s.eachCosts(ctx, began, but, func(one summary) {
		for _, d := range one.Costs.Days {
			if d.Day == day.Format(time.DateOnly) {
				sum += d.NanoAIU
			}
		}
	})
	return sum, err
}

// Charges returns what each prompt cost since a time, the newest first. It reads the journals that were written since then, skips
// unreadable ones, and is for background use.
func (s *Store) Charges(ctx context.Context, since time.Time) (all []spending.Charge, err error) {
	var charged []session.ID
	err = s.eachCosts(ctx, since, nil, func(sum summary) {
		if len(sum.Costs.Days) > 0 {
			charged = append(charged, sum.Meta.ID)
		}
	})
	for _, id := range charged {
		meta, events, readErr := s.Read(ctx, id)
		if ctx.Err() != nil {
			return all, problem("read costs", session.KindCancelled, ctx.Err())
		}
		if readErr == nil {
			meta.ID = id
			all = append(all, spending.Charges(meta, events, since)...)
		}
	}
	slices.SortStableFunc(all, func(a, b spending.Charge) int { return b.At.Compare(a.At) })
	return all, err
}

// Spending returns what the stored sessions cost, each by day and model. Of a journal it reads only what its summary does not
// cover, or all of it once. It skips unreadable journals, and is for background use.
func (s *Store) Spending(ctx context.Context) (all []spending.Session, err error) {
	err = s.eachCosts(ctx, time.Time{}, nil, func(sum summary) {
		if len(sum.Costs.Days) > 0 {
			all = append(all, spending.Session{Agent: sum.Meta.Agent, Dir: sum.Meta.Dir, Days: sum.Costs.Days})
		}
	})
	return all, err
}

// eachCosts calls yield with the summaries of journals that were written since then, without those for which but returns true.
func (s *Store) eachCosts(ctx context.Context, since time.Time, but func(session.ID) bool, yield func(summary)) error {
	const op = "read costs"
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return diskError(op, s.dir, err)
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return problem(op, session.KindCancelled, err)
		}
		id, isJournal := strings.CutSuffix(entry.Name(), journalSuffix)
		info, err := entry.Info()
		if !isJournal || !validID.MatchString(id) || !entry.Type().IsRegular() || err != nil {
			continue
		}
		if info.ModTime().Before(since) || but != nil && but(session.ID(id)) {
			continue
		}
		yield(summarize(ctx, session.ID(id), filepath.Join(s.dir, entry.Name()), info.Size(), true))
	}
	return nil
}
