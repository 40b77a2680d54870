package compose

import "strings"

// What is completed.
const (
	// CompleteNothing: there is nothing to complete at the cursor.
	CompleteNothing Completing = iota
	// CompleteCommand is the name of a command, written as the first thing behind a slash.
	CompleteCommand
	// CompleteArgument is what follows a command.
	CompleteArgument
	// CompleteFile is a file or a directory behind an @.
	CompleteFile
)

// Completing says what is completed.
type Completing uint8

// Request is what is at the cursor.
type Request struct {
	What Completing
	// Query is what was written so far, without the slash, the @ and quotes.
	Query string
	// Command is the name of the command, if its argument is completed.
	Command string
}

// Candidate is what the text at the cursor may become.
type Candidate struct {
	// Text is what is put in, without the slash or the @: a name, an argument, a path with slashes.
	Text string
	// Label and Detail are what is shown; an empty Label means Text.
	Label, Detail string
	// More says that something may follow at once, as in a directory: no blank is added, and the completion goes on.
	More bool
}

// Source knows what there is to complete. It is called for each key, so it must answer from what it has at hand; when it
// has more, the owner of the completion calls Refresh.
type Source interface {
	// Candidates returns at most limit candidates, the best first.
	Candidates(r Request, limit int) []Candidate
}

// Completion offers what the word at the cursor may become. Its owner calls Update after every change of the text or of
// the cursor. It is used by the goroutine that uses the composer.
type Completion struct {
	c      *Composer
	source Source

	at       trigger
	shown    []Candidate
	selected int
	closed   *trigger // the user closed it there
}

// trigger is where something is completed, and what.
type trigger struct {
	Request
	from, to pos // what is replaced
	quoted   bool
}

// maxCandidates is how many candidates are asked for.
const maxCandidates = 100

// NewCompletion returns a completion for what is written in the composer.
func NewCompletion(c *Composer, s Source) *Completion { return &Completion{c: c, source: s} }

// Update brings the completion in line with the text and the cursor.
func (p *Completion) Update() {
	at := p.c.trigger()
	if p.closed != nil && (at.What != p.closed.What || at.from != p.closed.from) {
		p.closed = nil
	}
	same := at == p.at
	p.at = at
	if at.What == CompleteNothing || p.closed != nil {
		p.shown, p.selected = nil, 0
		return
	}
	if !same {
		p.selected = 0
		p.shown = p.source.Candidates(at.Request, maxCandidates)
	}
}

// Refresh asks the source again, which has more now. What is selected stays selected.
func (p *Completion) Refresh() {
	if p.at.What == CompleteNothing || p.closed != nil {
		return
	}
	var was string
	if len(p.shown) > 0 && p.selected > 0 {
		was = p.shown[p.selected].Text
	}
	p.shown, p.selected = p.source.Candidates(p.at.Request, maxCandidates), 0
	for i, c := range p.shown {
		if was != "" && c.Text == was {
			p.selected = i
		}
	}
}

// Open reports whether there is something to choose from.
func (p *Completion) Open() bool { return len(p.shown) > 0 }

// Request is what is completed at present.
func (p *Completion) Request() Request { return p.at.Request }

// List are the candidates and which of them is selected. The slice must not be changed.
func (p *Completion) List() (all []Candidate, selected int) { return p.shown, p.selected }

// Move changes the selection by so many candidates, around the ends.
func (p *Completion) Move(step int) {
	if n := len(p.shown); n > 0 {
		p.selected = ((p.selected+step)%n + n) % n
	}
}

// Close hides the candidates until something else is completed.
func (p *Completion) Close() {
	at := p.at
	p.closed, p.shown, p.selected = &at, nil, 0
}

// Closed reports whether the candidates were hidden by Close.
func (p *Completion) Closed() bool { return p.closed != nil }

