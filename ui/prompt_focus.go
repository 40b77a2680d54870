package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// This file gives a prompt the keyboard and takes it away, by the rule of askFocus.

// unseenPoll is how often parley checks whether the terminal has shown the prompt.
const unseenPoll = 50 * time.Millisecond

// syncPrompt shows the oldest ask that was not answered yet.
func (m *Model) syncPrompt() tea.Cmd {
	var next *session.Ask
	for _, a := range m.feed.t.Asks {
		if !m.answered[a.Ask] {
			next = a
			break
		}
	}
	old := m.prompt
	switch {
	case next == nil && len(m.trusting.items) > 0 && !m.trusting.later:
		if old == nil || !old.summoned {
			return m.setPrompt(m.trustPrompt())
		}
		return nil
	case next == nil:
		if old == nil {
			return nil
		}
		m.followAgain(old)
		return m.setPrompt(nil)
	case old != nil && old.ask == next:
		return nil
	}
	m.followAgain(old)
	return m.setPrompt(newPrompt(next, asking{dir: m.dir(), home: m.look.Home, who: m.childName(next.Child), problem: m.unsupported,
		opens: m.opts.OpenURL != nil}))
}

// setPrompt shows another prompt, or none. A key that the old one held is text.
func (m *Model) setPrompt(p *prompt) tea.Cmd {
	cmd := m.typed()
	m.prompt = p
	m.touch()
	return cmd
}

// wake arranges that the prompt is looked at again after a while.
func (m *Model) wake(d time.Duration) tea.Cmd {
	at := m.now().Add(d)
	if !m.wakeAt.IsZero() && !at.Before(m.wakeAt) {
		return nil
	}
	m.wakes, m.wakeAt = m.wakes+1, at
	return m.after(d, quietMsg{m.wakes})
}

// promptDue lets the prompt do what it has waited for: take the keyboard, or answer with the key that it holds.
func (m *Model) promptDue(msg quietMsg) tea.Cmd {
	if msg.n != m.wakes {
		return nil
	}
	m.wakeAt = time.Time{}
	p := m.prompt
	if p == nil || !m.promptShown() {
		return nil
	}
	had := p.focus.has()
	answers := p.focus.tick(m.now(), m.mayOpen())
	if had != p.focus.has() {
		m.touch()
	}
	if !p.focus.holds() && !answers {
		p.heldKey = tea.KeyPressMsg{}
	}
	if answers {
		return m.takeHeld()
	}
	return nil
}

// mayOpen reports whether the prompt may take the keyboard by itself: it is not called by a key, and nothing is being
// written or read.
func (m *Model) mayOpen() bool {
	return !m.prompt.summoned && m.input.Empty() && !m.input.Searching() && !m.reading()
}

// lookAtPrompt notes what has become of the prompt since the last message: whether the terminal shows it, and whether
// something is being written.
func (m *Model) lookAtPrompt() (cmd tea.Cmd) {
	p := m.prompt
	if p == nil {
		return nil
	}
	if !m.promptShown() {
		if p.drawn != 0 {
			return m.resetPrompt()
		}
		return nil
	}
	if p.drawn > 0 && !p.focus.shown() && m.painter.Stats().Shown >= p.drawn {
		p.focus.show(m.now())
		p.focus.touch(m.lastKey)
		if p.called {
			p.focus.give()
			m.touch()
		}
	}
	if p.focus.open && !p.focus.given && !m.mayOpen() {
		cmd = m.typed()
		p.focus.wrote()
		m.touch()
	}
	return cmd
}

// watchPrompt arranges that the prompt is looked at when it has something to do.
func (m *Model) watchPrompt() tea.Cmd {
	p := m.prompt
	switch {
	case p == nil || p.drawn == 0 || !m.promptShown():
		return nil
	case !p.focus.shown():
		return m.wake(unseenPoll)
	}
	due := p.focus.due(m.mayOpen())
	if due.IsZero() {
		return nil
	}
	return m.wake(max(time.Millisecond, due.Sub(m.now())))
}

