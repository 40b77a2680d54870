package files

import (
	"path"
	"strings"
)

// rules are the patterns of one ignore file, in its order.
type rules struct {
	base string // the directory they are about, relative to the root of the walk; "" is the root itself
	// above is the path from that directory to the root of the walk, if the file stands above it.
	above string
	list  []rule
}

// rule is a pattern of an ignore file, in the syntax of git.
type rule struct {
	pattern  string // without the slashes at its ends
	negated  bool
	dirOnly  bool
	anchored bool   // it is about the path from the base, not about the name alone
	literal  bool   // no wildcard in it
	suffix   string // "*.log" is nothing but this suffix
}

// parseRules reads an ignore file. Lines that are no pattern are passed over.
func parseRules(base, text string) rules {
	r := rules{base: base}
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if one, ok := parseRule(strings.TrimSuffix(line, "\r")); ok {
			r.list = append(r.list, one)
		}
	}
	return r
}

func parseRule(line string) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	line, r.anchored = strings.CutPrefix(line, "/")
	if line == "" {
		return r, false
	}
	r.anchored = r.anchored || strings.Contains(line, "/")
	r.pattern = line
	r.literal = !strings.ContainsAny(line, `*?[\`)
	if rest, ok := strings.CutPrefix(line, "*"); ok && !r.anchored && !strings.ContainsAny(rest, `*?[\`) {
		r.suffix = rest
	}
	return r, true
}

// matches reports whether the rule is about the path, which is relative to the base of its file.
func (r *rule) matches(name string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	if !r.anchored {
		name = path.Base(name)
	}
	switch {
	case r.literal:
		return name == r.pattern
	case r.suffix != "":
		return strings.HasSuffix(name, r.suffix)
	}
	return glob(r.pattern, name)
}

// ignored asks the files from the innermost on; in each the last rule that fits decides. decided is false if none does.
func (r *rules) ignored(name string, dir bool) (ignored, decided bool) {
	switch {
	case r.above != "":
		name = r.above + "/" + name
	case r.base != "":
		name = name[len(r.base)+1:]
	}
	for i := len(r.list) - 1; i >= 0; i-- {
		if r.list[i].matches(name, dir) {
			return !r.list[i].negated, true
		}
	}
	return false, false
}

// maxSteps is how many ways of a pattern with stars are tried. A pattern made to cost more matches nothing.
const maxSteps = 20_000

// glob matches a path with a pattern of git: * and ? and [a-z] stop at slashes, ** between slashes does not.
func glob(pattern, name string) bool {
	steps := maxSteps
	return globIn(&steps, pattern, name)
}

func globIn(steps *int, pattern, name string) bool {
	for pattern != "" {
		if *steps--; *steps < 0 {
			return false
		}
		if rest, ok := strings.CutPrefix(pattern, "**"); ok {
			return globDeep(steps, rest, name)
		}
		switch pattern[0] {
		case '*':
			rest := strings.TrimLeft(pattern, "*")
			for i := 0; *steps >= 0; i++ {
				if globIn(steps, rest, name[i:]) {
					return true
				}
				if i == len(name) || name[i] == '/' {
					return false
				}
			}
			return false
		case '?':
			if name == "" || name[0] == '/' {
				return false
			}
			_, n := firstRune(name)
			pattern, name = pattern[1:], name[n:]
			continue
		case '[':
			if name == "" || name[0] == '/' {
				return false
			}
			c, n := firstRune(name)
			in, size, ok := set(pattern, c)
			if !ok || !in {
				return false
			}
			pattern, name = pattern[size:], name[n:]
			continue
		case '\\':
			if len(pattern) == 1 {
				return false
			}
			pattern = pattern[1:]
		}
		if name == "" || name[0] != pattern[0] {
			return false
		}
		pattern, name = pattern[1:], name[1:]
		if strings.HasPrefix(pattern, "/**/") && strings.HasPrefix(name, "/") { // no directory between is one way
			if globIn(steps, pattern[3:], name) {
				return true
			}
		}
	}
	return name == ""
}

// globDeep matches what follows two stars.
func globDeep(steps *int, rest, name string) bool {
	if rest == "" {
		return name != ""
	}
	deep, isDir := strings.CutPrefix(rest, "/")
	if !isDir {
		return globIn(steps, "*"+strings.TrimLeft(rest, "*"), name) // two stars beside something else are one
	}
	for {
		if globIn(steps, deep, name) {
			return true
		}
		i := strings.IndexByte(name, '/')
		if i < 0 {
			return false
		}
		name = name[i+1:]
	}
}
