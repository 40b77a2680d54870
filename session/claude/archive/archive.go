package archive

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"parley/internal/human"
	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/claude/transcript"
)

// Archive reads what the Claude Code runtime keeps of its sessions on disk, whoever held them: parley, or the user with
// the runtime alone. It starts and installs nothing, and works where there is no runtime. It is safe for concurrent use.
type Archive struct {
	configDir string
	lister    *transcript.Lister

	mu   sync.Mutex // held while a transcript is read, so that it is read once
	open map[session.ID]*opened
	age  int
}

// opened is a transcript that was replayed not long ago: of one that has grown only the rest is read.
type opened struct {
	path   string
	file   *transcript.File
	events []session.Event
	used   int
}

// keepOpen is how many transcripts are kept in memory.
const keepOpen = 2

// NewArchive makes an Archive of the directory that CLAUDE_CONFIG_DIR names, usually ~/.claude. Nothing is touched before
// the first call.
func New(configDir string) *Archive {
	return &Archive{configDir: configDir, lister: transcript.NewLister(configDir), open: map[session.ID]*opened{}}
}

// Sessions describes the stored sessions of all projects, newest first. What cannot be read hides nothing else: the error
// names it and comes along with the others.
func (a *Archive) Sessions(ctx context.Context) ([]session.Meta, error) {
	infos, err := a.lister.Sessions(ctx)
	metas := make([]session.Meta, len(infos))
	for i, in := range infos {
		metas[i] = metaOf(in)
	}
	return metas, err
}

// Prompts yields the prompts of a directory; see [session.PromptReader].
func (a *Archive) Prompts(ctx context.Context, dir string, skip func(session.ID) bool, yield func([]session.PastPrompt) bool) error {
	return a.lister.Prompts(ctx, dir, func(id string) bool { return skip(session.ID(id)) }, func(all []transcript.Prompt) bool {
		out := make([]session.PastPrompt, 0, len(all))
		for _, p := range all {
			out = append(out, session.PastPrompt{Text: p.Text, At: p.At, Dir: dir})
		}
		return yield(out)
	})
}

// Describe describes one stored session. The error is of kind [session.KindNotFound] if there is none.
func (a *Archive) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	in, err := a.lister.Describe(ctx, string(id))
	if err != nil {
		return session.Meta{}, err
	}
	return metaOf(in), nil
}

func metaOf(in transcript.Info) session.Meta {
	title := in.Title
	if title == "" && in.First == "" {
		title = in.Summary
	}
	return session.Meta{
		ID: session.ID(in.ID), Agent: "claude", Dir: in.Dir, Branch: in.Branch, Title: title, First: in.First, Model: mapper.ListedModel(in.Model),
		Created: in.Created, Updated: in.Updated,
	}
}

// Replay returns the events of a stored session, oldest first. A transcript is read as far as it goes, also while a
// runtime writes to it; what is damaged in it is passed over and told in a notice at the end. Errors are of kind
// [session.KindNotFound], [session.KindInvalid] or [session.KindDisk].
func (a *Archive) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	path, err := a.lister.Find(ctx, string(id))
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o := a.open[id]
	if o == nil || o.path != path {
		o = &opened{path: path, file: transcript.Open(path)}
	}
	grown, err := o.file.Update(ctx)
	if err != nil {
		return nil, err
	}
	if grown || o.events == nil {
		o.events = a.replay(ctx, id, o)
	}
	a.keep(id, o)
	return o.events[:len(o.events):len(o.events)], nil
}

// keep keeps o and lets go of what was not used for the longest time.
func (a *Archive) keep(id session.ID, o *opened) {
	a.age++
	o.used = a.age
	a.open[id] = o
	for len(a.open) > keepOpen {
		oldest := id
		for other, x := range a.open {
			if x.used < a.open[oldest].used {
				oldest = other
			}
		}
		delete(a.open, oldest)
	}
}

func (a *Archive) replay(ctx context.Context, id session.ID, o *opened) []session.Event {
	children, err := transcript.Children(ctx, o.path)
	entries := o.file.Conversation()
	events, left := mapper.Replay(id, entries, children)
	if text := damage(o.file.Damaged(), left, err, len(entries)); text != "" {
		events = append(events, session.Notice{Head: session.Head{Session: id}, Severity: session.Warning, Text: text})
	}
	return events
}

// damage says what is missing from a replayed session, "" if nothing is.
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

// Fork copies a session up to and including a turn, the whole session for an empty turn, into a new one of the same
// project, and returns its id. The source may be running; its files are only read. A turn that has no answer, or that is
// not there, is an error of kind [session.KindInvalid] or [session.KindNotFound] that says so.
func (a *Archive) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (session.ID, error) {
	path, err := a.lister.Find(ctx, string(id))
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
	in, err := a.lister.Describe(ctx, string(id))
	if err != nil {
		return "", err
	}
	title := in.Title
	if title == "" {
		title = in.First
	}
	forked, err := transcript.Fork(ctx, path, anchor, title)
	return session.ID(forked), err
}

// Remove deletes a session for good: its transcript, and the folder with its child agents and the outputs of its tools.
// It does not know whether a runtime is using them.
func (a *Archive) Remove(ctx context.Context, id session.ID) error {
	path, err := a.lister.Find(ctx, string(id))
	if err != nil {
		return err
	}
	a.mu.Lock()
	delete(a.open, id)
	a.mu.Unlock()
	for _, p := range []string{path, strings.TrimSuffix(path, filepath.Ext(path))} {
		if err := os.RemoveAll(p); err != nil {
			return &session.Error{Op: "remove session", Kind: session.KindDisk, Err: err}
		}
	}
	return nil
}

// Kept returns what Remove deletes; see [session.Remover].
func (a *Archive) Kept(ctx context.Context, id session.ID) ([]string, error) {
	path, err := a.lister.Find(ctx, string(id))
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
