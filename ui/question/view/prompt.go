package view

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/question"
	"parley/ui/style"
)

// prompt is the state of the question that is shown.
type prompt struct {
	q    *question.Question
	form *form // nil without one
	keys *keymap.Map
	now  func() time.Time

	drawn int // the number of the first frame that shows the question, 0 before it
	focus focus
	turn  turn            // of the key that passed Press last
	held  tea.KeyPressMsg // the key that focus holds
	was   *form           // the form before it
	// called means that the user asked for a summoned question before the terminal had drawn it.
	called bool

	reason *style.LineInput // being written, nil otherwise
	editor planEditor
	repeat repeat // of the letter that opened the text that is written
	rule   ruleField
	first  string // the key of the choice that is selected to begin with
	scroll scroll
	clicks clicks
	more   bool // all keys are named, in as many rows as they need
	folds  bool // in the last layout some had no room
}

// scroll is the part of the subject that is on the screen.
type scroll struct {
	top        int  // the first row shown
	rows, fits int  // rows of the last layout, and how many of them were shown
	moved      bool // the user scrolled
}

func newPrompt(q *question.Question, keys *keymap.Map, now func() time.Time) *prompt {
	p := &prompt{q: q, keys: keys, now: now}
	if len(q.Choices) > 0 {
		p.first = q.Choices[q.At].Key
	}
	if q.Form != nil {
		p.form = &form{Form: q.Form, entered: q.Form.Entered}
	}
	return p
}

// mayOpen reports whether the question may take the keyboard by itself.
func (p *prompt) mayOpen(a Around) bool { return !p.q.Summoned && a.Idle }

// writing reports whether a field for text is open. Keys go there while the user has given the question the keyboard, and
// to the composer otherwise.
func (p *prompt) writing() bool {
	return p.line() != nil || p.editing() || p.form != nil && p.form.Writing()
}

// line returns the line that is being written for a choice, nil without one.
func (p *prompt) line() *style.LineInput {
	if p.rule.text != nil {
		return p.rule.text
	}
	return p.reason
}

// writes reports whether keys go into that field.
func (p *prompt) writes() bool { return p.writing() && p.focus.given }

// meaning returns what a key means to the question.
func (p *prompt) meaning(k tea.KeyPressMsg) keyKind {
	s := k.String()
	switch {
	case s == "enter":
		return keyEnter
	case k.Text == "" || k.Mod&(tea.ModCtrl|tea.ModAlt) != 0:
		return p.unprintable(s)
	case p.writing():
		return keyText
	case p.q.ChoiceOf(s) >= 0 && p.q.Choices[p.q.ChoiceOf(s)].Select:
		return keyDigit
	case s == "?" && !p.folds: // it asks for help there
		return keyText
	case p.q.ChoiceOf(s) >= 0, p.form != nil && p.form.Acts(s):
		return keyLetter
	case p.form != nil && p.form.Selects(s):
		return keyDigit
	}
	return keyText
}

// unprintable returns what a key that types nothing means to the question.
func (p *prompt) unprintable(s string) keyKind {
	moves := s == "up" || s == "down"
	switch {
	case moves:
	case s == "pgup", s == "pgdown":
		moves = p.scroll.rows > p.scroll.fits
	case p.form != nil && p.reason == nil:
		moves = p.form.Moves(s)
	case s == "left", s == "right":
		_, changes := p.q.Permission.HowLong()
		moves = changes && !p.writing()
	case s == "esc":
		moves = p.writing() || p.q.Decline != nil
	case s == "tab":
		moves = p.q.TakesMessage() && !p.writing()
	}
	if moves {
		return keyArrow
	}
	return keyForeign
}

// update handles a key by the turn that the rule gave it.
func (p *prompt) update(k tea.KeyPressMsg) Action {
	t := p.turn
	p.turn = turnPasses
	switch {
	case t == turnHolds:
		p.hold(k)
		return nil
	case t == turnAnswers:
		return p.takeHeld()
	case t == turnIgnored:
		return nil
	case t == turnTakes:
		p.held = tea.KeyPressMsg{}
		return p.use(k)
	case p.writes():
		return p.key(k)
	}
	return Passed{}
}

// hold selects what a printable key stands for, and remembers how to go back.
func (p *prompt) hold(k tea.KeyPressMsg) {
	p.held, p.was = k, nil
	switch i := p.q.ChoiceOf(k.String()); {
	case p.form != nil:
		p.was = p.form.copy()
		p.form.choose(k.String())
	case i >= 0 && !p.q.Choices[i].Apart():
		p.q.At = i
	}
}

// release gives the held key up, with what it selected.
func (p *prompt) release() tea.KeyPressMsg {
	k := p.held
	p.held = tea.KeyPressMsg{}
	p.calm()
	if p.was != nil {
		p.form = p.was
		p.q.Form = p.form.Form
	}
	p.focus.drop()
	return k
}

