package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"parley/copilot/login"
	"parley/internal/cli/sessions"
	"parley/session"
	claudearchive "parley/session/claude/archive"
	copilotarchive "parley/session/copilot/archive"
	"parley/session/live"
	"parley/session/scratch"
	"parley/session/store"
	"parley/ui/core"
)

// library reads, copies and removes stored sessions. It needs no login, and sends and starts nothing.
type library struct{ app *app }

// agents returns the agents that store sessions themselves; none in the demo, which shows nothing of the user's.
func (l library) agents() []session.Agent {
	var agents []session.Agent
	if l.app.demo != nil {
		return agents
	}
	if dir := l.dirOf(l.app.cfg.Claude.ConfigDir, "CLAUDE_CONFIG_DIR", ".claude"); dir != "" {
		agents = append(agents, struct {
			readOnly
			*claudearchive.Archive
		}{"claude", claudearchive.New(dir)})
	}
	if dir := l.dirOf(l.app.cfg.Copilot.Home, "COPILOT_HOME", ".copilot"); dir != "" {
		agents = append(agents, struct {
			readOnly
			*copilotarchive.Archive
		}{"copilot", copilotarchive.New(dir)})
	}
	return append(append(agents, foreignOf(l.app)...), newCloud(l.app, l.nobody, nil))
}

// nobody returns the credential of a run that asks no service: without a token.
func (l library) nobody() login.Credential {
	return login.Credential{Host: cmp.Or(l.app.cfg.GitHubHost, "github.com")}
}

// dirOf returns the directory of an agent's own sessions: the configured one, that of a variable, or one below the home directory.
// It is empty if there is none of these.
func (l library) dirOf(configured, variable, name string) string {
	dir := cmp.Or(configured, l.app.getenv(variable))
	if home := l.app.getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, name)
	}
	return dir
}

// manager returns a manager of stored sessions.
func (l library) manager() *live.Manager {
	agents := l.agents()
	edits := newFileChanges(l.app, agents)
	return live.NewManager(live.Deps{Agents: agents, Journals: l.app.store(), Files: edits.Library, Index: indexOf(l.app), Marks: marksOf(l.app),
		Bin: binOf(l.app), Belongings: belongings(l.app, edits), Scratch: scratch.Folders{Root: l.app.paths.Scratch()}})
}

// belongings returns what finds the files of a session that go into the bin with it, besides its journal: the log of its changes, its tags,
// its drafts, and where they were read.
func belongings(a *app, edits fileChanges) func(session.ID) []string {
	return func(id session.ID) []string {
		return slices.Concat([]string{edits.File(id), marksOf(a).File(id)},
			store.DraftFiles(a.paths.Composer(), core.SessionDraft(id)), store.DraftFiles(a.paths.Composer(), core.PlaceKey(id)))
	}
}

// readOnly is the name of an agent whose sessions can be read, copied and removed, and not resumed.
type readOnly string

// Name returns the name.
func (r readOnly) Name() string { return string(r) }

// Open always fails.
func (readOnly) Open(context.Context, session.OpenOptions) (session.Conversation, error) {
	return nil, &session.Error{Op: "open conversation", Kind: session.KindUnsupported, Err: errors.New("stored sessions are only read here")}
}

// libraryOf returns what the commands about stored sessions need. rename renames one that a host has open.
func libraryOf(a *app, rename func(context.Context, session.ID, string) (string, bool, error)) sessions.Library {
	l := library{app: a}
	return sessions.Library{
		In: a.in, Out: a.out, Err: a.err, Home: a.getenv("HOME"), Dir: a.workingDir, Manager: l.manager, Rename: rename,
		Store: func() session.HolderReporter { return a.store() },
		Records: func() sessions.Records {
			records := newFileChanges(a, l.agents())
			return sessions.Records{Library: records.Library, Store: records.store, Kept: records.kept}
		},
		Page: func(m session.Meta, t *session.Transcript) error { return pagesOf(a).conversation(m, t) },
	}
}
