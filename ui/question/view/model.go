package view

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/question"
	"parley/ui/style"
)

// Action is what the root carries out within the call that returned it. nil is nothing.
type Action interface{ action() }

type (
	// Answered carries the answer to the question's ask.
	Answered struct{ Answer session.Answer }
	// Chosen carries a choice with a deed instead of an answer.
	Chosen struct{ Choice question.Choice }
	// Typed carries a held key that turned out to be text: it goes where it goes without a question.
	Typed struct{ Key tea.KeyPressMsg }
	// RuleSet means that the user edited the rule that lasting answers save: whether it covers the call is to be looked up.
	RuleSet struct{}
	// Passed means that the key was not the question's.
	Passed struct{}
)

func (Answered) action() {}
func (Chosen) action()   {}
func (Typed) action()    {}
func (RuleSet) action()  {}
func (Passed) action()   {}

// TickMsg makes the question look at the time again. The root routes it to Update.
type TickMsg struct{ n int }

// Options are what a View needs of the program.
type Options struct {
	Look *style.Look
	// Keys is the key table, for the editor of a plan; nil is the one without the user's own keys.
	Keys *keymap.Map
	Now  func() time.Time
	// After returns a command that brings a message after a while, unless the program ends before.
	After func(time.Duration, tea.Msg) tea.Cmd
	// Frames returns the number of the newest frame and that of the newest one the terminal has drawn.
	Frames func() (newest, drawn int)
}

// Around is the rest of the screen, as far as the keyboard rule depends on it.
type Around struct {
	Visible bool      // frames show the question
	Idle    bool      // nothing is being written, searched or read
	LastKey time.Time // when any key came last
}

// View shows at most one question.
type View struct {
	o       Options
	cur     *prompt // nil while nothing is asked
	turn    ofTurn
	wakes   int // the number of the newest TickMsg that is under way
	wakeAt  time.Time
	changed bool
	laid    int // rows of the last layout
}

// ofTurn is what a question shows of its turn: how many asks are open, and what stops it; without a key for none.
type ofTurn struct {
	waiting int
	stop    hint
}

// New returns a View without a question.
func New(o Options) *View {
	if o.Keys == nil {
		o.Keys, _ = keymap.New(nil) // the table itself is right
	}
	return &View{o: o}
}

// Show replaces the question; nil removes it. A key that the old question held is text.
func (m *View) Show(q *question.Question) Action {
	held := m.Release()
	m.cur = nil
	if q != nil {
		m.cur = newPrompt(q, m.o.Keys, m.o.Now)
	}
	return held
}

// Open reports whether there is a question.
func (m *View) Open() bool { return m.cur != nil }

// Question returns the question, nil without one.
func (m *View) Question() *question.Question {
	if m.cur == nil {
		return nil
	}
	return m.cur.q
}

// SetTurn sets how many asks of the turn are open, for the head of the question, and the key that stops the turn with what it does, for
// its hints; "" for none.
func (m *View) SetTurn(waiting int, key, does string) {
	m.turn = ofTurn{waiting, hint{key, does, -1}}
}

// HasKeyboard reports whether the question has the keyboard.
func (m *View) HasKeyboard() bool { return m.cur != nil && m.cur.focus.has() }

// hasGiven reports whether the user gave the question the keyboard.
func (m *View) hasGiven() bool { return m.cur != nil && m.cur.focus.given }

// Writes reports whether keys write free text or a reason.
func (m *View) Writes() bool { return m.cur != nil && m.cur.writes() }

// GivesReason reports whether a reason or a rule is open for writing, not a field of a form.
func (m *View) GivesReason() bool { return m.cur != nil && m.cur.line() != nil }

// Unsent returns the words for the agent that are being written, "" without any.
func (m *View) Unsent() string {
	switch {
	case m.cur == nil:
		return ""
	case m.cur.reason != nil:
		return strings.TrimSpace(m.cur.reason.String())
	case m.cur.form != nil && m.cur.form.Input != nil:
		return strings.TrimSpace(m.cur.form.Input.String())
	}
	return ""
}

// Escapes reports whether esc means something to the question, and does not stop the turn.
func (m *View) Escapes() bool {
	p := m.cur
	return p != nil && p.focus.has() && (p.q.Form != nil || p.q.Decline != nil || p.writes())
}

// Takes reports whether a key that has another meaning in the chat belongs to the text that is written: it goes to another
// step of the form, or moves in the plan.
func (m *View) Takes(key string) bool {
	switch p := m.cur; {
	case p == nil || p.line() != nil:
		return false
	case p.editing():
		return slices.Contains([]string{"pgup", "pgdown", "ctrl+home", "ctrl+end", "tab", "shift+tab"}, key)
	case p.form != nil:
		return p.form.Steps() > 1 && !p.form.Noting() && (key == "tab" || key == "shift+tab")
	}
	return false
}

// Changes reports whether a tick, a look, a click or Hide changed anything that rows show, since the last call.
func (m *View) Changes() bool {
	c := m.changed
	m.changed = false
	return c
}

