package git

import (
	"path"
	"strings"
)

// rules are the patterns of one ignore file, in its order.
type rules struct {
	base string // the directory they apply to, relative to the root of the walk; "" is the root itself
	// above is the path from that directory to the root of the walk, for a file above the root.
	above string
	list  []rule
	index index
}

// rule is a pattern of an ignore file, in the syntax of git.
type rule struct {
	pattern  string // without the slashes at its ends
	negated  bool
	dirOnly  bool
	anchored bool   // it matches the path from the base, not the name
	literal  bool   // no wildcard in it
	suffix   string // the rest of a pattern such as "*.log" after its star
	prefix   string // of an anchored pattern, what comes before its first wildcard
}

// parse returns the rules of an ignore file. Lines that are not patterns are skipped.
func parse(base, text string) rules {
	r := rules{base: base}
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if one, ok := parseRule(strings.TrimSuffix(line, "\r")); ok {
			r.list = append(r.list, one)
		}
	}
	r.index = indexOf(r.list)
	return r
}

// parseRule returns the rule of a line, false if it is not a pattern.
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
	if at := strings.IndexAny(line, `*?[\`); r.anchored && at > 0 {
		r.prefix = line[:at]
	}
	return r, true
}

// matches reports whether the rule matches a path, which is relative to the base of its file.
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
	case !strings.HasPrefix(name, r.prefix):
		return false
	}
	return glob(r.pattern, name)
}

// match returns what the last rule that matches decides.
func (r *rules) match(name string, dir bool) Verdict {
	switch {
	case r.above != "":
		name = r.above + "/" + name
	case r.base != "":
		name = name[len(r.base)+1:]
	}
	at := r.last(name, dir)
	switch {
	case at < 0:
		return Undecided
	case r.list[at].negated:
		return Kept
	}
	return Ignored
}
