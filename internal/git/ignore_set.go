package git

import "strings"

// firstRune returns the first character as git sees it, which is a byte.
func firstRune(s string) (rune, int) { return rune(s[0]), 1 }

// set reports whether a character is in the bracket expression at the start of a pattern, and how long that is. ok is false
// if it does not end.
func set(pattern string, c rune) (in bool, size int, ok bool) {
	at := 1
	negated := at < len(pattern) && (pattern[at] == '!' || pattern[at] == '^')
	if negated {
		at++
	}
	for first := true; at < len(pattern); first = false {
		if pattern[at] == ']' && !first {
			return in != negated, at + 1, true
		}
		if name, ok := strings.CutPrefix(pattern[at:], "[:"); ok {
			if end := strings.Index(name, ":]"); end >= 0 {
				in = in || classHas(name[:end], c)
				at += end + 4
				continue
			}
		}
		low, n := setRune(pattern[at:])
		at += n
		high := low
		if at+1 < len(pattern) && pattern[at] == '-' && pattern[at+1] != ']' {
			high, n = setRune(pattern[at+1:])
			at += 1 + n
		}
		in = in || low <= c && c <= high
	}
	return false, 0, false
}

func setRune(s string) (rune, int) {
	if s[0] == '\\' && len(s) > 1 {
		r, n := firstRune(s[1:])
		return r, n + 1
	}
	return firstRune(s)
}

// classHas reports whether a named class of ASCII has the character.
func classHas(name string, c rune) bool {
	letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	digit := c >= '0' && c <= '9'
	switch name {
	case "alpha":
		return letter
	case "digit":
		return digit
	case "alnum":
		return letter || digit
	case "lower":
		return c >= 'a' && c <= 'z'
	case "upper":
		return c >= 'A' && c <= 'Z'
	case "space":
		return strings.ContainsRune(" \t\n\v\f\r", c)
	case "blank":
		return c == ' ' || c == '\t'
	case "punct":
		return c > ' ' && c < 0x7f && !letter && !digit
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	}
	return false
}
