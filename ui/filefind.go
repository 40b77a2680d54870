package ui

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/compose"
	"parley/ui/files"
)

// mostFiles is how many files are offered, and walkAgain how old what is known of a directory may get before it is read
// anew when a file is asked for.
const (
	mostFiles = 50
	walkAgain = 10 * time.Second
)

// fileFinding is what is known of the files that may be meant. The event loop owns it.
type fileFinding struct {
	tree   *tree
	want   string // the query that is to be answered
	asked  bool   // want is new
	busy   bool   // a search is under way
	waits  bool   // somebody waits for news of the walk
	answer string // the query that found answers
	found  []files.Match
}

type (
	// foundMsg brings the files that fit a query.
	foundMsg struct {
		tree  *tree
		query string
		found files.Found
		err   error
	}
	// walkedMsg says that more of a directory is known.
	walkedMsg struct{ tree *tree }
)

// tree is a directory whose files can be found. Its methods are safe for concurrent use and not for the event loop, but
// news, which is only received from.
type tree struct {
	dir, home, ignore string
	open              func(dir string) fs.FS
	now               func() time.Time
	news              chan struct{}

	mu     sync.Mutex
	finder *files.Finder
	walked time.Time
	closed bool
}

// treeOf makes the tree of a directory. Nothing is read yet.
func (o *Options) treeOf(dir string) *tree {
	open := o.Files
	if open == nil {
		open = files.OnDisk
	}
	home := o.env("HOME")
	config := cmp.Or(o.env("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	return &tree{dir: dir, home: home, ignore: filepath.Join(config, "git", "ignore"), open: open, now: o.Now, news: make(chan struct{}, 1)}
}

// ready returns the finder, which begins to read the directory if that is due.
func (t *tree) ready(ctx context.Context) *files.Finder {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.finder == nil {
		above := files.RepositoryAbove(context.WithoutCancel(ctx), t.dir, t.ignore) // the finder outlives the query
		t.finder = files.New(t.open(t.dir), files.Options{Above: above, Changed: func() {
			select {
			case t.news <- struct{}{}:
			default:
			}
		}})
	}
	if now := t.now(); !t.closed && (t.walked.IsZero() || now.Sub(t.walked) > walkAgain) {
		t.walked = now
		t.finder.Refresh()
	}
	return t.finder
}

// find looks for files. What does not stand below the directory is looked up where it says.
func (t *tree) find(ctx context.Context, query string) (files.Found, error) {
	if elsewhere(query) {
		return files.Found{Matches: t.list(query), Complete: true}, nil
	}
	return t.ready(ctx).Find(ctx, query, mostFiles)
}

// elsewhere reports whether a path leads out of the directory.
func elsewhere(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "../")
}

// path is where a path that was written leads.
func (t *tree) path(written string) string {
	if rest, ok := strings.CutPrefix(written, "~/"); ok && t.home != "" {
		return filepath.Join(t.home, rest)
	}
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(t.dir, filepath.FromSlash(written))
}

// list lists a directory elsewhere, by the beginning of a name.
func (t *tree) list(query string) []files.Match {
	i := strings.LastIndexByte(query, '/') + 1
	entries, err := os.ReadDir(t.path(query[:i]))
	if err != nil {
		return nil
	}
	var all []files.Match
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(strings.ToLower(name), strings.ToLower(query[i:])) || name[0] == '.' && i == len(query) {
			continue
		}
		path := query[:i] + name
		if e.IsDir() {
			path += "/"
		}
		all = append(all, files.Match{Path: path, Dir: e.IsDir()})
	}
	return all[:min(len(all), mostFiles)]
}

// more reports whether the directory is still being read.
func (t *tree) more() bool {
	t.mu.Lock()
	f := t.finder
	t.mu.Unlock()
	return f != nil && f.State().Walking
}

// close ends what reads the directory, and waits for that.
func (t *tree) close() {
	t.mu.Lock()
	f := t.finder
	t.closed = true
	t.mu.Unlock()
	if f != nil {
		f.Close()
	}
}

