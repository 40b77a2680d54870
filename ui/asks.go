package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/ask"
	"parley/ui/attention"
	"parley/ui/input"
	"parley/ui/notice"
	"parley/ui/question"
	"parley/ui/style"
	"parley/ui/transcript"
)

// asks decides which question is shown, and sends its answer.
type asks struct {
	opts    *Options
	work    background
	look    *style.Look
	watch   *attention.Watch
	conv    *transcript.Model
	input   *input.Model
	notices *notice.Model
	screen  *screen
	covers  *covers
	current *current
	typed   func(tea.KeyPressMsg) tea.Cmd // writes a key that turned out to be text

	ask      *ask.Model
	answered map[session.AskID]bool // also while the session still lists the ask
	trust    trust
	reveal   reveal
	// explained says that a question with an explanation of its keys was answered.
	explained bool
}

// forget clears the question and the answers of a session that is left.
func (as *asks) forget() {
	_ = as.ask.Show(nil) // a held key belongs to what was left
	as.answered = map[session.AskID]bool{}
	as.reveal = reveal{due: false}
}

// shown reports whether frames show the question.
func (as *asks) shown() bool {
	return as.ask.Open() && !as.covers.covered() && as.covers.signIn == nil && !as.look.TooSmall()
}

// reachable reports whether the question can get keys.
func (as *asks) reachable() bool {
	return as.shown() && !as.conv.Reading() && !as.input.Searching()
}

// around returns what decides whether the question has the keyboard.
func (as *asks) around() ask.Around {
	return ask.Around{Visible: as.shown(), Idle: as.input.Empty() && !as.input.Searching() && !as.conv.Reading(), LastKey: as.watch.LastKey()}
}

// sync shows the oldest ask that was not answered yet, else the question about the directory.
func (as *asks) sync() tea.Cmd {
	var next *session.Ask
	for _, a := range as.conv.Transcript().Asks {
		if !as.answered[a.Ask] {
			next = a
			break
		}
	}
	old := as.ask.Question()
	switch {
	case next == nil && len(as.trust.directory.Items) > 0 && !as.trust.later:
		if old == nil || !old.Summoned {
			return as.set(question.Trust(as.trust.directory, as.look.Home))
		}
		return nil
	case next == nil:
		if old == nil {
			return nil
		}
		as.followAgain()
		return as.set(nil)
	case old != nil && old.Ask == next:
		return nil
	}
	as.followAgain()
	return as.set(question.New(next, question.Options{Dir: as.current.dir(), Home: as.look.Home, Who: as.current.childName(next.Child),
		ModeProblem: as.current.unsupported, Opens: as.opts.Browser != nil, Explain: as.opts.Explained != nil && !as.explained}))
}

// set shows another question, or none. A key that the old one held is text.
func (as *asks) set(q *question.Question) tea.Cmd {
	held := as.ask.Show(q)
	as.reveal = reveal{due: q != nil && q.Reveal}
	as.screen.touch()
	return as.carryOut(held)
}

// reset takes the keyboard from the question until the terminal has drawn it again: something else covered it.
func (as *asks) reset() tea.Cmd {
	held := as.ask.Hide()
	if as.ask.Changes() {
		as.screen.touch()
	}
	return as.carryOut(held)
}

// check brings the keyboard rule up to date after a message.
func (as *asks) check() tea.Cmd {
	if !as.ask.Open() {
		return nil
	}
	held := as.ask.Look(as.around())
	if as.ask.Changes() {
		as.screen.touch()
	}
	return as.carryOut(held)
}

// timer returns the command that brings the question its next tick.
func (as *asks) timer() tea.Cmd {
	if !as.ask.Open() {
		return nil
	}
	return as.ask.Watch(as.around())
}

// tick updates the question at a time that it waited for.
func (as *asks) tick(msg ask.TickMsg) tea.Cmd {
	act, _ := as.ask.Update(msg, as.around())
	if as.ask.Changes() {
		as.screen.touch()
	}
	return as.carryOut(act)
}

// key handles a key in the question, and reports whether it was the question's.
func (as *asks) key(k tea.KeyPressMsg) (cmd tea.Cmd, used bool) {
	act, _ := as.ask.Update(k, as.around())
	if _, passed := act.(ask.Passed); passed {
		return nil, false
	}
	as.screen.touch()
	return as.carryOut(act), true
}

// giveKeyboard moves the keyboard to the question, or back.
func (as *asks) giveKeyboard() tea.Cmd {
	as.screen.touch()
	q := as.ask.Question()
	switch {
	case q == nil && len(as.trust.directory.Items) == 0:
		as.notices.Info("no question is open")
		return nil
	case q == nil || q.Summoned && !as.ask.Given():
		return as.summonTrust()
	}
	as.ask.Toggle()
	return nil
}

// click gives the answer on which the button was pressed and released.
func (as *asks) click(x, y int) tea.Cmd {
	held, act := as.ask.ReleaseAt(x, y, as.shown() && !as.conv.Reading())
	if as.ask.Changes() {
		as.screen.touch()
	}
	return tea.Batch(as.carryOut(held), as.carryOut(act))
}

// carryOut carries out what came of a question.
func (as *asks) carryOut(a ask.Action) tea.Cmd {
	switch a := a.(type) {
	case ask.Typed:
		as.screen.touch()
		return as.typed(a.Key)
	case ask.Answered:
		return as.answer(a.Answer)
	case ask.Chosen:
		return as.chose(a.Choice)
	case ask.Scrolled:
		as.scrollPlan(a.Down)
	}
	return nil
}

// chose does what a choice stands for that is not an answer.
func (as *asks) chose(c question.Choice) tea.Cmd {
	q := as.ask.Question()
	switch c.Do {
	case question.EditPlan:
		return as.editPlan(q)
	case question.DropEdits:
		return tea.Batch(as.set(nil), as.sync())
	case question.OpenPage:
		return tea.Batch(as.openURL(q.Ask.Elicitation.URL), as.answer(c.Answer))
	case question.Load:
		return as.decideTrust(*q.Directory, true)
	case question.Refuse:
		return as.decideTrust(*q.Directory, false)
	case question.DecideLate:
		return as.trustLater()
	}
	return nil
}

// answer answers the ask that is shown, once, and shows the next.
func (as *asks) answer(a session.Answer) tea.Cmd {
	q := as.ask.Question()
	if q == nil || q.Ask == nil {
		return nil
	}
	as.answered[q.Ask.Ask] = true
	if q.Ask.Plan != nil {
		as.conv.Session().Bottom() // the reader was taken to the plan
	}
	err := as.current.session.Answer(q.Ask.Ask, a)
	if k := session.KindOf(err); err != nil && k != session.KindNotFound {
		as.notices.Warn(session.ProblemOf(err, as.look.Now()).What)
	}
	as.screen.touch()
	if q.Explain == "" {
		return as.sync()
	}
	as.explained = true
	return tea.Batch(as.sync(), func() tea.Msg { as.opts.Explained(); return nil })
}

// openedMsg reports the result of opening a page.
type openedMsg struct{ err error }

// openURL opens a page in the user's browser.
func (as *asks) openURL(address string) tea.Cmd {
	browser, ctx := as.opts.Browser, as.work.ctx
	return func() tea.Msg { return openedMsg{browser.Open(ctx, address)} }
}

// opened reports a page that could not be opened.
func (as *asks) opened(err error) {
	if err != nil {
		as.notices.Warn("the browser could not be started: " + err.Error())
	}
}
