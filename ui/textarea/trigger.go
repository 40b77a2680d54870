package textarea

import "strings"

// trigger is a request and what its candidate replaces.
type trigger struct {
	Request
	from, to pos
}

// trigger returns what can be completed at the cursor.
func (d *document) trigger() trigger {
	t := d.token()
	if at, ok := d.fileTrigger(t); ok {
		return at
	}
	line := d.lines[t.from.line].text
	switch {
	case t.first && strings.HasPrefix(t.text, "/") && !strings.Contains(t.text[1:], "/") && t.cursor > 0:
		return trigger{Request{What: CompleteCommand, Query: t.text[1:t.cursor]}, t.from, t.end()}
	case t.from.line == 0 && strings.HasPrefix(line, "/"):
		name, _, ok := strings.Cut(line[1:], " ")
		start := len(name) + 2
		if !ok || name == "" || strings.Contains(name, "/") || d.at.off < start || len(d.lines) > 1 {
			break
		}
		return trigger{Request{What: CompleteArgument, Query: line[start:d.at.off], Command: name}, pos{0, start}, pos{0, len(line)}}
	}
	return trigger{}
}

// fileTrigger looks for an @ before the cursor: at the start of a word, or behind a bracket or a quote.
func (d *document) fileTrigger(t token) (trigger, bool) {
	at, line := d.at, d.line()
	if i := strings.LastIndex(line[:at.off], `@"`); i >= 0 && begins(line, i) &&
		strings.IndexByte(line[i+2:at.off], '"') < 0 && strings.IndexByte(line[i+2:at.off], chipMark) < 0 {
		to := at.off
		if n := strings.IndexByte(line[to:], '"'); n >= 0 && !strings.Contains(line[to:to+n], " ") {
			to += n + 1
		}
		return trigger{Request{What: CompleteFile, Query: line[i+2 : at.off]}, pos{at.line, i}, pos{at.line, to}}, true
	}
	word := t.text[:t.cursor]
	i := strings.LastIndexByte(word, '@')
	if i < 0 || !begins(word, i) {
		return trigger{}, false
	}
	query := word[i+1:]
	if path, _, _, ok := lineRange(query); ok && path != "" || strings.HasPrefix(query, `"`) {
		return trigger{}, false // the file is known, its lines are being written
	}
	return trigger{Request{What: CompleteFile, Query: query}, pos{t.from.line, t.from.off + i}, t.end()}, true
}

// begins reports whether a mention may begin at i, which is not within an address.
func begins(s string, i int) bool { return i == 0 || strings.IndexByte(" \t([{<\"'`,;", s[i-1]) >= 0 }
