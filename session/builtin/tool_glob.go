package builtin

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
	"parley/session/toolview"
)

var globTool = &tool{
	name: "Glob", kind: toolview.Search,
	description: "Finds files by a pattern such as **/*.go or src/**/*.{ts,tsx}. Gives paths, most recently changed first, at " +
		"most 200. What .gitignore names is left out.",
	schema: `{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"Glob pattern, relative to path; ** matches any directories"},` +
		`"path":{"type":"string","description":"Directory to look in; the working directory if left out"}},` +
		`"required":["pattern"],"additionalProperties":false}`,
	prepare: prepareGlob,
}

const globFiles = 200

func prepareGlob(w *workspace, input json.RawMessage) (*job, error) {
	var in struct{ Pattern, Path string }
	if err := decodeInput(input, &in, "pattern"); err != nil {
		return nil, err
	}
	pattern := filepath.ToSlash(in.Pattern)
	if filepath.IsAbs(in.Pattern) {
		// The fixed beginning of an absolute pattern is where the search begins.
		base, rest := doublestar.SplitPattern(pattern)
		in.Path, pattern = filepath.FromSlash(base), rest
	}
	top, err := w.place(cmp.Or(in.Path, w.dir))
	if err != nil {
		return nil, err
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if strings.HasPrefix(pattern, "../") || !doublestar.ValidatePattern(pattern) {
		return nil, errTool("%q is not a pattern below %s.", in.Pattern, w.short(top.path))
	}
	return &job{ask: session.PermissionAsk{Path: top.path}, place: top, run: func(ctx context.Context, _ session.CallID, _ func(string)) outcome {
		return w.glob(ctx, top, pattern)
	}}, nil
}

func (w *workspace) glob(ctx context.Context, top place, pattern string) outcome {
	type found struct {
		path  string
		mtime time.Time
	}
	var all []found
	search := w.search(ctx, top)
	whole, err := search.walk(ctx, func(path string, in *os.Root, d fs.DirEntry) bool {
		rel, err := filepath.Rel(top.path, path)
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
		return w.unsearchable(top, err)
	}
	if ctx.Err() != nil {
		return cancelled
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(b.mtime.Compare(a.mtime), cmp.Compare(a.path, b.path)) })
	r := session.ToolResult{Summary: human.Count(len(all), "file", "files"), Truncated: !whole || len(all) > globFiles}
	var b strings.Builder
	for _, f := range all[:min(len(all), globFiles)] {
		b.WriteString(w.short(f.path) + "\n")
	}
	switch {
	case len(all) == 0:
		b.WriteString("No file matches.\n")
	case len(all) > globFiles:
		fmt.Fprintf(&b, "(%d of %d; narrow the pattern to see the others)\n", globFiles, len(all))
	}
	b.WriteString(search.note())
	if !whole {
		b.WriteString("(there are too many files, or too many folders in each other; not all were looked at)\n")
	}
	r.Text = b.String()
	return outcome{outcome: session.ToolOK, result: r}
}
