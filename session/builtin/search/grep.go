package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"parley/internal/git"
	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Grep finds text in files.
var Grep = &tool.Tool{
	Name: "Grep", Kind: toolview.Search,
	Description: "Searches the content of files for a regular expression (RE2 syntax, as ripgrep has it), line by line. Hidden " +
		"files are searched; binary files, .git and what .gitignore, .ignore or .rgignore name are left out. output_mode is content " +
		"(matching lines with numbers), files_with_matches (the default) or count. Narrow a search with path, glob or type.",
	Schema: `{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"Regular expression; literal braces, brackets and dots need a backslash"},` +
		`"path":{"type":"string","description":"File or directory to search; the working directory if left out"},` +
		`"glob":{"type":"string","description":"Only files that match, such as *.go or **/*_test.go or *.{ts,tsx}; !*.md leaves out; several are separated by spaces. Relative to path"},` +
		`"type":{"type":"string","description":"Only files of a type such as go, py, js, ts, rust, java, cpp, md; several are separated by commas"},` +
		`"output_mode":{"type":"string","enum":["content","files_with_matches","count"]},` +
		`"-i":{"type":"boolean","description":"Ignore case"},` +
		`"-n":{"type":"boolean","description":"Number lines in content mode; true if left out"},` +
		`"-A":{"type":"integer","description":"Lines to show after each match"},` +
		`"-B":{"type":"integer","description":"Lines to show before each match"},` +
		`"-C":{"type":"integer","description":"Lines to show around each match"},` +
		`"multiline":{"type":"boolean","description":"Matches may span lines, and . matches line breaks"},` +
		`"head_limit":{"type":"integer","description":"At most this many lines or files; 250 if left out, 0 for as many as fit"},` +
		`"offset":{"type":"integer","description":"Leave out this many lines or files first, to go on after a result that was cut"}},` +
		`"required":["pattern"],"additionalProperties":false}`,
	Prepare: prepareGrep,
}

type grepInput struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Glob    string `json:"glob"`
	Type    string `json:"type"`
	Mode    string `json:"output_mode"`
	Fold    bool   `json:"-i"`
	Number  *bool  `json:"-n"`
	After   int    `json:"-A"`
	Before  int    `json:"-B"`
	Around  int    `json:"-C"`
	Whole   bool   `json:"multiline"`
	Limit   *int   `json:"head_limit"`
	Offset  int    `json:"offset"`
}

const (
	grepLimit   = 250
	grepBytes   = 48 << 10
	grepContext = 50
	// grepRows bounds head_limit and offset.
	grepRows = 10_000
	// maxWaiting bounds the results that wait for those before them, in bytes.
	maxWaiting = 8 << 20
)

func prepareGrep(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in grepInput
	if err := tool.DecodeInput(input, &in, "pattern"); err != nil {
		return nil, err
	}
	switch in.Mode {
	case "":
		in.Mode = "files_with_matches"
	case "content", "files_with_matches", "count":
	default:
		return nil, tool.Errorf("There is no output_mode %q. There are content, files_with_matches and count.", in.Mode)
	}
	m, err := newMatcher(in.Pattern, in.Fold, in.Whole)
	if err != nil {
		return nil, err
	}
	c := choice{}
	var ok bool
	if c.globs, ok = parseGlobs(in.Glob); !ok {
		return nil, tool.Errorf("The glob stands for more than %d patterns. Use a simpler one.", maxGlobs)
	}
	if c.types, err = parseTypes(in.Type); err != nil {
		return nil, err
	}
	top, err := w.Place(cmp.Or(in.Path, w.Dir))
	if err != nil {
		return nil, err
	}
	limit := grepLimit
	if in.Limit != nil && *in.Limit >= 0 {
		limit = cmp.Or(min(*in.Limit, grepRows), grepRows)
	}
	in.Limit, in.Offset = &limit, min(max(in.Offset, 0), grepRows)
	in.Before = min(max(cmp.Or(in.Before, in.Around), 0), grepContext) // as ripgrep has it
	in.After = min(max(cmp.Or(in.After, in.Around), 0), grepContext)
	return &tool.Job{Ask: session.PermissionAsk{Path: top.Path}, Place: top, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		return grep(w, ctx, top, m, c, in)
	}}, nil
}

// grepRun is one run of a search.
type grepRun struct {
	w       *tool.Workspace
	in      *grepInput
	match   *matcher
	waiting atomic.Int64 // bytes of results that are not taken yet
	long    atomic.Int64 // files that are too long

	text    strings.Builder
	passed  int // rows left out for the offset
	rows    int
	files   int
	matches int
	full    bool
}

// foundHits holds the hits in a batch of files.
type foundHits struct {
	files []hits
	bytes int
	more  bool // there is more in these files than was collected
}

func grep(w *tool.Workspace, ctx context.Context, top tool.Place, m *matcher, c choice, in grepInput) tool.Outcome {
	r := &grepRun{w: w, in: &in, match: m}
	c.userFile = userFile(ctx, w)
	below := w.Search(ctx, top)
	tree := &walk{ctx: ctx, choice: c, below: below, look: r.look, take: r.take}
	whole, err := tree.run(top)
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	if err != nil {
		return unsearchable(ctx, w, top, err)
	}
	result := r.result(whole || r.full)
	r.notes(&result, below.Note(), tree.ignored.Load())
	return tool.Outcome{How: session.ToolOK, Result: result}
}

