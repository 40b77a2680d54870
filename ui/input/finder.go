package input

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/compose"
	"parley/ui/files"
)

// mostFiles is how many files are offered.
const mostFiles = 50

// finder searches files for the completion: one search at a time, the last query wins. The event loop owns it.
type finder struct {
	ctx     context.Context
	open    func(dir string) *files.Tree
	tree    *files.Tree // of the directory that was searched last, nil before the first search
	query   string      // to be answered
	due     bool        // the query must be searched again
	busy    bool        // a search is under way
	waiting bool        // a command waits for news of the walk
	// answered is the query whose files were found, none of them if found is empty and not nil.
	answered string
	found    []files.Match
}

type (
	// foundMsg brings the files that match a query.
	foundMsg struct {
		tree  *files.Tree
		query string
		found files.Found
		err   error
	}
	// walkedMsg says that more of a directory was read.
	walkedMsg struct{ tree *files.Tree }
)

// look searches a directory for a query.
func (f *finder) look(dir, query string) tea.Cmd {
	if f.tree == nil || f.tree.Dir() != dir {
		old := f.tree
		*f = finder{ctx: f.ctx, open: f.open, tree: f.open(dir)}
		if old != nil {
			return tea.Batch(func() tea.Msg { old.Close(); return nil }, f.look(dir, query))
		}
	}
	if f.query != query || f.answered != query || f.found == nil {
		f.query, f.due = query, true
	}
	return f.search()
}

// search starts the search that is due unless one is under way.
func (f *finder) search() tea.Cmd {
	if f.busy || !f.due {
		return nil
	}
	f.busy, f.due = true, false
	t, ctx, query := f.tree, f.ctx, f.query
	return func() tea.Msg {
		found, err := t.Find(ctx, query, mostFiles)
		return foundMsg{t, query, found, err}
	}
}

// take keeps what a search found and reports whether it found out anything. A search that ended before the walk did is
// due again.
func (f *finder) take(msg foundMsg) bool {
	f.busy = false
	if msg.err == nil {
		f.answered, f.found = msg.query, append([]files.Match{}, msg.found.Matches...)
	}
	if !msg.found.Complete && !f.tree.Walking() { // everything was read during the search
		f.due = true
	}
	return msg.err == nil
}

// await waits for news of the directory while it is read.
func (f *finder) await() tea.Cmd {
	if f.waiting || f.tree == nil || !f.tree.Walking() && len(f.tree.News()) == 0 {
		return nil
	}
	f.waiting = true
	t, ctx := f.tree, f.ctx
	return func() tea.Msg {
		select {
		case <-t.News():
			return walkedMsg{t}
		case <-ctx.Done():
			return nil
		}
	}
}

// candidates returns the files that match a query as far as they are known. Until a search answers it, the files found for
// the query before are offered if they still match.
func (f *finder) candidates(query string) []compose.Candidate {
	all := make([]compose.Candidate, 0, len(f.found))
	for _, match := range f.found {
		if f.answered != query && !fits(match.Path, query) {
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

// completesFiles reports whether a file is written at the cursor.
func (m *Model) completesFiles() bool { return m.completion.Request().What == compose.CompleteFile }

// found offers the files of a search, and searches on if something else was written or more was read meanwhile.
func (m *Model) found(msg foundMsg) tea.Cmd {
	f := &m.finder
	if msg.tree != f.tree {
		return nil
	}
	if f.take(msg) {
		m.completion.Refresh()
		m.redraw = true
	}
	var cmd tea.Cmd
	if f.due && m.completesFiles() {
		cmd = f.look(m.o.Chat.Dir(), f.query)
	}
	return tea.Batch(cmd, f.await())
}

// walked searches again, in more files.
func (m *Model) walked(msg walkedMsg) tea.Cmd {
	f := &m.finder
	if msg.tree != f.tree {
		return nil
	}
	f.waiting = false
	if !m.completesFiles() {
		return f.await()
	}
	f.due = true
	return tea.Batch(f.look(m.o.Chat.Dir(), f.query), f.await())
}

// noFiles returns why no files are offered where one is written, "" if some are or none is written.
func (m *Model) noFiles() string {
	f, r := &m.finder, m.completion.Request()
	if m.completion.Open() || !m.completesFiles() || m.completion.Closed() || f.tree == nil {
		return ""
	}
	switch {
	case f.tree.Walking():
		return "looking for files…"
	case f.answered == r.Query && f.found != nil:
		return "no file fits"
	}
	return ""
}
