package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Grep finds text in files.
var Grep = &tool.Tool{
	Name: "Grep", Kind: toolview.Search,
	Description: "Searches the content of files for a regular expression (RE2 syntax), line by line. Binary files and what " +
		".gitignore names are left out. output_mode is content (matching lines with numbers), files_with_matches (the default) " +
		"or count.",
	Schema: `{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"Regular expression"},` +
		`"path":{"type":"string","description":"File or directory to search; the working directory if left out"},` +
		`"glob":{"type":"string","description":"Only files that match, such as *.go or **/*_test.go"},` +
		`"output_mode":{"type":"string","enum":["content","files_with_matches","count"]},` +
		`"-i":{"type":"boolean","description":"Ignore case"},` +
		`"-n":{"type":"boolean","description":"Number lines in content mode; true if left out"},` +
		`"-A":{"type":"integer","description":"Lines to show after each match"},` +
		`"-B":{"type":"integer","description":"Lines to show before each match"},` +
		`"-C":{"type":"integer","description":"Lines to show around each match"},` +
		`"head_limit":{"type":"integer","description":"At most this many lines or files; 250 if left out"}},` +
		`"required":["pattern"],"additionalProperties":false}`,
	Prepare: prepareGrep,
}

type grepInput struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Glob    string `json:"glob"`
	Mode    string `json:"output_mode"`
	Fold    bool   `json:"-i"`
	Number  *bool  `json:"-n"`
	After   int    `json:"-A"`
	Before  int    `json:"-B"`
	Around  int    `json:"-C"`
	Limit   int    `json:"head_limit"`
}

const (
	grepLimit   = 250
	grepBytes   = 48 << 10
	grepContext = 50
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
		return nil, tool.Errorf("There is no output_mode %q.", in.Mode)
	}
	expr := in.Pattern
	if in.Fold {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, tool.Errorf("The pattern is not a regular expression of RE2: %v", err)
	}
	if in.Glob != "" && !doublestar.ValidatePattern(in.Glob) {
		return nil, tool.Errorf("%q is not a glob pattern.", in.Glob)
	}
	top, err := w.Place(cmp.Or(in.Path, w.Dir))
	if err != nil {
		return nil, err
	}
	if in.Limit <= 0 {
		in.Limit = grepLimit
	}
	in.Before = min(max(in.Before, in.Around), grepContext)
	in.After = min(max(in.After, in.Around), grepContext)
	return &tool.Job{Ask: session.PermissionAsk{Path: top.Path}, Place: top, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		return grep(w, ctx, top, re, in)
	}}, nil
}

// grepOutput collects results up to the limits.
type grepOutput struct {
	in      grepInput
	text    strings.Builder
	rows    int
	files   int
	matches int
	full    bool
	left    string // a line about the files that were left out
}

func grep(w *tool.Workspace, ctx context.Context, top tool.Place, re *regexp.Regexp, in grepInput) tool.Outcome {
	out := &grepOutput{in: in}
	below := w.Search(ctx, top)
	whole, err := walkBelow(ctx, below, func(path string, dir *os.Root, d fs.DirEntry) bool {
		// A file that the call names is searched regardless of its name.
		if path != top.Path && (!d.Type().IsRegular() || !matchesGlob(in.Glob, top.Path, path)) {
			return true
		}
		if content, _, err := tool.ReadIn(ctx, dir, d.Name()); err == nil && !tool.IsBinary(content) {
			out.file(ctx, w.Short(path), content, re)
		}
		return !out.full && ctx.Err() == nil
	})
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	if err != nil {
		return unsearchable(w, top, err)
	}
	out.left = below.Note()
	return tool.Outcome{How: session.ToolOK, Result: out.result(whole || out.full)}
}

// matchesGlob matches a pattern without a slash against the name, any other against the path below root.
func matchesGlob(glob, root, path string) bool {
	if glob == "" {
		return true
	}
	subject := filepath.Base(path)
	if strings.Contains(glob, "/") {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return false
		}
		subject = filepath.ToSlash(rel)
	}
	ok, _ := doublestar.Match(strings.TrimPrefix(glob, "./"), subject)
	return ok
}

// rowsAtOnce is the number of lines searched between two checks of the context.
const rowsAtOnce = 1000

// file searches one file, and stops when ctx ends.
func (o *grepOutput) file(ctx context.Context, name string, content []byte, re *regexp.Regexp) {
	rows := bytes.Split(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
	var hits []int
	for i, row := range rows {
		if i%rowsAtOnce == 0 && ctx.Err() != nil {
			return
		}
		rows[i] = bytes.TrimSuffix(row, []byte("\r"))
		if re.Match(rows[i]) {
			hits = append(hits, i)
		}
	}
	if len(hits) == 0 {
		return
	}
	o.files++
	o.matches += len(hits)
	switch o.in.Mode {
	case "files_with_matches":
		o.row(name)
	case "count":
		o.row(fmt.Sprintf("%s:%d", name, len(hits)))
	default:
		o.content(name, rows, hits)
	}
}

// content writes matching rows with their context, each once, and "--" for omitted rows.
func (o *grepOutput) content(name string, rows [][]byte, hits []int) {
	number := o.in.Number == nil || *o.in.Number
	around := o.in.Before+o.in.After > 0
	done := 0 // rows before this one are written or passed
	for h, hit := range hits {
		from, to := max(hit-o.in.Before, done), min(hit+o.in.After, len(rows)-1)
		if h+1 < len(hits) {
			to = min(to, hits[h+1]-1)
		}
		if around && o.rows > 0 && (from > done || h == 0) {
			o.row("--")
		}
		for i := from; i <= to && !o.full; i++ {
			sep := "-"
			if i == hit {
				sep = ":"
			}
			prefix := name + sep
			if number {
				prefix = fmt.Sprintf("%s%s%d%s", name, sep, i+1, sep)
			}
			o.row(prefix + tool.CutLine(rows[i]))
		}
		done = to + 1
	}
}

func (o *grepOutput) row(text string) {
	if o.rows >= o.in.Limit || o.text.Len() > grepBytes {
		o.full = true
		return
	}
	o.text.WriteString(text + "\n")
	o.rows++
}

func (o *grepOutput) result(whole bool) session.ToolResult {
	r := session.ToolResult{Truncated: o.full || !whole}
	switch {
	case o.matches == 0:
		o.text.WriteString("No match.\n")
		r.Summary = human.Count(0, "match", "matches")
	case o.in.Mode == "files_with_matches":
		r.Summary = human.Count(o.files, "file", "files")
	default:
		r.Summary = human.Count(o.matches, "match", "matches") + " in " + human.Count(o.files, "file", "files")
	}
	if o.full {
		r.Summary = "more than " + r.Summary
		o.text.WriteString("(there is more; narrow the search, or raise head_limit)\n")
	}
	o.text.WriteString(o.left)
	if !whole {
		o.text.WriteString("(there are too many files, or too many folders in each other; not all were searched)\n")
	}
	r.Text = o.text.String()
	return r
}
