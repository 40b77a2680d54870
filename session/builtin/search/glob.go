package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Glob finds files by their paths.
var Glob = &tool.Tool{
	Name: "Glob", Kind: toolview.Search,
	Description: "Finds files by a pattern such as **/*.go or src/**/*.{ts,tsx}; * shows what a directory has. Gives paths, most recently " +
		"changed first, at most 200. A pattern without ** gives directories too, first and with a slash at the end. Hidden files are found; " +
		".git and what .gitignore, .ignore or .rgignore name are left out.",
	Schema: `{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"Glob pattern, relative to path; ** matches any directories; * if left out"},` +
		`"path":{"type":"string","description":"Directory to look in; the working directory if left out"}},` +
		`"additionalProperties":false}`,
	Prepare: prepareGlob,
}

// globFiles bounds the files and the folders that a call gives, maxGlobbed the folders that a worker remembers.
const (
	globFiles  = 200
	maxGlobbed = 100_000
)

func prepareGlob(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct{ Pattern, Path string }
	if err := tool.DecodeInput(input, &in); err != nil {
		return nil, err
	}
	pattern := filepath.ToSlash(cmp.Or(in.Pattern, "*"))
	if strings.HasSuffix(pattern, "/") { // what is in the folder
		pattern += "*"
	}
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
	if pattern == "." {
		pattern = "*"
	}
	switch {
	case strings.HasPrefix(pattern, "../") || pattern == ".." || pattern == "":
		return nil, tool.Errorf("%q leads out of the directory that is searched. Give the one that is meant as path.", in.Pattern)
	case !doublestar.ValidatePattern(pattern):
		return nil, tool.Errorf("%q is not a pattern: a [ or { is not closed, or stands for itself and needs a \\ before it.", in.Pattern)
	}
	return &tool.Job{Ask: session.PermissionAsk{Path: top.Path}, Place: top, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		return glob(w, ctx, top, newPathPattern(pattern))
	}}, nil
}

// globbed is a file that was found.
type globbed struct {
	path  string
	mtime int64 // in nanoseconds since 1970
}

// newest orders files: the most recently changed first, then by path.
func newest(a, b globbed) int {
	return cmp.Or(cmp.Compare(b.mtime, a.mtime), strings.Compare(a.path, b.path))
}

// globbing holds the finds of one worker: folders, the number of files, and the newest of these.
type globbing struct {
	folders []string
	count   int
	files   []globbed
	// oldest is before the time of each file that may be among the newest.
	oldest int64
}

// add adds a file to the newest, and forgets the oldest from time to time.
func (g *globbing) add(f globbed) {
	if g.files = append(g.files, f); len(g.files) >= 4*globFiles {
		g.trim()
		g.oldest = g.files[globFiles-1].mtime
	}
}

func (g *globbing) trim() {
	slices.SortFunc(g.files, newest)
	g.files = g.files[:min(len(g.files), globFiles)]
}

func glob(w *tool.Workspace, ctx context.Context, top tool.Place, pattern *pathPattern) tool.Outcome {
	below := w.Search(ctx, top)
	var all globbing
	mine := func(k *worker) *globbing {
		g, ok := k.mine.(*globbing)
		if !ok {
			g = &globbing{oldest: math.MinInt64}
			k.mine = g
		}
		return g
	}
	tree := &walk{ctx: ctx, choice: choice{userFile: userFile(ctx, w), could: pattern.could}, below: below, look: func(k *worker, b batch) any {
		g := mine(k)
		for _, file := range b.files {
			if !pattern.matches(file) {
				continue
			}
			name := file[b.skip():]
			mtime := int64(math.MinInt64) // gone meanwhile
			if info, err := b.in.Stat(name, &k.Scratch); err == nil && info.Mode.IsRegular() {
				mtime = info.Mtime
			}
			if g.count++; mtime >= g.oldest {
				g.add(globbed{b.path(name), mtime})
			}
		}
		return nil
	}, collect: func(mine any) {
		g := mine.(*globbing)
		all.count += g.count
		all.files = append(all.files, g.files...)
		all.folders = append(all.folders, g.folders...)
	}}
	if !strings.Contains(pattern.text, "**") {
		tree.folder = func(k *worker, here batch, name string) {
			if g := mine(k); pattern.matches(join(here.rel, name)) && len(g.folders) < maxGlobbed && !k.hide(here, name) {
				g.folders = append(g.folders, here.path(name))
			}
		}
	}
	whole, err := tree.run(top)
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	if err != nil {
		return unsearchable(ctx, w, top, err)
	}
	all.trim()
	r := session.ToolResult{Summary: human.Count(all.count, "file", "files"), Truncated: !whole || all.count > globFiles || len(all.folders) > globFiles}
	var b strings.Builder
	if n := len(all.folders); n > 0 {
		slices.Sort(all.folders)
		r.Summary = human.Count(n, "folder", "folders") + ", " + r.Summary
		for _, path := range all.folders[:min(n, globFiles)] {
			b.WriteString(w.Short(path) + "/\n")
		}
	}
	for _, f := range all.files {
		b.WriteString(w.Short(f.path) + "\n")
	}
	switch {
	case len(all.folders)+all.count == 0:
		b.WriteString("No file matches.\n")
	case r.Truncated && whole:
		fmt.Fprintf(&b, "(%d directories and %d files match, and at most %d of each are shown; narrow the pattern to see the others)\n",
			len(all.folders), all.count, globFiles)
	}
	b.WriteString(below.Note())
	if len(all.folders)+all.count == 0 && tree.ignored.Load() {
		b.WriteString(ignoredNote)
	}
	if !whole {
		b.WriteString("(there are too many files, or too many folders in each other; not all were looked at)\n")
	}
	r.Text = b.String()
	return tool.Outcome{How: session.ToolOK, Result: r}
}

// pathPattern is a pattern of paths, with what is quick to check of it.
type pathPattern struct {
	text   string
	suffix string // of every match
	// deep reports whether every path with the suffix matches.
	deep bool
	// names are the patterns of the folders before the first **; fixed means that there is no **.
	names []string
	fixed bool
}

func newPathPattern(text string) *pathPattern {
	p := &pathPattern{text: text}
	const special = `*?[]{}\`
	p.suffix = text[strings.LastIndexAny(text, special)+1:]
	if rest, ok := strings.CutPrefix(text, "**/*"); ok && rest == p.suffix && !strings.Contains(rest, "/") {
		p.deep = true
	}
	if strings.HasPrefix(p.suffix, "/") || strings.HasSuffix(strings.TrimSuffix(text, p.suffix), "**") {
		p.suffix = "" // ** at the end also matches without the slash before it
	}
	if strings.ContainsAny(text, `{\`) { // an alternative may have slashes
		return p
	}
	names := strings.Split(text, "/")
	p.fixed = true
	for i, name := range names {
		if strings.Contains(name, "**") {
			names, p.fixed = names[:i], false
			break
		}
	}
	if p.fixed {
		names = names[:len(names)-1]
	}
	p.names = names
	return p
}

// matches reports whether a path matches, which has slashes.
func (p *pathPattern) matches(rel string) bool {
	if !strings.HasSuffix(rel, p.suffix) {
		return false
	}
	if p.deep {
		return true
	}
	ok, _ := doublestar.Match(p.text, rel)
	return ok
}

// could reports whether there may be matches in a folder.
func (p *pathPattern) could(rel string) bool {
	at := 0
	for name := range strings.SplitSeq(rel, "/") {
		if at == len(p.names) {
			return !p.fixed
		}
		if ok, _ := doublestar.Match(p.names[at], name); !ok {
			return false
		}
		at++
	}
	return true
}
