package files

import (
	"slices"
	"strings"

	"parley/session/builtin/tool"
)

// applyHunks returns a text with hunks applied in order. It is pure. Lines are found as the reference implementation does:
// exactly, then without trailing white space, then without white space at both ends, then with plain quotes and dashes.
// Lines of context stay as they are in the file, and so do the line ends.
func applyHunks(s string, hunks []hunk) (string, error) {
	f := patched{lines: linesOf(s), eol: "\n"}
	if onlyCRLF(s) {
		f.eol = "\r\n"
	}
	f.texts = make([]string, len(f.lines))
	for i, l := range f.lines {
		f.texts[i] = l.text
	}
	for i := range hunks {
		if err := f.apply(&hunks[i]); err != nil {
			if len(hunks) > 1 {
				return "", tool.Errorf("hunk %d of %d (line %d of the patch) does not apply: %w", i+1, len(hunks), hunks[i].line, err)
			}
			return "", tool.Errorf("the patch does not apply: %w", err)
		}
	}
	f.copyTo(len(f.lines))
	return f.text(), nil
}

// patched is a file while hunks are applied to it.
type patched struct {
	lines []line
	texts []string
	eol   string // of lines that come, where none stands beside them
	at    int    // index of the first line that no hunk has passed
	out   []line
}

// copyTo copies the lines up to index i.
func (f *patched) copyTo(i int) {
	f.out = append(f.out, f.lines[f.at:i]...)
	f.at = i
}

// text returns the result. A file whose last line did not end still has one that does not.
func (f *patched) text() string {
	unended := len(f.lines) > 0 && f.lines[len(f.lines)-1].end == ""
	var b strings.Builder
	for i, l := range f.out {
		last := i == len(f.out)-1
		switch {
		case last && unended:
			l.end = ""
		case !last && l.end == "":
			l.end = f.endBeside(i)
		}
		b.WriteString(l.text + l.end)
	}
	return b.String()
}

// endBeside returns the end of the nearest line above i of the result that has one.
func (f *patched) endBeside(i int) string {
	for i--; i >= 0; i-- {
		if f.out[i].end != "" {
			return f.out[i].end
		}
	}
	return f.eol
}

// apply applies one hunk at or after the current place.
func (f *patched) apply(h *hunk) error {
	from := f.at
	lost := "" // a line above that is not there
	for _, above := range h.above {
		i := f.above(above, from)
		if i < 0 {
			lost = above
			break
		}
		from = i + 1
	}
	old := make([]string, 0, len(h.lines))
	for _, l := range h.lines {
		if l.op != '+' {
			old = append(old, l.text)
		}
	}
	lines := h.lines
	if len(old) == 0 {
		return f.insert(lines, from, lost, len(h.above) > 0 && !h.last)
	}
	i := seek(f.texts, old, from, h.last)
	if i < 0 && lines[len(lines)-1] == (hunkLine{' ', ""}) { // the blank line before the next hunk is not meant
		lines, old = lines[:len(lines)-1], old[:len(old)-1]
		if len(old) > 0 {
			i = seek(f.texts, old, from, h.last)
		}
	}
	if i >= 0 && lost != "" && seek(f.texts, old, i+1, false) >= 0 {
		return tool.Errorf("there is no line %q after line %d, and the lines of the hunk occur more than once. Copy the line behind @@ from the file.", lost, from)
	}
	if i < 0 {
		return f.missing(old, from, lost)
	}
	again := seek(f.texts, old, i+1, false)
	if n := len(old); again >= 0 && len(h.above) == 0 && !h.last && slices.Equal(f.texts[i:i+n], f.texts[again:again+n]) {
		return tool.Errorf("these lines occur more than once, at %s and %s. Copy more lines of context, or put a line above the right place "+
			"behind @@, such as that of its function.", lineNames(i, n), lineNames(again, n))
	}
	f.copyTo(i)
	f.replace(lines)
	return nil
}

