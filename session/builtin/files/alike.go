package files

import (
	"strings"
	"unicode/utf8"
)

// replaceAlike replaces the only place that an old text can mean although it is not there word for word: one with other quotes,
// dashes or blanks, or lines with another indentation. What old and new have in common stays as it is in the file. It is pure.
func replaceAlike(content, old, new string) (after string, ok bool) {
	if !utf8.ValidString(content) || !utf8.ValidString(old) {
		return "", false
	}
	if after, ok = replaceSigns(content, old, new); ok {
		return after, true
	}
	return replaceIndented(content, old, new)
}

// replaceSigns replaces the only place that is the old text but for quotes, dashes and blanks.
func replaceSigns(content, old, new string) (after string, ok bool) {
	plain, want := plainSigns.Replace(content), plainSigns.Replace(old)
	at := strings.Index(plain, want)
	if at < 0 || strings.Contains(plain[at+1:], want) {
		return "", false
	}
	// A sign and its plain form are one character each, so that counting characters leads back into the file.
	was, had, gets := []rune(content), []rune(want), []rune(new)
	start := utf8.RuneCountInString(plain[:at])
	front, back := common(had, []rune(plainSigns.Replace(new)))
	return string(was[:start+front]) + string(gets[front:len(gets)-back]) + string(was[start+len(had)-back:]), true
}

// common returns how many characters two texts share at their beginnings, and at their ends behind these.
func common(a, b []rune) (front, back int) {
	least := min(len(a), len(b))
	for front < least && a[front] == b[front] {
		front++
	}
	for back < least-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front, back
}

// replaceIndented replaces the only lines that are the old ones but for the white space around them, and gives the new ones the
// indentation of the file.
func replaceIndented(content, old, new string) (after string, ok bool) {
	ended := strings.HasSuffix(old, "\n")
	wanted := strings.Split(strings.TrimSuffix(old, "\n"), "\n")
	lines := linesOf(content)
	at, same := -1, alike[len(alike)-1]
	want := make([]string, len(wanted))
	for i, s := range wanted {
		want[i] = same(s)
	}
	if strings.Join(want, "") == "" {
		return "", false
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.text
	}
	for i := 0; i+len(want) <= len(texts); i++ {
		if !runs(texts[i:], want, same) {
			continue
		}
		if at >= 0 {
			return "", false // two places
		}
		at = i
	}
	if at < 0 {
		return "", false
	}
	in, ok := indentOf(wanted, texts[at:at+len(wanted)])
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, l := range lines[:at] {
		b.WriteString(l.text + l.end)
	}
	last := lines[at+len(wanted)-1].end
	end := "\n"
	if onlyCRLF(content) {
		end = "\r\n"
	}
	if new != "" {
		fresh := strings.Split(strings.TrimSuffix(new, "\n"), "\n")
		for i, s := range fresh {
			if s, ok = in.of(strings.TrimSuffix(s, "\r")); !ok {
				return "", false
			}
			b.WriteString(s)
			if i < len(fresh)-1 {
				b.WriteString(end)
			}
		}
		b.WriteString(last)
	} else if !ended {
		b.WriteString(last) // an empty line stays, as in a file that has the old text
	}
	for _, l := range lines[at+len(wanted):] {
		b.WriteString(l.text + l.end)
	}
	return b.String(), true
}

// indents says how a file indents what a model indents otherwise.
type indents struct {
	known map[string]string // what the file has, by what the model wrote
	unit  int               // blanks of the model that are a tab of the file; 0: unknown
}

// indentOf compares the lines that a model wrote with those of the file, and returns false if they contradict one another.
func indentOf(wanted, have []string) (indents, bool) {
	in := indents{known: map[string]string{}}
	for i, s := range wanted {
		mine, theirs := indent(s), indent(have[i])
		if strings.TrimSpace(s) == "" {
			continue
		}
		if before, ok := in.known[mine]; ok && before != theirs {
			return indents{}, false
		}
		in.known[mine] = theirs
		if tabs := strings.Count(theirs, "\t"); tabs > 0 && tabs == len(theirs) && strings.Trim(mine, " ") == "" && len(mine)%tabs == 0 {
			in.unit = max(in.unit, len(mine)/tabs)
		}
	}
	return in, true
}

// of returns a new line with the indentation of the file, and false if that is not known.
func (in indents) of(line string) (string, bool) {
	mine := indent(line)
	rest := line[len(mine):]
	if rest == "" {
		return "", true
	}
	if theirs, ok := in.known[mine]; ok {
		return theirs + rest, true
	}
	best, found := "", false
	for known := range in.known {
		if strings.HasPrefix(mine, known) && (!found || len(known) > len(best)) {
			best, found = known, true
		}
	}
	if found {
		return in.known[best] + in.deeper(mine[len(best):]) + rest, true
	}
	for known, theirs := range in.known { // less deep than every line that is known: the same less deep in the file
		if more, ok := strings.CutPrefix(known, mine); ok {
			if outer, ok := strings.CutSuffix(theirs, in.deeper(more)); ok {
				return outer + rest, true
			}
		}
	}
	return "", false
}

// deeper returns indentation of the model as the file has it.
func (in indents) deeper(mine string) string {
	if in.unit > 0 && strings.Trim(mine, " ") == "" && len(mine)%in.unit == 0 {
		return strings.Repeat("\t", len(mine)/in.unit)
	}
	return mine
}

// indent returns the white space at the beginning of a line.
func indent(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }
