package textarea

import "strings"

// The kinds of completion.
const (
	// CompleteNothing means that there is nothing to complete at the cursor.
	CompleteNothing Completing = iota
	// CompleteCommand is the name of a command: the first word, behind a slash.
	CompleteCommand
	// CompleteArgument is an argument of a command.
	CompleteArgument
	// CompleteFile is a file or a directory behind an @.
	CompleteFile
)

// Completing is a kind of completion.
type Completing uint8

// Request is the word at the cursor that is to be completed.
type Request struct {
	What Completing
	// Query is the part that was written so far, without the slash, the @ and quotes.
	Query string
	// Command is the name of the command whose argument is completed.
	Command string
}

// Candidate is a possible completion.
type Candidate struct {
	// Text is inserted, without the slash or the @: a name, an argument, a path with slashes.
	Text string
	// Label and Detail are what is shown; an empty Label means Text.
	Label, Detail string
	// More reports that something may follow, as in a directory: no blank is added, and the completion goes on.
	More bool
}

// Source finds candidates. It is called for each key and must answer from memory; once it has found more, the owner of
// the completion calls Refresh.
type Source interface {
	// Candidates returns at most limit candidates, the best first.
	Candidates(r Request, limit int) []Candidate
}

// Completion offers candidates for the word at the cursor. Its owner calls Update after every change of the text or of
// the cursor. It is used by the goroutine that uses the composer.
type Completion struct {
	c      *Composer
	source Source

	at       trigger
	shown    []Candidate
	selected int
	closed   *trigger // where the user closed it
}

// maxCandidates is the most candidates that are requested.
const maxCandidates = 100

// NewCompletion returns a completion for the text of the composer.
func NewCompletion(c *Composer, s Source) *Completion { return &Completion{c: c, source: s} }

// Update finds the candidates for the text and the cursor as they are now.
func (p *Completion) Update() {
	at := p.c.doc.trigger()
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

// Refresh requests the candidates again, because the source has more. The selection stays.
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

// Request returns what is being completed.
func (p *Completion) Request() Request { return p.at.Request }

// List returns the candidates and the index of the selected one. The slice must not be changed.
func (p *Completion) List() (all []Candidate, selected int) { return p.shown, p.selected }

// Move moves the selection by step candidates, around the ends.
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

// Accept replaces what was written by the selected candidate and returns it. Without one it does nothing and ok is
// false.
func (p *Completion) Accept() (c Candidate, ok bool) {
	if !p.Open() || p.at != p.c.doc.trigger() {
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

// fileWord returns a path with its @, in quotes if it contains blanks; they stay open if more may follow.
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
