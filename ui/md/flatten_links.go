package md

import "strings"

// FlattenLinks returns markdown with its links and images as the screen shows them: the text, with the address in
// parentheses where it differs; with links set, web and mail addresses are left out. Code is unchanged. It reads brackets
// only and costs as much as a copy, so that long texts can be searched.
func FlattenLinks(src string, links bool) string {
	if !strings.Contains(src, "](") {
		return src
	}
	u := flattener{links: links}
	u.out.Grow(len(src))
	fence := ""
	for line := range strings.SplitAfterSeq(src, "\n") {
		mark := fenceMark(line)
		switch {
		case fence != "":
			if mark != "" && strings.HasPrefix(mark, fence) {
				fence = ""
			}
			u.out.WriteString(line)
		case mark != "":
			fence = mark
			u.out.WriteString(line)
		default:
			u.text(line)
		}
	}
	return u.out.String()
}

// fenceMark returns the fence that a line begins with, "" if it has none.
func fenceMark(line string) string {
	s := strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 {
			return s[:n]
		}
	}
	return ""
}

type flattener struct {
	out   strings.Builder
	links bool
}

// text writes a line with its links flattened. Links over several lines are rare and stay as written.
func (u *flattener) text(s string) {
	for s != "" {
		i := strings.IndexAny(s, "\\`[!")
		if i < 0 {
			u.out.WriteString(s)
			return
		}
		u.out.WriteString(s[:i])
		s = s[i:]
		n := 1
		switch s[0] {
		case '\\':
			n = min(2, len(s))
		case '`':
			n = codeSpan(s)
		case '!', '[':
			from := 1
			if s[0] == '!' {
				if from = 2; !strings.HasPrefix(s, "![") {
					break
				}
			}
			if label, dest, size := link(s[from:]); size > 0 {
				u.link(label, dest)
				s = s[from+size:]
				continue
			}
		}
		u.out.WriteString(s[:n])
		s = s[n:]
	}
}

// link writes a link as the screen shows it.
func (u *flattener) link(label, dest string) {
	from := u.out.Len()
	u.text(label)
	said := u.out.String()[from:]
	switch {
	case u.links && said != "" && !looksLikeAddress(said) && terminalAddress(dest) != "":
	case dest == "" || said == dest || "mailto:"+said == dest || "http://"+said == dest || "https://"+said == dest:
	case said == "":
		u.out.WriteString(dest)
	default:
		u.out.WriteString(" (" + dest + ")")
	}
}

// maxLabel and addressBound bound the search for the end of a bracket or backquote, in bytes: a text of nothing else would
// cost the square of its length.
const (
	maxLabel     = 1000
	addressBound = 4000
)

// codeSpan returns the length of the code span that s begins with, or of its backquotes if it has no end.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	s = s[:min(len(s), n+addressBound)]
	for at := n; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			break
		}
		at += i
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if at += run; run == n {
			return at
		}
	}
	return n
}

// link parses a link, of which s begins behind the first bracket; size is 0 if it is not a link.
func link(s string) (label, dest string, size int) {
	depth, at := 1, 0
	for ; at < min(len(s), maxLabel) && depth > 0; at++ {
		switch s[at] {
		case '\\':
			at++
		case '[':
			depth++
		case ']':
			depth--
		case '\n':
			return "", "", 0
		}
	}
	if depth > 0 || at >= len(s) || s[at] != '(' {
		return "", "", 0
	}
	label, at = s[:at-1], at+1
	from := at
	for depth = 1; at < min(len(s), from+addressBound); at++ {
		switch s[at] {
		case '\\':
			at++
		case '(':
			depth++
		case ')':
			depth--
		case '\n':
			return "", "", 0
		}
		if depth == 0 {
			dest, _, _ = strings.Cut(strings.TrimSpace(s[from:at]), " ") // a title follows
			return label, strings.TrimSuffix(strings.TrimPrefix(dest, "<"), ">"), at + 1
		}
	}
	return "", "", 0
}
