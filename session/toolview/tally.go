package toolview

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
)

// sharing is the kind of a call in one row that stands for several calls.
type sharing int

const (
	apart    sharing = iota // it has a row to itself
	files                   // it reads a file
	searches                // it looks for files or text
	listings                // it lists a directory
)

// shares returns how calls of a tool count, with the row of the tool.
func shares(name string, input json.RawMessage) (toolRow, sharing) {
	row, known := toolRows[name]
	if !known {
		return row, apart
	}
	d := Display{Kind: row.kind, Past: row.past}
	if row.refine != nil {
		row.refine(&d, input)
	}
	switch {
	case d.Kind == Search && d.Past == "listed":
		return row, listings
	case d.Kind == Search:
		return row, searches
	case d.Kind == Read && d.Past == "read" && row.renderer == "" && len(row.fields) > 0:
		return row, files
	}
	return row, apart
}

// Shares reports whether one row may stand for calls of a tool that follow each other: it reads files, or looks for them.
// input may be incomplete, as for [Describe].
func Shares(name string, input json.RawMessage) bool {
	_, s := shares(name, input)
	return s != apart
}

// Tally counts calls that share a row. The zero value has counted nothing. It is not safe for concurrent use.
type Tally struct {
	files, reads, searches, listed int
	seen                           map[string]bool // paths that were counted
	file                           string          // the first of them
	names                          []string        // of files, directories and patterns, at most maxNames
}

// maxNames bounds the names of a [Tally]: a row holds no more.
const maxNames = 16

// Add counts a call for which Shares holds. A file that is read again, or a directory that is listed again, counts once.
func (t *Tally) Add(name string, input json.RawMessage) {
	row, s := shares(name, input)
	if s == searches {
		t.searches++
		t.name(Describe(name, input, "").Subject)
		return
	}
	path := row.path(input)
	if s == files {
		t.reads++
		t.file = cmp.Or(t.file, path)
	}
	if path != "" {
		key := string(rune('0'+s)) + path
		if t.seen[key] {
			return
		}
		if t.seen == nil {
			t.seen = map[string]bool{}
		}
		t.seen[key] = true
		t.name(filepath.Base(path))
	}
	if s == files {
		t.files++
	} else {
		t.listed++
	}
}

// name keeps the name of what a call looks at, once.
func (t *Tally) name(s string) {
	if s != "" && len(t.names) < maxNames && !slices.Contains(t.names, s) {
		t.names = append(t.names[:len(t.names):len(t.names)], s)
	}
}

// Names returns what Words only counts, in the order of the calls and not all of many: the last elements of paths, and
// patterns. The texts may come from the model and hold control characters.
func (t Tally) Names() []string {
	if t.files == 1 && t.file != "" {
		return slices.DeleteFunc(slices.Clone(t.names), func(s string) bool { return s == filepath.Base(t.file) })
	}
	return t.names
}

// Clone returns a tally that counts on by itself.
func (t Tally) Clone() Tally {
	t.seen = maps.Clone(t.seen)
	return t
}

// path returns the file or directory in an input, "" if it has none.
func (row toolRow) path(input json.RawMessage) string {
	for _, f := range row.fields {
		if text, ok := stringField(input, f.name, f.deep); ok && f.path {
			return text
		}
	}
	return ""
}

// Tense is the tense of the words of a [Tally].
type Tense int

// The tenses.
const (
	Done    Tense = iota // "read 5 files"
	Running              // "reading 5 files"
	Waiting              // "wants to read 5 files"
)

// Words returns what the calls do, such as "read 5 files, searched twice"; a single file has its name, relative to dir. What
// passes emphasize may come from the model and hold control characters.
func (t Tally) Words(tense Tense, dir string, emphasize func(string) string) string {
	var parts []string
	add := func(verbs [3]string, what string) {
		words := verbs[tense]
		if what != "" {
			words += " " + emphasize(what)
		}
		parts = append(parts, words)
	}
	if t.reads > 0 {
		what := human.Count(t.files, "file", "files")
		if t.files == 1 && t.file != "" {
			what = strings.TrimSpace(session.Subject(shortPath(t.file, dir)) + " " + times(t.reads))
		}
		add([3]string{"read", "reading", "read"}, what)
	}
	if t.searches > 0 {
		add([3]string{"searched", "searching", "search"}, times(t.searches))
	}
	if t.listed > 0 {
		add([3]string{"listed", "listing", "list"}, human.Count(t.listed, "directory", "directories"))
	}
	words := strings.Join(parts, ", ")
	if tense == Waiting {
		words = "wants to " + words
	}
	return words
}

// times returns how often something was done, "" for once.
func times(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return "twice"
	}
	return human.Number(n) + " times"
}
