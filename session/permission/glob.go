package permission

import (
	"errors"
	"path/filepath"
	"strings"
)

// maxStars bounds how many "**" a pattern may have, which bounds the work of a match.
const maxStars = 4

// checkGlob returns what is wrong with the pattern of files.
func checkGlob(pattern string) error {
	stars := 0
	for i, part := range strings.Split(pattern, "/") {
		switch {
		case part == "**":
			stars++
		case strings.Contains(part, "**"):
			return errors.New("** stands for whole directories: write it between slashes, as in src/**/*.go")
		case part == "." || part == "..":
			return errors.New("a pattern has no . and no ..: write the path that they lead to")
		case part == "" && i > 0:
			return errors.New("a pattern has no empty names: remove the extra slash")
		case i == 0 && strings.HasPrefix(part, "~") && part != "~":
			return errors.New("only ~/ stands for a home directory, and it is your own")
		}
	}
	if stars > maxStars {
		return errors.New("a pattern has at most four **")
	}
	if strings.Contains(pattern, `\`) && filepath.Separator != '\\' {
		return errors.New(`write / between names; a pattern has no \`)
	}
	return nil
}

// globMatches reports whether a path, whose names are separated by slashes, is one that a pattern names. "**" stands for any
// directories, also none, "*" for any part of a name and "?" for one character. A pattern ending with "/**" also matches the
// directory itself.
func globMatches(pattern, path string) bool {
	for {
		name, rest, more := strings.Cut(pattern, "/")
		if name == "**" {
			if !more {
				return true
			}
			for {
				if globMatches(rest, path) {
					return true
				}
				_, after, deeper := strings.Cut(path, "/")
				if !deeper {
					return false
				}
				path = after
			}
		}
		first, below, deeper := strings.Cut(path, "/")
		if !nameMatches(name, first) {
			return false
		}
		switch {
		case !more && !deeper:
			return true
		case !deeper:
			return rest == "**"
		case !more:
			return false
		}
		pattern, path = rest, below
	}
}

// nameMatches matches one name. A star is tried from where the last one was, which is enough and bounds the work.
func nameMatches(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return pattern == name
	}
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case p < len(pattern) && pattern[p] == '?':
			p++
			for n++; n < len(name) && name[n]&0xc0 == 0x80; n++ { // the rest of a character
			}
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// literal returns the directory that all files of a pattern are in, and the rest of the pattern: "src/a" and "*.go" of
// "src/a/*.go". Without a special sign the rest is the last name.
func literal(pattern string) (dir, rest string) {
	at := strings.IndexAny(pattern, "*?")
	if at < 0 {
		at = len(pattern)
	}
	at = strings.LastIndexByte(pattern[:at], '/')
	if at < 0 {
		return "", pattern
	}
	return pattern[:at], pattern[at+1:]
}

// overlaps reports whether a directory may hold files that a pattern names, or be one of them.
func overlaps(pattern, dir string) bool {
	for {
		name, rest, more := strings.Cut(pattern, "/")
		if name == "**" || dir == "" || dir == "." {
			return true
		}
		first, below, deeper := strings.Cut(dir, "/")
		if !nameMatches(name, first) {
			return false
		}
		if !deeper || !more {
			return true
		}
		pattern, dir = rest, below
	}
}