// Touch records a key or a paste that did not pass Press.
func (m *View) Touch() {
	if m.cur != nil {
		m.cur.focus.touch(m.o.Now())
	}
}

// Press applies the keyboard rule to a key, before anything else handles it. It returns the key held so far if that turned
// out to be text. reachable means that the question is visible and nothing else takes keys.
func (m *View) Press(k tea.KeyPressMsg, reachable bool) Action {
	p := m.cur
	if p == nil {
		return nil
	}
	p.turn = turnPasses
	if !reachable || p.writes() {
		m.Touch()
		return nil
	}
	if p.turn = p.focus.press(p.meaning(k), m.o.Now()); p.turn == turnTyped {
		held := m.Release()
		p.calm()
		return held
	}
	return nil
}

// Update handles a TickMsg, or a key that went through Press.
func (m *View) Update(msg tea.Msg, a Around) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case TickMsg:
		return m.tick(msg, a), nil
	case tea.KeyPressMsg:
		if m.cur != nil {
			return m.cur.update(msg), nil
		}
	}
	return Passed{}, nil
}

// tick lets the question do what it has waited for: take the keyboard, or answer with the key that it holds.
func (m *View) tick(msg TickMsg, a Around) Action {
	if msg.n != m.wakes {
		return nil
	}
	m.wakeAt = time.Time{}
	p := m.cur
	if p == nil || !a.Visible {
		return nil
	}
	had := p.focus.has()
	answers := p.focus.tick(m.o.Now(), p.mayOpen(a))
	if had != p.focus.has() {
		m.changed = true
	}
	if answers {
		m.changed = true
		return p.takeHeld()
	}
	if !p.focus.holds() {
		p.held = tea.KeyPressMsg{}
	}
	return nil
}

// Look updates the rule after a message of any kind: whether the terminal shows the question, and whether something is
// being written. It returns the held key if that is text now.
func (m *View) Look(a Around) (held Action) {
	p := m.cur
	if p == nil {
		return nil
	}
	if !a.Visible {
		if p.drawn != 0 {
			return m.Hide()
		}
		return nil
	}
	if p.drawn > 0 && !p.focus.shown() {
		if _, drawn := m.o.Frames(); drawn >= p.drawn {
			p.focus.show(m.o.Now())
			p.focus.touch(a.LastKey)
			if p.called {
				p.focus.give()
				m.changed = true
			}
		}
	}
	if p.focus.open && !p.focus.given && !p.mayOpen(a) {
		held = m.Release()
		p.focus.wrote()
		p.calm()
		m.changed = true
	}
	return held
}

// Drawn records, after a frame that shows the question was handed to the painter, which one was the first.
func (m *View) Drawn() {
	if p := m.cur; p != nil && p.drawn == 0 {
		p.drawn, _ = m.o.Frames()
	}
}

// unseenPoll is how often a question checks whether the terminal has drawn it.
const unseenPoll = 50 * time.Millisecond

// Watch returns the command that brings the next TickMsg, nil if none is due or one is under way.
func (m *View) Watch(a Around) tea.Cmd {
	p := m.cur
	switch {
	case p == nil || p.drawn == 0 || !a.Visible:
		return nil
	case !p.focus.shown():
		return m.wake(unseenPoll)
	}
	due := p.focus.due(p.mayOpen(a))
	if due.IsZero() {
		return nil
	}
	return m.wake(max(time.Millisecond, due.Sub(m.o.Now())))
}

// wake arranges a TickMsg, unless an earlier one is under way.
func (m *View) wake(d time.Duration) tea.Cmd {
	at := m.o.Now().Add(d)
	if !m.wakeAt.IsZero() && !at.Before(m.wakeAt) {
		return nil
	}
	m.wakes, m.wakeAt = m.wakes+1, at
	return m.o.After(d, TickMsg{m.wakes})
}

// Hide takes the keyboard away from the question until the terminal has drawn it again. A held key is text.
func (m *View) Hide() Action {
	p := m.cur
	if p == nil {
		return nil
	}
	held := m.Release()
	p.calm()
	p.focus.hide()
	p.drawn = 0
	m.changed = true
	return held
}

// Release gives the held key up as text.
func (m *View) Release() Action {
	if m.cur == nil || m.cur.held.Text == "" {
		return nil
	}
	return Typed{m.cur.release()}
}

// Toggle gives the question the keyboard, or takes it back.
func (m *View) Toggle() {
	p := m.cur
	if p == nil {
		return
	}
	if p.focus.given {
		p.called = false
		p.focus.takeBack(m.o.Now())
		p.calm()
		return
	}
	p.held = tea.KeyPressMsg{}
	p.focus.give()
}

// Call gives a summoned question the keyboard, as soon as the terminal has drawn it.
func (m *View) Call() {
	if p := m.cur; p != nil {
		p.called = true
		p.focus.give()
	}
}

// Paste puts pasted text where words are being written, and reports false where none are. It never answers.
func (m *View) Paste(text string) bool { return m.cur != nil && m.cur.paste(text) }
