package instruct

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// patterns returns the patterns in the head of a file, which stands between lines of "---", under a key: a list in one line
// with commas, or one line each.
func patterns(text, key string) ([]string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, "\uFEFF \n"), "---")
	head, _, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		return nil, false
	}
	var out []string
	within := false
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\r\n ")
		if value, is := strings.CutPrefix(line, key+":"); is {
			within = true
			out = append(out, list(value)...)
			continue
		}
		item, is := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if within && is {
			out = append(out, list(item)...)
			continue
		}
		within = within && strings.TrimSpace(line) == ""
	}
	return out, len(out) > 0
}

// list returns the patterns of a line. Commas within braces belong to a pattern.
func list(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "["), "]")
	var out []string
	depth, begin := 0, 0
	add := func(s string) {
		if s = strings.Trim(strings.TrimSpace(s), `"'`); s != "" && doublestar.ValidatePattern(s) {
			out = append(out, s)
		}
	}
	for i, c := range line {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			add(line[begin:i])
			begin = i + 1
		}
	}
	add(line[begin:])
	return out
}

// afterHead returns a text without its head.
func afterHead(text string) string {
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, after, closed := strings.Cut(rest, "\n---"); closed {
			return strings.TrimLeft(after, "-")
		}
	}
	return text
}

// about reports whether a file is about a path.
func (f File) about(path string) bool {
	rel, err := filepath.Rel(f.Base, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	rel = filepath.ToSlash(rel)
	for _, g := range f.Globs {
		g = strings.TrimPrefix(strings.TrimPrefix(g, "./"), "/")
		if ok, _ := doublestar.Match(g, rel); ok {
			return true
		}
		// A pattern without a directory is about files of that name anywhere, as in .gitignore.
		if ok, _ := doublestar.Match("**/"+g, rel); ok && !strings.Contains(g, "/") {
			return true
		}
	}
	return false
}