// look searches the files of a batch. Workers call it at the same time.
func (r *grepRun) look(k *worker, b batch) any {
	s, ok := k.mine.(*scanner)
	if !ok {
		s = &scanner{finder: r.match.finder(), in: r.in, need: *r.in.Limit + r.in.Offset + 1, late: k.late}
		k.mine = s
	}
	var out foundHits
	rows, prefix := 0, r.w.Short(b.dir)+string(filepath.Separator)
	if prefix = strings.TrimPrefix(prefix, "."+string(filepath.Separator)); strings.HasSuffix(b.dir, string(filepath.Separator)) {
		prefix = b.dir
	}
	for _, file := range b.files {
		name := file[b.skip():]
		if k.late() {
			return nil
		}
		h, err := s.file(b.in, name, prefix+name, b.named, &k.Scratch)
		if err != nil {
			r.long.Add(1)
		}
		if h.n == 0 {
			continue
		}
		out.files = append(out.files, h)
		rows += max(len(h.rows), 1)
		out.bytes += len(h.name)
		for _, row := range h.rows {
			out.bytes += len(row)
		}
		if rows >= s.need || r.in.Offset == 0 && out.bytes > grepBytes {
			out.more = true
			break
		}
	}
	if len(out.files) == 0 {
		return nil
	}
	if r.waiting.Add(int64(out.bytes)) > maxWaiting { // the result would be cut before these
		r.waiting.Add(-int64(out.bytes))
		return &foundHits{more: true}
	}
	return &out
}

// take adds what a batch has to the result, in order.
func (r *grepRun) take(found any) bool {
	f := found.(*foundHits)
	r.waiting.Add(-int64(f.bytes))
	for _, h := range f.files {
		if r.full {
			break
		}
		r.files++
		r.matches += h.n
		switch r.in.Mode {
		case "files_with_matches":
			r.row(h.name)
		case "count":
			r.row(fmt.Sprintf("%s:%d", h.name, h.n))
		default:
			if r.in.Before+r.in.After > 0 && r.rows+r.passed > 0 {
				r.row(separator)
			}
			for _, row := range h.rows {
				r.row(row)
			}
		}
	}
	r.full = r.full || f.more
	return !r.full
}

func (r *grepRun) row(text string) {
	switch {
	case r.passed < r.in.Offset:
		r.passed++
	case r.rows >= *r.in.Limit || r.text.Len() > grepBytes:
		r.full = true
	default:
		r.text.WriteString(text + "\n")
		r.rows++
	}
}

func (r *grepRun) result(whole bool) session.ToolResult {
	out := session.ToolResult{Truncated: r.full || !whole}
	switch {
	case r.matches == 0:
		r.text.WriteString("No match.\n")
		out.Summary = human.Count(0, "match", "matches")
	case r.in.Mode == "files_with_matches":
		out.Summary = human.Count(r.files, "file", "files")
	default:
		out.Summary = human.Count(r.matches, "match", "matches") + " in " + human.Count(r.files, "file", "files")
	}
	switch {
	case r.full:
		out.Summary = "more than " + out.Summary
		fmt.Fprintf(&r.text, "(there is more; narrow the search, or go on with offset %d)\n", r.passed+r.rows)
	case r.matches > 0 && r.rows == 0:
		fmt.Fprintf(&r.text, "(nothing is behind offset %d)\n", r.in.Offset)
	}
	if !whole {
		r.text.WriteString("(there are too many files, or too many folders in each other; not all were searched)\n")
	}
	return out
}

// notes adds lines about what was left out.
func (r *grepRun) notes(out *session.ToolResult, hidden string, ignored bool) {
	r.text.WriteString(hidden)
	if n := r.long.Load(); n > 0 {
		fmt.Fprintf(&r.text, "(left out %s that cannot be searched: too large, or with a line that is)\n", human.Count(int(n), "file", "files"))
		out.Truncated = true
	}
	if r.matches == 0 && ignored {
		r.text.WriteString(ignoredNote)
	}
	out.Text = r.text.String()
}

// ignoredNote goes with an empty result if there were ignored files.
const ignoredNote = "(ignored files and folders, such as those in .gitignore, were left out; name one in path to search it)\n"

// userFile returns the file with what the user ignores in all repositories.
func userFile(ctx context.Context, w *tool.Workspace) string {
	config := ""
	if i := slices.IndexFunc(w.Environ, func(v string) bool { return strings.HasPrefix(v, "XDG_CONFIG_HOME=") }); i >= 0 {
		config = strings.TrimPrefix(w.Environ[i], "XDG_CONFIG_HOME=")
	}
	if config != "" && !filepath.IsAbs(config) {
		config = ""
	}
	return git.UserIgnoreFile(ctx, w.Home, config)
}

// unsearchable returns the outcome of a search that cannot begin.
func unsearchable(ctx context.Context, w *tool.Workspace, top tool.Place, err error) tool.Outcome {
	if errors.Is(err, fs.ErrNotExist) {
		f, _, missing := w.Open(ctx, top)
		if missing != nil { // says what may be meant
			return tool.Failed("%s", missing)
		}
		f.Close()
	}
	return tool.Failed("%s cannot be searched: %v", w.Short(top.Path), tool.Cause(err))
}
