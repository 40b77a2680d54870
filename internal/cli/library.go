package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	"parley/session"
	"parley/session/claude/archive"
	"parley/session/live"
)

// library reads, copies and removes stored sessions. It needs no login, and sends and starts nothing.
type library struct{ app *app }

// agents returns the agents that store sessions themselves.
func (l library) agents() []session.Agent {
	if archive := l.archive(); archive != nil {
		return []session.Agent{readOnlyAgent{archive}}
	}
	return nil
}

// manager returns a manager of stored sessions.
func (l library) manager() *live.Manager {
	agents := l.agents()
	return live.NewManager(live.Deps{Agents: agents, Journals: l.app.store(), Files: newFileChanges(l.app, agents).Library})
}

// archive returns Claude Code's own sessions, nil in the demo, which shows nothing of the user's.
func (l library) archive() *archive.Archive {
	dir := cmp.Or(l.app.cfg.Claude.ConfigDir, l.app.getenv("CLAUDE_CONFIG_DIR"))
	if home := l.app.getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".claude")
	}
	if dir == "" || l.app.demo != nil {
		return nil
	}
	return archive.New(dir)
}

// readOnlyAgent is an agent whose sessions can be read, copied and removed, and not resumed.
type readOnlyAgent struct{ *archive.Archive }

// Name returns "claude".
func (readOnlyAgent) Name() string { return "claude" }

// Open always fails.
func (readOnlyAgent) Open(context.Context, session.OpenOptions) (session.Conversation, error) {
	return nil, &session.Error{Op: "open conversation", Kind: session.KindUnsupported, Err: errors.New("stored sessions are only read here")}
}

// list describes all sessions, and prints what could not be listed.
func (l library) list(ctx context.Context) ([]session.Meta, error) {
	list, missing, err := listAll(ctx, l.manager())
	for _, text := range missing {
		l.app.complain(text)
	}
	return list, err
}

// find returns the session whose id begins with prefix; the error is that of [live.Match].
func (l library) find(ctx context.Context, prefix string) (session.ID, error) {
	list, err := l.list(ctx)
	if err != nil {
		return "", err
	}
	return live.Match(list, prefix)
}

// read returns the session whose id begins with prefix.
func (l library) read(ctx context.Context, prefix string) (session.Meta, []session.Event, error) {
	id, err := l.find(ctx, prefix)
	if err != nil {
		return session.Meta{}, nil, err
	}
	return l.manager().Read(ctx, id)
}

// listAll describes all sessions and reports what could not be listed. The error is for when nothing could be.
func listAll(ctx context.Context, m *live.Manager) (list []session.Meta, missing []string, err error) {
	all := m.Listing(ctx)
	if len(all.Sessions) == 0 {
		return nil, nil, errors.Join(all.Problems...)
	}
	for _, err := range all.Problems {
		missing = append(missing, "not all sessions are listed: "+session.ProblemOf(err, time.Now()).What)
	}
	return all.Sessions, missing, nil
}