// Accept puts the selected candidate in the place of what was written, and returns it. ok is false, and nothing
// happened, if there is none.
func (p *Completion) Accept() (c Candidate, ok bool) {
	if !p.Open() || p.at != p.c.trigger() {
		return Candidate{}, false
	}
	c = p.shown[p.selected]
	text := c.Text
	switch p.at.What {
	case CompleteCommand:
		text = "/" + text
	case CompleteFile:
		text = fileWord(text, c.More)
	}
	to := p.at.to
	if line := p.c.doc.lines[to.line].text; !c.More {
		if to.off < len(line) && line[to.off] == ' ' {
			to.off++
		}
		text += " "
	}
	p.c.replace(p.at.from, to, text, other)
	p.Update()
	return c, true
}

// fileWord is a path as it is written behind an @: in quotes if there are blanks in it, open ones if more may follow.
func fileWord(path string, more bool) string {
	if !strings.ContainsAny(path, " \t\"") {
		return "@" + path
	}
	path = `@"` + strings.ReplaceAll(path, `"`, "")
	if more {
		return path
	}
	return path + `"`
}

// trigger returns what may be completed at the cursor.
func (c *Composer) trigger() trigger {
	t := c.Token()
	cursor := t.to
	cursor.off = t.from.off + t.Cursor
	if at, ok := c.fileTrigger(t); ok {
		return at
	}
	line := c.doc.lines[t.from.line].text
	switch {
	case t.First && strings.HasPrefix(t.Text, "/") && !strings.Contains(t.Text[1:], "/") && t.Cursor > 0:
		return trigger{Request{What: CompleteCommand, Query: t.Text[1:t.Cursor]}, t.from, t.to, false}
	case t.from.line == 0 && strings.HasPrefix(line, "/"):
		name, _, ok := strings.Cut(line[1:], " ")
		start := len(name) + 2
		if !ok || name == "" || strings.Contains(name, "/") || c.doc.at.off < start || len(c.doc.lines) > 1 {
			break
		}
		return trigger{Request{What: CompleteArgument, Query: line[start:c.doc.at.off], Command: name},
			pos{0, start}, pos{0, len(line)}, false}
	}
	return trigger{}
}

// fileTrigger looks for an @ before the cursor: at the start of a word, or behind a bracket or a quote.
func (c *Composer) fileTrigger(t Token) (trigger, bool) {
	at := c.doc.at
	line := c.doc.lines[at.line].text
	if i := strings.LastIndex(line[:at.off], `@"`); i >= 0 && begins(line, i) &&
		strings.IndexByte(line[i+2:at.off], '"') < 0 && strings.IndexByte(line[i+2:at.off], chipMark) < 0 {
		to := at.off
		if n := strings.IndexByte(line[to:], '"'); n >= 0 && !strings.Contains(line[to:to+n], " ") {
			to += n + 1
		}
		return trigger{Request{What: CompleteFile, Query: line[i+2 : at.off]}, pos{at.line, i}, pos{at.line, to}, true}, true
	}
	word := t.Text[:t.Cursor]
	i := strings.LastIndexByte(word, '@')
	if i < 0 || !begins(word, i) {
		return trigger{}, false
	}
	query := word[i+1:]
	if path, _, _, ok := lineRange(query); ok && path != "" || strings.HasPrefix(query, `"`) {
		return trigger{}, false // the file is known, its lines are being written
	}
	from := pos{t.from.line, t.from.off + i}
	return trigger{Request{What: CompleteFile, Query: query}, from, t.to, false}, true
}

// begins reports whether a word may begin at i: not in the middle of an address.
func begins(s string, i int) bool { return i == 0 || strings.IndexByte(" \t([{<\"'`,;", s[i-1]) >= 0 }

// ShellCommand returns the command of a text that is to be run by the shell, which begins with an exclamation mark. Two
// of them are one in a text for the agent; for that, ok is false.
func ShellCommand(text string) (command string, ok bool) {
	rest, ok := strings.CutPrefix(text, "!")
	if !ok || strings.HasPrefix(rest, "!") || strings.TrimSpace(rest) == "" {
		return "", false
	}
	return strings.TrimSpace(rest), true
}
