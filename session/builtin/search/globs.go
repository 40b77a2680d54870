package search

import (
	"strings"

	"parley/internal/git"
)

// globs are the patterns of a call, in the syntax of .gitignore with {a,b} besides. A pattern with ! in front leaves out, and
// the last that matches decides.
type globs struct {
	rules git.Ignores
	// only reports that a file which no pattern names is left out.
	only bool
}

// maxGlobs bounds the patterns of a call once their braces are expanded.
const maxGlobs = 200

// parseGlobs reads patterns separated by spaces or by commas outside of braces. It returns false if there are too many.
func parseGlobs(text string) (g globs, ok bool) {
	var lines []string
	for _, one := range splitGlobs(text) {
		for _, pattern := range braces(one) {
			pattern, leaves := strings.CutPrefix(pattern, "!")
			pattern = strings.TrimPrefix(pattern, "./")
			if pattern == "" {
				continue
			}
			g.only = g.only || !leaves
			// The stack below says what is kept as what git would ignore.
			if leaves {
				pattern = "!" + pattern
			} else if strings.HasPrefix(pattern, "#") {
				pattern = `\` + pattern
			}
			if lines = append(lines, pattern); len(lines) > maxGlobs {
				return globs{}, false
			}
		}
	}
	g.rules = g.rules.With("", strings.Join(lines, "\n"))
	return g, true
}

// match returns Kept for a path that a pattern names, Ignored for one that is left out.
func (g *globs) match(rel string, dir bool) git.Verdict {
	if g.rules.Empty() {
		return git.Undecided
	}
	switch v := g.rules.Match(rel, dir); {
	case v == git.Ignored:
		return git.Kept
	case v == git.Kept, g.only && !dir:
		return git.Ignored
	}
	return git.Undecided
}

// splitGlobs splits at spaces and at commas outside of braces and brackets.
func splitGlobs(text string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			switch c := text[i]; {
			case c == '\\':
				i++
				continue
			case c == '{':
				depth++
				continue
			case c == '}':
				depth--
				continue
			case c != ' ' && c != '\t' && c != '\n' && (c != ',' || depth > 0):
				continue
			}
		}
		if end := min(i, len(text)); end > from {
			out = append(out, text[from:end])
		}
		from = i + 1
	}
	return out
}

// braces returns the patterns that {a,b} stands for, at most a few more than maxGlobs.
func braces(pattern string) []string {
	from, depth, commas := -1, 0, []int(nil)
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			if depth++; depth == 1 {
				from = i
			}
		case ',':
			if depth == 1 {
				commas = append(commas, i)
			}
		case '}':
			if depth--; depth != 0 {
				continue
			}
			var out []string
			at := from + 1
			for _, end := range append(commas, i) {
				for _, rest := range braces(pattern[at:end] + pattern[i+1:]) {
					if out = append(out, pattern[:from]+rest); len(out) > maxGlobs {
						return out
					}
				}
				at = end + 1
			}
			return out
		}
	}
	return []string{pattern}
}
