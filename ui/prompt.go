package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// prompt is the ask that is pinned above the composer. One is shown at a time, the oldest.
type prompt struct {
	ask *session.Ask // nil for what parley asks itself
	// drawn is the number of the first frame that shows the prompt, 0 before it.
	drawn int
	// focus says whether the prompt has the keyboard. heldKey is the key it holds, and was what was selected before it.
	focus   askFocus
	heldKey tea.KeyPressMsg
	was     selected

	body    []string // what is asked about, as text that was made visible, whole
	title   string
	detail  string
	about   string // what the agent says that it is for
	first   int    // the line of the body that matters most: the first that changes
	choices []choice
	at      int  // the selected choice
	scroll  int  // the first row shown of what is above the answers
	moved   bool // the user scrolled
	rows    int  // rows above the answers, as last laid out
	fits    int  // rows of them shown, as last laid out
	form    *form
	// saying is the reason being written, nil otherwise.
	saying *style.LineInput
	why    string // what the reason is for
	// escapes is what the escape key does; nil lets it interrupt the turn.
	escapes *choice
	// summoned prompts take the keyboard only when the user asks for that, and called says that it was asked for.
	summoned, called bool
	// zones are the answers on the last frame, and placed is when they came to stand where they are.
	hits   []zone // by the rows of the prompt
	zones  []zone // by the rows of the screen
	placed time.Time
	// reveal asks the next frame to show the beginning of what is asked about.
	reveal bool
	// revealed says that the end of the conversation was left for that.
	revealed bool
}

// choice is one way to answer.
type choice struct {
	key, label string
	short      string // the label where there is little room
	answer     session.Answer
	// say asks for words first, which go along as the answer's message.
	say string
	// act does something instead of answering.
	act func(m *Model) tea.Cmd
}

// reply is what a key made of a prompt: nothing yet, an answer, or something to do.
type reply struct {
	answer session.Answer
	done   bool
	act    func(m *Model) tea.Cmd
}

// selected is what is selected in a prompt, to go back to.
type selected struct {
	at   int
	form *form
}

// writing reports whether the prompt shows a field for words. They are written there while the user has given it the
// keyboard; otherwise they are text for the composer.
func (p *prompt) writing() bool { return p.saying != nil || p.form != nil && p.form.writing() }

// writes reports whether the keys go into that field.
func (p *prompt) writes() bool { return p.writing() && p.focus.given }

// meaning says what a key means to the prompt.
func (p *prompt) meaning(k tea.KeyPressMsg) askKey {
	s := k.String()
	switch {
	case s == "enter":
		return askEnter
	case k.Text == "" || k.Mod&(tea.ModCtrl|tea.ModAlt) != 0:
		return p.unprintable(s)
	case p.writing():
		return askText
	case p.form != nil && s == "m", p.form == nil && p.choiceOf(s) >= 0:
		return askLetter
	case p.form != nil && p.form.selects(s):
		return askDigit
	}
	return askText
}

// unprintable says what a key that is not text means to the prompt.
func (p *prompt) unprintable(s string) askKey {
	switch s {
	case "up", "down":
		return askArrow
	case "left", "right":
		if !p.writing() {
			return askArrow
		}
	case "esc":
		if p.escape() {
			return askArrow
		}
	case "tab", "shift+tab":
		if p.form != nil && p.saying == nil && p.form.steps() > 1 {
			return askArrow
		}
	}
	return askForeign
}

// choiceOf is the choice that a letter stands for, -1 for none.
func (p *prompt) choiceOf(s string) int {
	for i, c := range p.choices {
		if s == c.key {
			return i
		}
	}
	return -1
}

// hold selects what a printable key stands for, and remembers how to go back.
func (p *prompt) hold(k tea.KeyPressMsg) {
	p.heldKey, p.was = k, selected{at: p.at}
	switch i := p.choiceOf(k.String()); {
	case p.form != nil:
		p.was.form = p.form.copy()
		p.form.choose(k.String())
	case i >= 0:
		p.at = i
	}
}

// release gives the held key up, with what it selected.
func (p *prompt) release() tea.KeyPressMsg {
	k := p.heldKey
	p.heldKey, p.at = tea.KeyPressMsg{}, p.was.at
	if p.was.form != nil {
		p.form = p.was.form
	}
	p.focus.drop()
	return k
}

// key handles a key of the prompt that is not held: arrows, Enter, and what is written in a field.
func (p *prompt) key(k tea.KeyPressMsg) reply {
	s := k.String()
	switch {
	case p.saying != nil:
		a, done := p.sayKey(k)
		return reply{answer: a, done: done}
	case p.form != nil:
		a, done := p.form.key(k)
		return reply{answer: a, done: done}
	case s == "esc" && p.escapes != nil:
		return reply{p.escapes.answer, p.escapes.act == nil, p.escapes.act}
	}
	switch s {
	case "enter":
		return p.pick(p.at)
	case "right":
		p.at = min(len(p.choices)-1, p.at+1)
	case "left":
		p.at = max(0, p.at-1)
	case "up", "down":
		p.move(s == "down")
	}
	return reply{}
}

// move scrolls a body that does not fit, and moves the selection otherwise.
func (p *prompt) move(down bool) {
	step := -1
	if down {
		step = 1
	}
	if p.rows > p.fits {
		p.scroll, p.moved = max(0, min(p.scroll+step, p.rows-p.fits)), true
		return
	}
	p.at = max(0, min(p.at+step, len(p.choices)-1))
}

func (p *prompt) pick(i int) reply {
	p.at = i
	c := p.choices[i]
	switch {
	case c.act != nil:
		return reply{act: c.act}
	case c.say == "":
		return reply{answer: c.answer, done: true}
	}
	p.saying, p.why = &style.LineInput{}, c.say
	return reply{}
}

// sayKey handles a key while words are written that go along with a choice.
func (p *prompt) sayKey(k tea.KeyPressMsg) (session.Answer, bool) {
	switch k.String() {
	case "enter":
		a := p.choices[p.at].answer
		if words := strings.TrimSpace(p.saying.String()); words != "" {
			a.Message = words
		}
		return a, true
	case "esc":
		p.saying = nil
	default:
		p.saying.Key(k.String(), keymap.Typed(k))
	}
	return session.Answer{}, false
}

// paste puts pasted text where words are being written; elsewhere it is no answer to anything.
func (p *prompt) paste(s string) bool {
	switch {
	case p.saying != nil && p.writes():
		p.saying.Insert(s)
	case p.writes():
		p.form.input.Insert(s)
	default:
		return false
	}
	return true
}

// escape reports whether the escape key belongs to the prompt: it leaves what is being written, or declines.
func (p *prompt) escape() bool { return p.saying != nil || p.form != nil || p.escapes != nil }