// calm selects the first choice again: Enter must not find another one when the question gets the keyboard again.
func (p *prompt) calm() {
	if at := p.q.ChoiceOf(p.first); at >= 0 && p.form == nil && !p.writing() {
		p.q.At = at
	}
}

// takeHeld picks what the held key selected.
func (p *prompt) takeHeld() Action {
	k := p.held.String()
	p.held = tea.KeyPressMsg{}
	act := Action(nil)
	if at := p.q.ChoiceOf(k); p.form == nil || at >= 0 {
		act = p.pick(max(at, 0))
	} else if act = answered(p.form.act(k)); act == nil {
		p.focus.give()
	}
	if p.writing() {
		p.repeat = repeat{key: k, opened: p.now()}
	}
	return act
}

// use handles a key that moves in the question, and Enter.
func (p *prompt) use(k tea.KeyPressMsg) Action {
	s := k.String()
	switch {
	case s == "enter" && p.writing():
		p.focus.give()
		return nil
	}
	act := p.key(k)
	if act == nil && s == "enter" && p.form != nil {
		p.focus.give() // a user who answered one question of a form goes on with the next
	}
	return act
}

// key handles a key that is not held: arrows, Enter, and text where a field is written.
func (p *prompt) key(k tea.KeyPressMsg) Action {
	s := k.String()
	switch {
	case p.writing() && p.repeats(s):
		return nil
	case p.rule.text != nil:
		return p.ruleKey(k)
	case p.reason != nil:
		return p.reasonKey(k)
	case p.editing():
		p.focus.give()
		return p.editKey(k)
	case p.form != nil:
		return answered(p.form.key(s, keymap.Typed(k)))
	case s == "esc" && p.q.Decline != nil:
		return p.take(*p.q.Decline)
	}
	switch s {
	case "enter":
		return p.pick(p.q.At)
	case "tab":
		p.say()
	case "right":
		p.q.Longer(1)
	case "left":
		p.q.Longer(-1)
	case "up":
		p.step(-1)
	case "down":
		p.step(1)
	case "pgup":
		p.page(-1)
	case "pgdown":
		p.page(1)
	}
	return nil
}

// page scrolls a subject that does not fit by almost what is shown.
func (p *prompt) page(by int) {
	s := &p.scroll
	s.top, s.moved = max(0, min(s.top+by*max(1, s.fits-1), s.rows-s.fits)), true
}

// say opens the field for a message that goes along with the selected answer.
func (p *prompt) say() {
	if p.q.Choices[p.q.At].Do == question.Answers {
		p.reason = &style.LineInput{}
		p.focus.give()
	}
}

// step moves the selection among the answers.
func (p *prompt) step(by int) {
	if to := p.q.At + by; to >= 0 && to < len(p.q.Choices) && !p.q.Choices[to].Apart() {
		p.q.At = to
	}
}

// pick takes a choice, or opens the field for the reason that it asks for.
func (p *prompt) pick(i int) Action {
	if !p.q.Choices[i].Apart() {
		p.q.At = i
	}
	return p.take(p.q.Choices[i])
}

// take does what a choice stands for.
func (p *prompt) take(c question.Choice) Action {
	switch {
	case c.Do == question.EditHere:
		p.beginEdit()
		return nil
	case c.Do == question.EditRule:
		p.editRule()
		return nil
	case c.Do == question.ShowWhy:
		p.q.ToggleWhy()
		p.scroll = scroll{}
		p.calm()
		return nil
	case c.Do == question.ShowMore:
		p.more = !p.more
		return nil
	case c.Do == question.DropEdits:
		p.q.DropEdits()
		p.scroll = scroll{}
		return nil
	case c.Do != question.Answers || c.Why == "":
		return chosen(c)
	}
	p.say()
	return nil
}

// chosen returns the action of a choice that asks for no reason.
func chosen(c question.Choice) Action {
	if c.Do != question.Answers {
		return Chosen{c}
	}
	return Answered{c.Answer}
}

// reasonKey handles a key while a reason is written.
func (p *prompt) reasonKey(k tea.KeyPressMsg) Action {
	switch k.String() {
	case "enter":
		a := p.q.Choices[p.q.At].Answer
		if words := strings.TrimSpace(p.reason.String()); words != "" {
			a.Message = words
		}
		return Answered{a}
	case "esc":
		p.reason = nil
		return nil
	default:
		p.reason.Key(k.String(), keymap.Typed(k))
	}
	p.focus.give()
	return nil
}

// paste inserts text into the field that is written.
func (p *prompt) paste(s string) bool {
	switch {
	case !p.writes():
		return false
	case p.line() != nil:
		p.line().Insert(s)
	case p.editing():
		p.q.Review.Editor.PasteWhole(s)
		p.q.Review.Trouble = ""
	default:
		p.form.Input.Insert(s)
	}
	return true
}