// above returns the index of a line behind @@, or of the only one that has it as a part.
func (f *patched) above(text string, from int) int {
	if i := seek(f.texts, []string{text}, from, false); i >= 0 {
		return i
	}
	found := -1
	for i := from; i < len(f.texts); i++ {
		if strings.Contains(f.texts[i], strings.TrimSpace(text)) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// insert adds the lines of a hunk without context: after the line behind @@, or at the end of the file.
func (f *patched) insert(lines []hunkLine, from int, lost string, here bool) error {
	if lost != "" {
		return f.missing([]string{lost}, from, "")
	}
	if here {
		f.copyTo(from)
	} else {
		f.copyTo(len(f.lines))
	}
	f.replace(lines)
	return nil
}

// replace writes the lines of a hunk, whose old ones are next.
func (f *patched) replace(lines []hunkLine) {
	for _, l := range lines {
		switch l.op {
		case ' ':
			f.copyTo(f.at + 1)
		case '-':
			f.at++
		case '+':
			f.out = append(f.out, line{l.text, f.end()})
		}
	}
}

// end returns the line end at the current place.
func (f *patched) end() string {
	if n := len(f.out); n > 0 && f.out[n-1].end != "" {
		return f.out[n-1].end
	}
	if f.at < len(f.lines) && f.lines[f.at].end != "" {
		return f.lines[f.at].end
	}
	return f.eol
}

// missing returns the error about lines that are not found from an index on: where they are, or what resembles them.
func (f *patched) missing(old []string, from int, lost string) error {
	shown := strings.Join(old[:min(len(old), maxPlaces)], "\n")
	if len(old) > maxPlaces {
		shown += "\n…"
	}
	where := ""
	if from > 0 {
		where = " after " + lineNames(from-1, 1)
	}
	err := tool.Errorf("these lines were not found%s:\n%s\n", where, tool.CutLine([]byte(shown)))
	if lost != "" {
		err = tool.Errorf("neither the line %q nor these lines were found%s:\n%s\n", lost, where, tool.CutLine([]byte(shown)))
	}
	if i := seek(f.texts, old, 0, false); i >= 0 && i < from {
		return tool.Errorf("%wThey stand at %s. Put the hunks in the order of the file.", err, lineNames(i, len(old)))
	}
	if found := nearest(f.lines, old); len(found) > 0 {
		return tool.Errorf("%w%s", err, strings.TrimPrefix(nearHint(f.lines, old, found, "the hunk"), " "))
	}
	return tool.Errorf("%wRead the file again, and copy the lines of context exactly.", err)
}

// alike are the ways in which lines are compared, the strictest first.
var alike = []func(string) string{
	func(s string) string { return s },
	func(s string) string { return strings.TrimRight(s, " \t\r\f\v") },
	strings.TrimSpace,
	func(s string) string { return plainSigns.Replace(strings.TrimSpace(s)) },
}

// plainSigns gives quotes, dashes and spaces their plain forms, which models write in their place.
var plainSigns = strings.NewReplacer("\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2015", "-", "\u2212", "-",
	"\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201b", "'", "\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u201f", `"`,
	"\u00a0", " ", "\u2002", " ", "\u2003", " ", "\u2009", " ", "\u202f", " ", "\u3000", " ")

// seek returns the index of the first run of lines from an index on, -1 if there is none. last looks at the end of the file
// first.
func seek(lines, wanted []string, from int, last bool) int {
	if len(wanted) == 0 || len(wanted) > len(lines) {
		return -1
	}
	want := make([]string, len(wanted))
	for _, same := range alike {
		for i, s := range wanted {
			want[i] = same(s)
		}
		if end := len(lines) - len(want); last && end >= from && runs(lines[end:], want, same) {
			return end
		}
		for i := from; i+len(want) <= len(lines); i++ {
			if runs(lines[i:], want, same) {
				return i
			}
		}
	}
	return -1
}

// runs reports whether lines begin with the wanted ones.
func runs(lines, want []string, same func(string) string) bool {
	for i, s := range want {
		if same(lines[i]) != s {
			return false
		}
	}
	return true
}