// closeSoon closes the tree, and does not wait for long: a disk that does not answer must not keep the program.
func (t *tree) closeSoon() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.close()
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// candidates are the files that fit what is written, as far as they are known. What was found for a query before is
// shown as long as it fits, until there is an answer.
func (f *fileFinding) candidates(query string) []compose.Candidate {
	all := make([]compose.Candidate, 0, len(f.found))
	for _, match := range f.found {
		if f.answer != query && !fits(match.Path, query) {
			continue
		}
		all = append(all, compose.Candidate{Text: match.Path, More: match.Dir})
	}
	return all
}

// fits reports whether a path has the letters of a query in their order.
func fits(path, query string) bool {
	path, query = strings.ToLower(path), strings.ToLower(query)
	at := 0
	for i := 0; i < len(path) && at < len(query); i++ {
		if path[i] == query[at] {
			at++
		}
	}
	return at == len(query)
}

// findFiles has files looked for: one search at a time, the last query wins.
func (m *Model) findFiles(query string) tea.Cmd {
	f := &m.files
	if dir := m.dir(); f.tree == nil || f.tree.dir != dir {
		old := f.tree
		*f = fileFinding{tree: m.opts.treeOf(dir)}
		if old != nil {
			return tea.Batch(m.command(func() tea.Msg { old.close(); return nil }), m.findFiles(query))
		}
	}
	if f.want != query || f.answer != query || f.found == nil {
		f.want, f.asked = query, true
	}
	if f.busy || !f.asked {
		return nil
	}
	f.busy, f.asked = true, false
	t, ctx := f.tree, m.ctx
	return m.command(func() tea.Msg {
		found, err := t.find(ctx, query)
		return foundMsg{t, query, found, err}
	})
}

// gotFiles takes in what was found, and goes on looking if more was written or more is known meanwhile.
func (m *Model) gotFiles(msg foundMsg) tea.Cmd {
	f := &m.files
	if msg.tree != f.tree {
		return nil
	}
	f.busy = false
	if msg.err == nil {
		f.answer, f.found = msg.query, append([]files.Match{}, msg.found.Matches...)
		m.completing.Refresh()
		m.touch()
	}
	if !msg.found.Complete && !f.tree.more() { // all was read while it was searched
		f.asked = true
	}
	var cmd tea.Cmd
	if f.asked && m.completing.Request().What == compose.CompleteFile {
		cmd = m.findFiles(f.want)
	}
	return tea.Batch(cmd, m.awaitWalk())
}

// awaitWalk waits for news of the directory while it is read.
func (m *Model) awaitWalk() tea.Cmd {
	f := &m.files
	if f.waits || f.tree == nil || !f.tree.more() && len(f.tree.news) == 0 {
		return nil
	}
	f.waits = true
	t, ctx := f.tree, m.ctx
	return m.command(func() tea.Msg {
		select {
		case <-t.news:
			return walkedMsg{t}
		case <-ctx.Done():
			return nil
		}
	})
}

// walked looks again, in more files.
func (m *Model) walked(msg walkedMsg) tea.Cmd {
	f := &m.files
	if msg.tree != f.tree {
		return nil
	}
	f.waits = false
	if m.completing.Request().What != compose.CompleteFile {
		return m.awaitWalk()
	}
	f.asked = true
	return tea.Batch(m.findFiles(f.want), m.awaitWalk())
}

// noFiles says why no files are offered where some are looked for, "" if some are or none are looked for.
func (m *Model) noFiles() string {
	f := &m.files
	r := m.completing.Request()
	if all, _ := m.completing.List(); len(all) > 0 || r.What != compose.CompleteFile || m.completing.Closed() || f.tree == nil {
		return ""
	}
	switch {
	case f.tree.more():
		return "looking for files…"
	case f.answer == r.Query && f.found != nil:
		return "no file fits"
	}
	return ""
}
