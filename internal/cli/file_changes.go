package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parley/internal/crash"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/session/live"
	"parley/session/store"
)

// fileChanges are the records of what agents did to files.
type fileChanges struct {
	*changes.Library
	store *snapshot.Store
	kept  bool // whether new changes are recorded
	// stamp is the file whose lock a sweep holds and whose time says when the last one ended, "" if there is none to be.
	stamp string
	most  int64 // bytes that all contents may take, 0 for any
}

// newFileChanges returns the records of all sessions. agents hold what sessions did outside of parley.
func newFileChanges(a *app, agents []session.Agent) fileChanges {
	images := snapshot.New(snapshot.Options{Dir: a.paths.FileImages()})
	o := changes.Options{Dir: a.paths.Edits(), Store: images, Dirs: sessionDirs(agents, a.store()),
		Elsewhere: func(ctx context.Context) ([]string, error) { return binOf(a).Below(ctx, a.paths.Edits()) }}
	if a.cfg.Changes.Keep {
		o.Replay = replayer(agents, a.store())
	}
	return fileChanges{Library: changes.New(o), store: images, kept: a.cfg.Changes.Keep, most: int64(a.cfg.Changes.MaxMiB) << 20,
		stamp: sweepStamp(a)}
}

// keeper returns what records new changes, nil for nothing.
func (c fileChanges) keeper() session.FileKeeper {
	if !c.kept {
		return nil
	}
	return c.Library
}

// sessionDirs returns what finds the directories of a session: in its journal, or in the list of its agent.
func sessionDirs(agents []session.Agent, journals *store.Store) func(context.Context, session.ID) ([]string, error) {
	return func(ctx context.Context, id session.ID) ([]string, error) {
		meta, _, err := journals.ReadTail(ctx, id, 0)
		if err != nil {
			meta, _, err = journals.Read(ctx, id)
		}
		if session.KindOf(err) == session.KindNotFound {
			meta, err = agentsMeta(ctx, agents, id)
		}
		if err != nil {
			return nil, err
		}
		return append([]string{meta.Dir}, meta.Dirs...), nil
	}
}

// agentsMeta returns a session that only its agent knows.
func agentsMeta(ctx context.Context, agents []session.Agent, id session.ID) (session.Meta, error) {
	for _, a := range agents {
		if d, ok := a.(session.Describer); ok {
			if meta, err := d.Describe(ctx, id); err == nil {
				return meta, nil
			}
			continue
		}
		r, ok := a.(session.Replayer)
		if !ok {
			continue
		}
		all, err := r.Sessions(ctx)
		if i := slices.IndexFunc(all, func(m session.Meta) bool { return m.ID == id }); err == nil && i >= 0 {
			return all[i], nil
		}
	}
	return session.Meta{}, &session.Error{Op: "find the session's directories", Kind: session.KindNotFound,
		Err: errors.New("no agent knows it")}
}

// replayer returns what reads the changes of a session from the transcript of its agent. Of a session that another parley holds
// it reads nothing: that one records them. Another agent may have another session with the id.
func replayer(agents []session.Agent, journals *store.Store) func(context.Context, session.ID) ([]session.ToolEnded, error) {
	return func(ctx context.Context, id session.ID) ([]session.ToolEnded, error) {
		if pid, held := journals.Holder(ctx, id); held && pid != os.Getpid() {
			return nil, nil
		}
		meta, _, _ := journals.ReadTail(ctx, id, 0) // there may be no journal
		for _, a := range agents {
			r, ok := a.(session.EditReplayer)
			if !ok || cmp.Or(meta.Agent, a.Name()) != a.Name() {
				continue
			}
			ends, err := r.ReplayEdits(ctx, id)
			if kind := session.KindOf(err); kind != session.KindNotFound && kind != session.KindInvalid {
				return ends, err
			}
		}
		return nil, nil
	}
}

// sweepStamp returns the path of the stamp of sweeps. The demo removes everything anyway.
func sweepStamp(a *app) string {
	if a.demo != nil {
		return ""
	}
	return filepath.Join(a.paths.State, "changes-swept")
}

// sweepDelay keeps a sweep out of the way of a chat that starts. sweepEvery is the time between two sweeps, and sweepEnd the
// time that a run which ends leaves one that has begun.
const (
	sweepDelay = 20 * time.Second
	sweepEvery = 24 * time.Hour
	sweepEnd   = time.Second
)

// sweepDaily removes in the background what is not needed any more, after a delay and unless a parley has done so within a day.
// The returned function ends it and waits for that.
func (c fileChanges) sweepDaily(ctx context.Context, delay time.Duration, m *live.Manager, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	begin, begun, done := time.NewTimer(delay), make(chan struct{}), make(chan struct{})
	crash.Go(func() {
		defer close(done)
		select {
		case <-begin.C:
			close(begun)
		case <-ctx.Done():
			return
		}
		if freed, err := c.sweep(ctx, m); freed > 0 || err != nil && ctx.Err() == nil {
			log.Info("copies of files that are not needed", "freed", freed, "error", err)
		}
	})
	return func() {
		if delay == 0 {
			select {
			case <-begun:
			case <-done:
			}
		}
		select {
		case <-begun:
			select {
			case <-done:
			case <-time.After(sweepEnd):
			}
		default:
		}
		cancel()
		<-done
	}
}

// sweep removes what is not needed any more, unless another process does so or has done so within a day.
func (c fileChanges) sweep(ctx context.Context, m *live.Manager) (freed int64, err error) {
	if c.stamp == "" {
		return 0, nil
	}
	if err := os.MkdirAll(filepath.Dir(c.stamp), 0o700); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(c.stamp, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := safefs.TryLock(f); errors.Is(err, safefs.ErrHeld) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil || info.Size() > 0 && time.Since(info.ModTime()).Abs() < sweepEvery {
		return 0, err
	}
	all := m.Listing(ctx)
	exists := func(id session.ID) bool {
		return len(all.Problems) > 0 || slices.ContainsFunc(all.Sessions, func(s session.Meta) bool { return s.ID == id })
	}
	if freed, err = c.Library.Sweep(ctx, exists, c.most); err != nil {
		return freed, err
	}
	_, err = f.WriteAt([]byte("swept\n"), 0)
	return freed, err
}
