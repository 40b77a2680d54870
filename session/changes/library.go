package changes

import (
	"context"
	"sync"
	"time"

	"parley/session"
	"parley/session/changes/snapshot"
)

// Options configures a [Library].
type Options struct {
	// Dir contains the logs, such as "$XDG_DATA_HOME/parley/edits". It is created with mode 0700 when needed.
	Dir   string
	Store *snapshot.Store
	// Now is optional, for tests.
	Now func() time.Time
	// Dirs returns the directories of a session, outside of which no step changes anything; optional, nil for no bound.
	Dirs func(ctx context.Context, id session.ID) ([]string, error)
	// Replay returns what the stored transcript of a session says about files before their changes, nil if its agent has
	// none; optional. The log takes from it what the session did outside of parley.
	Replay func(ctx context.Context, id session.ID) ([]session.ToolEnded, error)
	// Elsewhere returns logs outside of Dir whose images a sweep leaves, such as those of deleted sessions; optional.
	Elsewhere func(ctx context.Context) ([]string, error)
}

// Library has the logs of all sessions. It implements [session.FileKeeper] and is safe for concurrent use.
type Library struct {
	o Options

	tracked trackers

	mu   sync.Mutex
	logs map[session.ID]*Log
}

// New returns a library without touching the disk.
func New(o Options) *Library { return &Library{o: o, logs: map[session.ID]*Log{}} }

func (b *Library) now() time.Time {
	if b.o.Now != nil {
		return b.o.Now()
	}
	return time.Now()
}

// Log returns the log of a session, the same for each call of this process. One without changes is empty.
func (b *Library) Log(id session.ID) *Log {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.logs[id]
	if l == nil {
		l = newLog(b, id)
		b.logs[id] = l
	}
	return l
}
