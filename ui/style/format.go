package style

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session/scratch"
)

// Noticeable is the shortest duration that is worth showing.
const Noticeable = 2 * time.Second

// Lines returns the number of lines of s; a last line without a line end counts.
func Lines(s string) int {
	if s == "" {
		return 0
	}
	n := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// ShortPath shortens a directory below the user's home to "~/...".
func ShortPath(dir, home string) string {
	if home == "" || home == string(os.PathSeparator) {
		return dir
	}
	if dir == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(dir, strings.TrimSuffix(home, "/")+"/"); ok {
		return "~/" + filepath.ToSlash(rest)
	}
	return dir
}

// Place names the directory of a session, like [ShortPath]; a scratch folder is only that.
func Place(dir, home string) string {
	if scratch.Named(dir) {
		return "scratch"
	}
	return ShortPath(dir, home)
}

// versionedModel matches an id that ends with a version, with dots or dashes, and perhaps a date or the mark of a longer
// context window.
var versionedModel = lazyregexp.New(`^([a-z-]*[a-z])-(\d+(?:[.-]\d{1,2})?)(-\d{8})?(\[\dm\])?$`)

// ShortModel returns a model's id without the vendor and with a space before the version, however a runtime writes it.
func ShortModel(id string) string {
	rest, ok := strings.CutPrefix(id, "claude-")
	if !ok {
		return id
	}
	if m := versionedModel.FindStringSubmatch(rest); m != nil {
		return m[1] + " " + strings.ReplaceAll(m[2], "-", ".")
	}
	return rest
}

// Capital returns s with its first letter as a capital.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// VisibleLine returns a text from outside as one visible line.
func VisibleLine(s string) string { return Visible(OneLine(s)) }

// OneLine replaces line breaks and tabs by blanks. Other control characters stay, to be made visible: without one, a name or a
// command would look like another.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}

// Indent indents rows that belong to a row with a gutter.
func Indent(rows []string) []string {
	for i, r := range rows {
		if r != "" {
			rows[i] = "    " + r
		}
	}
	return rows
}

// Rule returns the line between the conversation and the field, w columns wide.
func Rule(w int) string {
	b := make([]rune, 0, w)
	b = append(b, '╶')
	for range w - 1 {
		b = append(b, '─')
	}
	return string(b)
}

// LastLines returns the last n lines of s, and whether there are more before them. It reads only those.
func LastLines(s string, n int) (string, bool) {
	s = strings.TrimRight(s, "\n")
	at := len(s)
	for range n {
		i := strings.LastIndexByte(s[:at], '\n')
		if i < 0 {
			return s, false
		}
		at = i
	}
	return s[at+1:], true
}
