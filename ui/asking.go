package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/ask"
	"parley/ui/keymap"
	"parley/ui/question"
)

// forgetAsks removes the question of a session that is left, and what was answered in it.
func (m *Model) forgetAsks() {
	_ = m.ask.Show(nil) // a held key belongs to what was left
	m.answered = map[session.AskID]bool{}
	m.reveal, m.revealed = false, false
}

// around returns what the keyboard rule of a question depends on.
func (m *Model) around() ask.Around {
	return ask.Around{Visible: m.promptShown(), Idle: m.input.Empty() && !m.input.Searching() && !m.conv.Reading(), LastKey: m.watch.LastKey()}
}

// promptReachable reports whether a question gets keys by its rule.
func (m *Model) promptReachable() bool {
	return m.promptShown() && !m.conv.Reading() && !m.input.Searching()
}

// syncPrompt shows the oldest ask that was not answered yet, else the question about the directory.
func (m *Model) syncPrompt() tea.Cmd {
	var next *session.Ask
	for _, a := range m.conv.Transcript().Asks {
		if !m.answered[a.Ask] {
			next = a
			break
		}
	}
	old := m.ask.Question()
	switch {
	case next == nil && len(m.directory.Items) > 0 && !m.later:
		if old == nil || !old.Summoned {
			return m.setPrompt(question.Trust(m.directory, m.look.Home))
		}
		return nil
	case next == nil:
		if old == nil {
			return nil
		}
		m.followAgain()
		return m.setPrompt(nil)
	case old != nil && old.Ask == next:
		return nil
	}
	m.followAgain()
	return m.setPrompt(question.New(next, question.Options{Dir: m.dir(), Home: m.look.Home, Who: m.childName(next.Child),
		ModeProblem: m.unsupported, Opens: m.opts.OpenURL != nil}))
}

// setPrompt shows another question, or none. A key that the old one held is text.
func (m *Model) setPrompt(q *question.Question) tea.Cmd {
	held := m.ask.Show(q)
	m.reveal, m.revealed = q != nil && q.Reveal, false
	m.touch()
	return m.asked(held)
}

// resetPrompt takes the keyboard from the question until the terminal has drawn it again: something else was on the screen.
func (m *Model) resetPrompt() tea.Cmd {
	held := m.ask.Hide()
	if m.ask.Changes() {
		m.touch()
	}
	return m.asked(held)
}

// asked carries out what came of a question.
func (m *Model) asked(a ask.Action) tea.Cmd {
	switch a := a.(type) {
	case ask.Typed:
		m.touch()
		if m.conv.Viewing() {
			return m.viewKey(a.Key.String())
		}
		return m.chatKey(a.Key)
	case ask.Answered:
		return m.answer(a.Answer)
	case ask.Chosen:
		return m.chose(a.Choice)
	case ask.Scrolled:
		m.scrollPlan(a.Down)
	}
	return nil
}

// chose does what a choice stands for that is not an answer.
func (m *Model) chose(c question.Choice) tea.Cmd {
	q := m.ask.Question()
	switch c.Do {
	case question.EditPlan:
		return m.editPlan(q)
	case question.DropEdits:
		return tea.Batch(m.setPrompt(nil), m.syncPrompt())
	case question.OpenPage:
		return tea.Batch(m.openURL(q.Ask.Elicitation.URL), m.answer(c.Answer))
	case question.Load:
		return m.decideTrust(*q.Directory, true)
	case question.Refuse:
		return m.decideTrust(*q.Directory, false)
	case question.DecideLate:
		return m.trustLater()
	}
	return nil
}

// askTick lets the question do what it has waited for.
func (m *Model) askTick(msg ask.TickMsg) tea.Cmd {
	act, _ := m.ask.Update(msg, m.around())
	if m.ask.Changes() {
		m.touch()
	}
	return m.asked(act)
}

// lookAtPrompt brings the keyboard rule up to date after a message.
func (m *Model) lookAtPrompt() tea.Cmd {
	if !m.ask.Open() {
		return nil
	}
	held := m.ask.Look(m.around())
	if m.ask.Changes() {
		m.touch()
	}
	return m.asked(held)
}

// watchPrompt returns the command that makes the question look at the time again.
func (m *Model) watchPrompt() tea.Cmd {
	if !m.ask.Open() {
		return nil
	}
	return m.ask.Watch(m.around())
}

// giveKeyboard gives the question the keyboard, or takes it back.
func (m *Model) giveKeyboard() tea.Cmd {
	m.touch()
	q := m.ask.Question()
	switch {
	case q == nil && len(m.directory.Items) == 0:
		m.notices.Info("no question is open")
		return nil
	case q == nil || q.Summoned && !m.ask.Given():
		return m.summonTrust()
	}
	m.ask.Toggle()
	return nil
}

// promptKey hands a key to the question, and reports whether it was the question's.
func (m *Model) promptKey(k tea.KeyPressMsg) (cmd tea.Cmd, used bool) {
	if !m.ask.Open() || m.input.Searching() {
		return nil, false
	}
	if m.ask.Writes() && m.readOnKey(k.String()) {
		return nil, true
	}
	act, _ := m.ask.Update(k, m.around())
	if _, passed := act.(ask.Passed); passed {
		return nil, false
	}
	m.touch()
	return m.asked(act), true
}

// readOnKey handles the keys that work while an answer is written: reading on, changing the mode, interrupting.
func (m *Model) readOnKey(s string) bool {
	switch {
	case s == "ctrl+c":
		m.interrupt()
	case m.ask.Steps(s):
		return false
	case m.scrollKey(s):
	case m.does(s).Act == keymap.Mode && !m.ask.GivesReason():
		m.nextMode()
	default:
		return false
	}
	return true
}

// clickAnswer gives the answer on which the button was pressed and released.
func (m *Model) clickAnswer(x, y int) tea.Cmd {
	held, act := m.ask.ReleaseAt(x, y, m.promptShown() && !m.conv.Reading())
	if m.ask.Changes() {
		m.touch()
	}
	return tea.Batch(m.asked(held), m.asked(act))
}

// answer answers the ask that is shown, once, and shows the next.
func (m *Model) answer(a session.Answer) tea.Cmd {
	q := m.ask.Question()
	if q == nil || q.Ask == nil {
		return nil
	}
	m.answered[q.Ask.Ask] = true
	if q.Ask.Plan != nil {
		m.conv.Session().Bottom() // the reader was taken to the plan
	}
	err := m.session.Answer(q.Ask.Ask, a)
	if k := session.KindOf(err); err != nil && k != session.KindNotFound {
		m.notices.Warn(session.ProblemOf(err, m.look.Now()).What)
	}
	m.touch()
	return m.syncPrompt()
}
