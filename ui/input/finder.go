package input

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/files"
	"parley/ui/textarea"
)

// maxFiles is the most files that are offered.
const maxFiles = 50

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
	// walkedMsg means that more of a directory was read.
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
		found, err := t.Find(ctx, query, maxFiles)
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
func (f *finder) candidates(query string) []textarea.Candidate {
	all := make([]textarea.Candidate, 0, len(f.found))
	for _, match := range f.found {
		if f.answered != query && !fits(match.Path, query) {
			continue
		}
		all = append(all, textarea.Candidate{Text: match.Path, More: match.Dir})
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

// update handles the end of a search or news of the walk. It searches on if another query was written or more was read
// meanwhile, and a file is still written in the directory. found reports whether there are new candidates.
func (f *finder) update(msg tea.Msg, dir string, writing bool) (cmd tea.Cmd, found bool) {
	switch msg := msg.(type) {
	case foundMsg:
		if msg.tree != f.tree {
			return nil, false
		}
		found = f.take(msg)
	case walkedMsg:
		if msg.tree != f.tree {
			return nil, false
		}
		f.waiting = false
		f.due = f.due || writing
	}
	if f.due && writing {
		cmd = f.look(dir, f.query)
	}
	return tea.Batch(cmd, f.await()), found
}

// none returns why there are no candidates for a query, "" if nothing was searched yet.
func (f *finder) none(query string) string {
	switch {
	case f.tree == nil:
	case f.tree.Walking():
		return "looking for files…"
	case f.answered == query && f.found != nil:
		return "no file fits"
	}
	return ""
}
