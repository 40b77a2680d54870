package sessions

import (
	"context"
	"os"
	"time"

	"parley/session"
	"parley/ui/core"
)

// Found is a list of stored sessions with its rows.
type Found struct {
	Sessions
	Problems []error
	// Next gets what the list lacks, nil if that is nothing. It blocks: call it outside of the event loop.
	Next func(context.Context) Found
}

// refreshTimeout is how long services are asked for their sessions.
const refreshTimeout = 20 * time.Second

// Find returns what finds the sessions of a list: those that are known at once, then all, then those of services. Rows of many
// sessions take a while, so each list comes with them.
func Find(m core.Manager, l Sessions) func(context.Context) Found {
	made := func(ctx context.Context, l Sessions, all []session.Meta, problems []error, next func(context.Context) Found) Found {
		l.All = all
		l.Open = map[session.ID]string{}
		for i := range all {
			switch pid, held := m.Holder(ctx, all[i].ID); {
			case held && pid == os.Getpid():
				l.Open[all[i].ID] = "open in another tab"
			case held:
				l.Open[all[i].ID] = "open elsewhere"
			}
		}
		return Found{l.Made(), problems, next}
	}
	listed := func(ctx context.Context, l Sessions, next func(context.Context) Found) Found {
		found := m.Listing(ctx)
		binned, problems := inBin(ctx, m)
		return made(ctx, l, append(found.Sessions, binned...), append(found.Problems, problems...), next)
	}
	services := func(ctx context.Context) Found {
		ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
		defer cancel()
		l := l
		if m.Refresh(ctx) != nil {
			l.Trouble = "GitHub did not answer"
		}
		return listed(ctx, l, nil)
	}
	all := func(ctx context.Context) Found {
		l := l
		if m.RemoteName() == "" {
			return listed(ctx, l, nil)
		}
		l.Wait = "asking GitHub…"
		return listed(ctx, l, services)
	}
	if known := m.Known(); len(known) > 0 {
		l := l
		l.Partial = true
		whole := func(ctx context.Context) Found { return made(ctx, l, known, nil, all) }
		if len(known) <= 2*firstRows {
			return whole
		}
		return func(ctx context.Context) Found { return made(ctx, l, newestOf(known, l.Dir), nil, whole) }
	}
	return func(ctx context.Context) Found {
		newest := m.Newest(ctx, l.Dir, firstRows)
		if len(newest) == 0 {
			return all(ctx)
		}
		l := l
		l.Partial = true
		return made(ctx, l, newest, nil, all)
	}
}

// newestOf returns the first sessions of a directory and the first of all.
func newestOf(all []session.Meta, dir string) (first []session.Meta) {
	here, any := 0, 0
	for i := range all {
		switch {
		case all[i].Dir == dir && here < firstRows:
			here++
		case any < firstRows:
			any++
		default:
			continue
		}
		first = append(first, all[i])
	}
	return first
}

// firstRows is how many sessions of the directory, and of all, a list has before the rest is read.
const firstRows = 100
