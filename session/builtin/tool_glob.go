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

	"parley/session"
)

var globTool = &tool{
	name: "Glob", kind: session.ToolSearch,
	description: "Finds files by a pattern such as **/*.go or src/**/*.{ts,tsx}. Gives paths, most recently changed first, at " +
		"most 200. What .gitignore names is left out.",
	schema: `{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"Glob pattern, relative to path; ** matches any directories"},` +
		`"path":{"type":"string","description":"Directory to look in; the working directory if left out"}},` +
		`"required":["pattern"],"additionalProperties":false}`,
	prepare: prepareGlob,
}

const globFiles = 200

func prepareGlob(_ context.Context, w *workspace, input json.RawMessage) (*job, error) {
	var in struct{ Pattern, Path string }
	if err := decodeInput(input, &in, "pattern"); err != nil {
		return nil, err
	}
	root, err := w.searchRoot(in.Path)
	if err != nil {
		return nil, err
	}
	pattern := filepath.ToSlash(in.Pattern)
	if filepath.IsAbs(in.Pattern) {
		// The fixed beginning of an absolute pattern says where to look.
		base, rest := doublestar.SplitPattern(pattern)
		root, pattern = filepath.FromSlash(base), rest
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if strings.HasPrefix(pattern, "../") || !doublestar.ValidatePattern(pattern) {
		return nil, errTool("%q is not a pattern below %s.", in.Pattern, w.short(root))
	}
	return &job{ask: session.PermissionAsk{Path: root}, run: func(ctx context.Context, _ session.CallID, _ func(string)) outcome {
		return w.glob(ctx, root, pattern)
	}}, nil
}

// searchRoot returns the directory, or file, that a search begins at.
func (w *workspace) searchRoot(path string) (string, error) {
	if path == "" {
		return w.dir, nil
	}
	root, err := w.abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(root); err != nil {
		return "", errTool("%s cannot be searched: %v", w.short(root), cause(err))
	}
	return root, nil
}

func (w *workspace) glob(ctx context.Context, root, pattern string) outcome {
	type found struct {
		path  string
		mtime time.Time
	}
	var all []found
	whole := walk(ctx, root, func(path string, d fs.DirEntry) bool {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return true
		}
		if ok, _ := doublestar.Match(pattern, filepath.ToSlash(rel)); !ok {
			return true
		}
		f := found{path: path}
		if info, err := d.Info(); err == nil {
			f.mtime = info.ModTime()
		}
		all = append(all, f)
		return true
	})
	if ctx.Err() != nil {
		return cancelled
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(b.mtime.Compare(a.mtime), cmp.Compare(a.path, b.path)) })
	r := session.ToolResult{Summary: counted(len(all), "file"), Truncated: !whole || len(all) > globFiles}
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
	if !whole {
		b.WriteString("(there are too many files; not all were looked at)\n")
	}
	r.Text = b.String()
	return outcome{outcome: session.ToolOK, result: r}
}
