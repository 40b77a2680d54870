package archive

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"parley/internal/human"
	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/claude/transcript"
	"parley/session/proc"
	"parley/session/sources"
)

// Archive reads the sessions that the Claude Code runtime stores on disk, of parley and of the runtime alone. It works
// without a runtime. It is safe for concurrent use.
type Archive struct {
	*sources.Lister
	configDir string
	projects  projects
	// Alive reports whether a process runs and is the runtime; tests replace it before the first call.
	Alive func(pid int) bool

	mu     sync.Mutex // held while a transcript is read, so that it is read once
	recent map[session.ID]*replayed
	clock  int // counts replays
}

// replayed is a transcript that was replayed recently. If it has grown, only the rest is read.
type replayed struct {
	path   string
	file   *transcript.File
	events []session.Event
	used   int // the time of its last replay, by Archive.clock
}

// maxRecent bounds the transcripts in memory.
const maxRecent = 2

// New returns the Archive of a configuration directory, usually ~/.claude, without reading it.
func New(configDir string) *Archive {
	var p projects
	if configDir != "" {
		p = projects(filepath.Join(configDir, "projects"))
	}
	l := sources.New(p, sources.Options{Program: session.AgentTitle("claude"), Valid: transcript.IsID, Stamp: stampOf, Home: isHome})
	return &Archive{Lister: l, configDir: configDir, projects: p, Alive: func(pid int) bool { return proc.IsRunning(pid, "claude") }, recent: map[session.ID]*replayed{}}
}

// path returns the path of a session's transcript.
func (a *Archive) path(ctx context.Context, id session.ID) (string, error) {
	p, err := a.Find(ctx, id, false)
	return p.Path, err
}

// Texts passes on what was said in a session; see [session.TextReader].
func (a *Archive) Texts(ctx context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	path, err := a.path(ctx, id)
	if err != nil {
		return session.TextsRead{}, err
	}
	return transcript.Texts(ctx, path, want, yield)
}

// Replay returns the events of a stored session, oldest first, also while a runtime writes to it. Damaged lines are skipped
// and counted in a notice at the end. Errors are of kind [session.KindNotFound], [session.KindInvalid] or
// [session.KindDisk].
func (a *Archive) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	path, err := a.path(ctx, id)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o := a.recent[id]
	if o == nil || o.path != path {
		o = &replayed{path: path, file: transcript.Open(path)}
	}
	grown, err := o.file.Update(ctx)
	if err != nil {
		return nil, err
	}
	if grown || o.events == nil {
		o.events = a.replay(ctx, id, o)
	}
	a.remember(id, o)
	return o.events[:len(o.events):len(o.events)], nil
}

// remember keeps a transcript in memory, in place of the least recently used one.
func (a *Archive) remember(id session.ID, o *replayed) {
	a.clock++
	o.used = a.clock
	a.recent[id] = o
	for len(a.recent) > maxRecent {
		oldest := id
		for other, x := range a.recent {
			if x.used < a.recent[oldest].used {
				oldest = other
			}
		}
		delete(a.recent, oldest)
	}
}

func (a *Archive) replay(ctx context.Context, id session.ID, o *replayed) []session.Event {
	children, err := transcript.Children(ctx, o.path)
	entries := o.file.Conversation()
	events, left := mapper.Replay(id, entries, children)
	if text := damage(o.file.Damaged(), left, err, len(entries)); text != "" {
		events = append(events, session.Notice{Head: session.Head{Session: id}, Severity: session.Warning, Text: text})
	}
	return events
}

// ReplayEdits returns the ends of the calls that changed files; see [session.EditReplayer]. It keeps nothing in memory.
func (a *Archive) ReplayEdits(ctx context.Context, id session.ID) ([]session.ToolEnded, error) {
	path, err := a.path(ctx, id)
	if err != nil {
		return nil, err
	}
	f := transcript.Open(path)
	if _, err := f.Update(ctx); err != nil {
		return nil, err
	}
	children, _ := transcript.Children(ctx, path) // what can be read of them
	return mapper.ReplayEdits(id, f.Conversation(), children), nil
}

// damage returns what is missing from a replayed session, "" for nothing.
func damage(lines, entries int, children error, all int) string {
	var parts []string
	if n := lines + entries; n > 0 {
		parts = append(parts, human.Count(n, "damaged entry was", "damaged entries were")+" left out")
	}
	if children != nil {
		parts = append(parts, "what some child agents did cannot be read")
	}
	if all == 0 {
		parts = append(parts, "nothing was said in it, or nothing of it can be read")
	}
	if len(parts) == 0 {
		return ""
	}
	return "Claude Code's transcript of this session: " + strings.Join(parts, "; ") + "."
}

// Fork copies a session into a new one of the same project, up to and including a turn, or whole for an empty turn, and
// returns its id. The source may be running. A turn without an answer is an error of kind [session.KindInvalid], an
// unknown turn one of kind [session.KindNotFound].
func (a *Archive) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (session.ID, error) {
	path, err := a.path(ctx, id)
	if err != nil {
		return "", err
	}
	f := transcript.Open(path)
	if _, err := f.Update(ctx); err != nil {
		return "", err
	}
	entries := f.Conversation()
	anchor, err := mapper.AnswerWithin(id, entries, upTo)
	if err != nil {
		return "", err
	}
	m, err := a.Describe(ctx, id)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(path)
	if home := filepath.Join(string(a.projects), transcript.Slug(m.Dir)); sources.Marked(id) && isDir(home) {
		folder = home // where the runtime finds the copy
	}
	forked, err := transcript.Fork(ctx, path, folder, anchor, cmp.Or(m.Title, m.First))
	return session.ID(forked), err
}

// Remove deletes a session: its transcript, and the folder of its child agents and tool outputs. It does not check whether a
// runtime uses them.
func (a *Archive) Remove(ctx context.Context, id session.ID) error {
	path, err := a.path(ctx, id)
	if err != nil {
		return err
	}
	a.mu.Lock()
	delete(a.recent, id)
	a.mu.Unlock()
	for _, p := range []string{path, strings.TrimSuffix(path, filepath.Ext(path))} {
		if err := os.RemoveAll(p); err != nil {
			return &session.Error{Op: "remove session", Kind: session.KindDisk, Err: err}
		}
	}
	return nil
}

// Kept returns the paths that Remove deletes; see [session.Remover].
func (a *Archive) Kept(ctx context.Context, id session.ID) ([]string, error) {
	path, err := a.path(ctx, id)
	if err != nil {
		return nil, err
	}
	out := []string{path}
	if dir := strings.TrimSuffix(path, filepath.Ext(path)); isDir(dir) {
		out = append(out, dir)
	}
	return out, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