// resetPrompt takes the keyboard away from the prompt until it was seen again: something else was on the screen.
func (m *Model) resetPrompt() tea.Cmd {
	p := m.prompt
	if p == nil {
		return nil
	}
	cmd := m.typed()
	p.focus.hide()
	p.drawn = 0
	m.touch()
	return cmd
}

// giveKeyboard gives the prompt the keyboard, or takes it back.
func (m *Model) giveKeyboard() tea.Cmd {
	p := m.prompt
	m.touch()
	switch {
	case p == nil && len(m.trusting.items) == 0:
		m.say("no question is open", false)
		return nil
	case p == nil || p.summoned && !p.focus.given:
		return m.summonTrust()
	case p.focus.given:
		p.called = false
		p.focus.takeBack(m.now())
		return nil
	}
	p.heldKey = tea.KeyPressMsg{}
	p.focus.give()
	return nil
}

// promptKey does what the prompt makes of a key, and reports whether it was the prompt's.
func (m *Model) promptKey(k tea.KeyPressMsg, turn askTurn) (cmd tea.Cmd, used bool) {
	p := m.prompt
	switch turn {
	case askHolds:
		p.hold(k)
		return nil, true
	case askAnswers:
		return m.takeHeld(), true
	case askTakes:
		p.heldKey = tea.KeyPressMsg{}
		return m.useKey(k), true
	}
	return nil, false
}

// typed makes text of the key that the prompt holds: it goes where it goes without a question.
func (m *Model) typed() tea.Cmd {
	p := m.prompt
	if p == nil || p.heldKey.Text == "" {
		return nil
	}
	k := p.release()
	m.touch()
	if m.viewing() {
		return m.viewKey(k.String())
	}
	return m.chatKey(k)
}

// takeHeld gives the answer that the held key stands for.
func (m *Model) takeHeld() tea.Cmd {
	p := m.prompt
	p.heldKey = tea.KeyPressMsg{}
	m.touch()
	return m.replied(p.pick(p.at))
}

// useKey handles a key that moves in the prompt, and Enter.
func (m *Model) useKey(k tea.KeyPressMsg) tea.Cmd {
	s, p := k.String(), m.prompt
	switch {
	case s == "enter" && p.writing():
		p.focus.give()
		return nil
	case p.ask != nil && p.ask.Plan != nil && (s == "up" || s == "down"):
		m.scrollPlan(s == "down")
		return nil
	}
	cmd := m.replied(p.key(k))
	if m.prompt == p && s == "enter" && p.form != nil {
		p.focus.give() // who has answered one question of a form goes on with the next
	}
	return cmd
}

// wordsKey handles a key while words are written that belong to an answer. Reading on stays possible.
func (m *Model) wordsKey(k tea.KeyPressMsg) tea.Cmd {
	s, p := k.String(), m.prompt
	steps := p.form != nil && p.form.steps() > 1 && p.saying == nil && (s == "tab" || s == "shift+tab")
	switch {
	case s == "ctrl+c":
		m.interrupt()
		return nil
	case steps:
	case m.scrollKey(s):
		return nil
	case m.does(s).Act == keymap.Mode && p.saying == nil:
		m.nextMode()
		return nil
	}
	return m.replied(p.key(k))
}

// replied does what a key of the prompt led to.
func (m *Model) replied(r reply) tea.Cmd {
	switch {
	case r.act != nil:
		return r.act(m)
	case r.done:
		return m.answer(r.answer)
	}
	if p := m.prompt; p.saying != nil {
		p.focus.give()
	}
	return nil
}

// answer answers the prompt, once, and shows the next.
func (m *Model) answer(a session.Answer) tea.Cmd {
	p := m.prompt
	if p == nil || p.ask == nil {
		return nil
	}
	m.answered[p.ask.Ask] = true
	if p.ask.Plan != nil {
		m.feed.rows.Bottom() // the reader was taken to the plan
	}
	err := m.session.Answer(p.ask.Ask, a)
	if k := session.KindOf(err); err != nil && k != session.KindNotFound {
		problem := session.ProblemOf(err, m.now())
		m.say(style.Visible(style.OneLine(problem.What)), true)
	}
	m.touch()
	return m.syncPrompt()
}
