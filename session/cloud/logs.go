package cloud

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"parley/copilot/cloud"
	"parley/internal/safefs"
)

// logs are the logs of finished sessions on disk. The zero value keeps nothing.
type logs struct{ dir string }

const (
	// maxLog bounds a log that is kept, in bytes; keptLogs bounds their number.
	maxLog   = 32 << 20
	keptLogs = 60
)

// log returns the whole log of a session. That of a finished one comes from disk, or is kept there.
func (a *Agent) log(ctx context.Context, s cloud.Session) ([]byte, error) {
	if text := a.logs.load(ctx, s); text != nil {
		return text, nil
	}
	l, err := a.o.Service.Log(ctx, s.ID, "")
	if err != nil {
		return nil, err
	}
	if err := a.logs.save(s, l.Text); err != nil {
		a.o.Log.Info("keep the log of a task", "error", err)
	}
	return l.Text, nil
}

func (l logs) path(s cloud.Session) string { return filepath.Join(l.dir, s.ID+".log") }

// keeps reports whether the log of a session is kept: it must be over.
func (l logs) keeps(s cloud.Session) bool {
	return l.dir != "" && s.State.Over() && plainID.MatchString(s.ID)
}

// load returns a kept log, nil if there is none.
func (l logs) load(ctx context.Context, s cloud.Session) []byte {
	if !l.keeps(s) {
		return nil
	}
	text, err := safefs.ReadFile(ctx, l.path(s), maxLog, safefs.NoLinks)
	if err != nil || len(text) == 0 {
		return nil
	}
	return text
}

// save keeps a log, and forgets the oldest ones.
func (l logs) save(s cloud.Session, text []byte) error {
	if !l.keeps(s) || len(text) > maxLog {
		return nil
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	if err := safefs.WriteFile(l.path(s), text); err != nil {
		return err
	}
	return l.prune()
}

// prune removes all but the newest logs.
func (l logs) prune() error {
	files, err := os.ReadDir(l.dir)
	if err != nil || len(files) <= keptLogs {
		return err
	}
	type aged struct {
		name string
		at   int64
	}
	var all []aged
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			all = append(all, aged{f.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return cmp.Compare(b.at, a.at) })
	for _, f := range all[min(keptLogs, len(all)):] {
		if err := os.Remove(filepath.Join(l.dir, f.name)); err != nil {
			return err
		}
	}
	return nil
}
