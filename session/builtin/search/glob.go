package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Glob finds files by their paths.
var Glob = &tool.Tool{
	Name: "Glob", Kind: toolview.Search,
	Description: "Finds files by a pattern such as **/*.go or src/**/*.{ts,tsx}. Gives paths, most recently changed first, at " +
		"most 200. What .gitignore names is left out.",
	Schema: `{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"Glob pattern, relative to path; ** matches any directories"},` +
		`"path":{"type":"string","description":"Directory to look in; the working directory if left out"}},` +
		`"required":["pattern"],"additionalProperties":false}`,
	Prepare: prepareGlob,
}

const globFiles = 200

func prepareGlob(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct{ Pattern, Path string }
	if err := tool.DecodeInput(input, &in, "pattern"); err != nil {
		return nil, err
	}
	pattern := filepath.ToSlash(in.Pattern)
	if filepath.IsAbs(in.Pattern) {
		// The fixed beginning of an absolute pattern is where the search begins.
		base, rest := doublestar.SplitPattern(pattern)
		in.Path, pattern = filepath.FromSlash(base), rest
	}
	top, err := w.Place(cmp.Or(in.Path, w.Dir))
	if err != nil {
		return nil, err
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if strings.HasPrefix(pattern, "../") || !doublestar.ValidatePattern(pattern) {
		return nil, tool.Errorf("%q is not a pattern below %s.", in.Pattern, w.Short(top.Path))
	}
	return &tool.Job{Ask: session.PermissionAsk{Path: top.Path}, Place: top, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		return glob(w, ctx, top, pattern)
	}}, nil
}

func glob(w *tool.Workspace, ctx context.Context, top tool.Place, pattern string) tool.Outcome {
	type found struct {
		path  string
		mtime time.Time
	}
	var all []found
	below := w.Search(ctx, top)
	whole, err := walkBelow(ctx, below, func(path string, in *os.Root, d fs.DirEntry) bool {
		rel, err := filepath.Rel(top.Path, path)
		if err != nil {
			return true
		}
		if ok, _ := doublestar.Match(pattern, filepath.ToSlash(rel)); !ok {
			return true
		}
		f := found{path: path}
		if info, err := in.Lstat(d.Name()); err == nil {
			f.mtime = info.ModTime()
		}
		all = append(all, f)
		return true
	})
	if err != nil {
		return unsearchable(w, top, err)
	}
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(b.mtime.Compare(a.mtime), cmp.Compare(a.path, b.path)) })
	r := session.ToolResult{Summary: human.Count(len(all), "file", "files"), Truncated: !whole || len(all) > globFiles}
	var b strings.Builder
	for _, f := range all[:min(len(all), globFiles)] {
		b.WriteString(w.Short(f.path) + "\n")
	}
	switch {
	case len(all) == 0:
		b.WriteString("No file matches.\n")
	case len(all) > globFiles:
		fmt.Fprintf(&b, "(%d of %d; narrow the pattern to see the others)\n", globFiles, len(all))
	}
	b.WriteString(below.Note())
	if !whole {
		b.WriteString("(there are too many files, or too many folders in each other; not all were looked at)\n")
	}
	r.Text = b.String()
	return tool.Outcome{How: session.ToolOK, Result: r}
}
