package git

import "strings"

// maxSteps bounds the tried matches of a pattern with stars. A pattern that needs more matches nothing.
const maxSteps = 20_000

// glob reports whether a path matches a pattern of git: *, ? and [a-z] do not match slashes, ** between slashes does.
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

// globDeep matches the rest of a pattern after two stars.
func globDeep(steps *int, rest, name string) bool {
	if rest == "" {
		return name != ""
	}
	deep, isDir := strings.CutPrefix(rest, "/")
	if !isDir {
		return globIn(steps, "*"+strings.TrimLeft(rest, "*"), name) // two stars next to other characters count as one
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
