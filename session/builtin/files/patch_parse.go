package files

import (
	"strings"

	"parley/session/builtin/tool"
)

// deed is the effect of a section of a patch on its file.
type deed int

const (
	addFile deed = iota
	deleteFile
	updateFile
)

// section is the part of a patch about one file.
type section struct {
	op   deed
	path string
	// to is where an updated file moves, empty: it stays.
	to string
	// content is that of an added file.
	content string
	hunks   []hunk
}

// hunk is one change within a file.
type hunk struct {
	// line is the number of the hunk's first line in the patch, from 1.
	line int
	// above are lines that stand before the change, in order.
	above []string
	lines []hunkLine
	// last reports whether the change is at the end of the file.
	last bool
}

// hunkLine is a line of a hunk: ' ' stays, '-' goes, '+' comes.
type hunkLine struct {
	op   byte
	text string
}

const (
	patchBegin  = "*** Begin Patch"
	patchEnd    = "*** End Patch"
	patchAdd    = "*** Add File: "
	patchDelete = "*** Delete File: "
	patchUpdate = "*** Update File: "
	patchMove   = "*** Move to: "
	patchEOF    = "*** End of File"
)

// patchParser reads a patch line by line.
type patchParser struct {
	lines []string
	at    int // index of the next line
}

// parsePatch reads a patch. It is pure. Fences and shell quotes around a patch are left out; a patch without its end may
// be cut off, and is an error.
func parsePatch(s string) ([]section, error) {
	p := patchParser{lines: strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")}
	end := len(p.lines) - 1
	for end >= 0 && strings.TrimSpace(p.lines[end]) != patchEnd {
		end--
	}
	for p.at < len(p.lines) && strings.TrimSpace(p.lines[p.at]) != patchBegin {
		if p.header() != "" {
			break // the first line was forgotten, which loses nothing
		}
		p.at++
	}
	switch {
	case p.at == len(p.lines):
		return nil, tool.Errorf("The patch has no line %q. Begin it with that line, followed by a line such as %q.", patchBegin, patchUpdate+"path")
	case end < p.at:
		return nil, tool.Errorf("The patch has no line %q at its end, so it may be cut off. Nothing was changed. Send all of it.", patchEnd)
	}
	if strings.TrimSpace(p.lines[p.at]) == patchBegin {
		p.at++
	}
	p.lines = p.lines[:end]
	return p.sections()
}

// header returns what the next line begins a section with, "" if it begins none.
func (p *patchParser) header() string {
	for _, h := range []string{patchAdd, patchDelete, patchUpdate} {
		if strings.HasPrefix(p.lines[p.at], h) {
			return h
		}
	}
	return ""
}

func (p *patchParser) sections() ([]section, error) {
	var out []section
	for p.at < len(p.lines) {
		if strings.TrimSpace(p.lines[p.at]) == "" {
			p.at++
			continue
		}
		h := p.header()
		if h == "" {
			return nil, p.wrong("begins no section. A section begins with %q, %q or %q", patchAdd+"path", patchDelete+"path", patchUpdate+"path")
		}
		s := section{path: strings.TrimSpace(strings.TrimPrefix(p.lines[p.at], h))}
		if s.path == "" {
			return nil, p.wrong("names no file")
		}
		p.at++
		var err error
		switch h {
		case patchAdd:
			s.op = addFile
			s.content, err = p.added()
		case patchDelete:
			s.op = deleteFile
		case patchUpdate:
			s.op = updateFile
			err = p.update(&s)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, tool.Errorf("The patch is empty: it names no file.")
	}
	return out, nil
}

// wrong returns an error about the next line.
func (p *patchParser) wrong(format string, args ...any) error {
	return tool.Errorf("Line %d of the patch %w: %s", p.at+1, tool.Errorf(format, args...), tool.CutLine([]byte(p.lines[p.at])))
}

// added reads the content of a new file.
func (p *patchParser) added() (string, error) {
	var b strings.Builder
	for ; p.at < len(p.lines) && p.header() == ""; p.at++ {
		l, ok := strings.CutPrefix(p.lines[p.at], "+")
		switch {
		case ok:
			b.WriteString(l + "\n")
		case strings.TrimSpace(p.lines[p.at]) == "" && p.blankToSection(), strings.TrimSpace(p.lines[p.at]) == patchEOF:
		default:
			return "", p.wrong("does not begin with +, as every line of a new file does")
		}
	}
	return b.String(), nil
}

// blankToSection reports whether only blank lines follow up to the next section or the end.
func (p *patchParser) blankToSection() bool {
	q := *p
	for ; q.at < len(q.lines); q.at++ {
		if strings.TrimSpace(q.lines[q.at]) != "" {
			return q.header() != ""
		}
	}
	return true
}

// update reads where an updated file moves, and its hunks.
func (p *patchParser) update(s *section) error {
	if p.at < len(p.lines) {
		if to, ok := strings.CutPrefix(p.lines[p.at], patchMove); ok {
			if s.to = strings.TrimSpace(to); s.to == "" {
				return p.wrong("names no file")
			}
			p.at++
		}
	}
	for p.at < len(p.lines) && p.header() == "" {
		if strings.TrimSpace(p.lines[p.at]) == "" && p.blankToSection() {
			p.at++
			continue
		}
		h, err := p.hunk(len(s.hunks) == 0)
		if err != nil {
			return err
		}
		s.hunks = append(s.hunks, h)
	}
	if len(s.hunks) == 0 && s.to == "" {
		return tool.Errorf("The patch says nothing about %s but that it is updated. Give its hunks: lines that begin with a space, - or +.", s.path)
	}
	return nil
}

// hunk reads one hunk. The first one of a file may lack its @@.
func (p *patchParser) hunk(first bool) (hunk, error) {
	h := hunk{line: p.at + 1}
	for p.at < len(p.lines) {
		above, ok := strings.CutPrefix(p.lines[p.at], "@@")
		if !ok {
			break
		}
		if above = strings.TrimPrefix(above, " "); strings.TrimSpace(above) != "" && !isRange(above) {
			h.above = append(h.above, above)
		}
		first = true
		p.at++
	}
	if !first {
		return h, p.wrong("begins no hunk. Begin each hunk but the first with @@")
	}
	for ; p.at < len(p.lines) && p.header() == "" && !strings.HasPrefix(p.lines[p.at], "@@"); p.at++ {
		l := p.lines[p.at]
		switch {
		case strings.TrimSpace(l) == patchEOF:
			h.last = true
			p.at++
			return h, h.complete()
		case l == "" && p.blankToSection():
		case l == "":
			h.lines = append(h.lines, hunkLine{' ', ""})
		case l[0] == ' ', l[0] == '+', l[0] == '-':
			h.lines = append(h.lines, hunkLine{l[0], l[1:]})
		default:
			return h, p.wrong("begins neither with a space nor with + or -, as every line of a hunk does")
		}
	}
	return h, h.complete()
}

// complete returns an error for a hunk that changes nothing.
func (h *hunk) complete() error {
	for _, l := range h.lines {
		if l.op != ' ' {
			return nil
		}
	}
	return tool.Errorf("The hunk at line %d of the patch changes nothing: none of its lines begins with + or -.", h.line)
}

// isRange reports whether the words behind @@ are line numbers, as in a unified diff, which are not used.
func isRange(s string) bool {
	numbers, _, closed := strings.Cut(s, "@@")
	return closed && strings.HasPrefix(s, "-") && strings.Trim(numbers, "-+,0123456789 ") == ""
}
