package ui

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/compose"
	"parley/ui/files"
)

// mostFiles is how many files are offered.
const mostFiles = 50

// fileFinding is what is known of the files that may be meant. The event loop owns it.
type fileFinding struct {
	tree   *files.Tree
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
		tree  *files.Tree
		query string
		found files.Found
		err   error
	}
	// walkedMsg says that more of a directory is known.
	walkedMsg struct{ tree *files.Tree }
)

// treeOf makes the tree of a directory. Nothing is read yet.
func (o *Options) treeOf(dir string) *files.Tree {
	home := o.env("HOME")
	config := cmp.Or(o.env("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	return files.NewTree(files.TreeOptions{Dir: dir, Home: home, Ignore: filepath.Join(config, "git", "ignore"), Open: o.Files, Now: o.Now})
}

// closeSoon closes the tree, and does not wait for long: a disk that does not answer must not keep the program.
func closeSoon(t *files.Tree) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.Close()
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
	if dir := m.dir(); f.tree == nil || f.tree.Dir() != dir {
		old := f.tree
		*f = fileFinding{tree: m.opts.treeOf(dir)}
		if old != nil {
			return tea.Batch(m.command(func() tea.Msg { old.Close(); return nil }), m.findFiles(query))
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
		found, err := t.Find(ctx, query, mostFiles)
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
	if !msg.found.Complete && !f.tree.Walking() { // all was read while it was searched
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
	if f.waits || f.tree == nil || !f.tree.Walking() && len(f.tree.News()) == 0 {
		return nil
	}
	f.waits = true
	t, ctx := f.tree, m.ctx
	return m.command(func() tea.Msg {
		select {
		case <-t.News():
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
	case f.tree.Walking():
		return "looking for files…"
	case f.answer == r.Query && f.found != nil:
		return "no file fits"
	}
	return ""
}
