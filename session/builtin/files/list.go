package files

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/builtin/tool"
)

const (
	// maxListed bounds the names of a directory that a call of Read gives.
	maxListed = 500
	// maxCounted bounds those that are counted: a directory with more cannot be listed.
	maxCounted = 1_000_000
)

// listed returns the names in a directory, folders with a slash at the end, and false if the place is no directory that can be
// listed. Names that may not be read are left out.
func listed(ctx context.Context, w *tool.Workspace, p tool.Place) (session.ToolResult, bool) {
	if p.Err != nil {
		return session.ToolResult{}, false
	}
	in, err := safefs.Descend(p.Real)
	if err != nil {
		return session.ToolResult{}, false
	}
	defer in.Release()
	var scratch safefs.Scratch
	names, err := in.List(nil, maxCounted, &scratch)
	if err != nil {
		return session.ToolResult{}, false
	}
	slices.SortFunc(names, func(a, b safefs.Name) int { return strings.Compare(a.Text, b.Text) })
	search := w.Search(ctx, p)
	var b strings.Builder
	shown, all := 0, 0
	for _, n := range names {
		if search.Rules() && search.Hide(filepath.Join(p.Path, n.Text)) {
			continue
		}
		if all++; all > maxListed {
			continue
		}
		shown++
		b.WriteString(n.Text)
		if n.Kind == safefs.Dir {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
	}
	switch {
	case all == 0:
		b.WriteString("(the directory is empty)\n")
	case shown < all:
		fmt.Fprintf(&b, "(%d of %d; find the others with Glob)\n", shown, all)
	}
	b.WriteString(search.Note())
	return session.ToolResult{Text: b.String(), Summary: human.Count(all, "name", "names"), Truncated: shown < all}, true
}
