package view

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/permission"
	"parley/ui/attention"
	"parley/ui/core"
	"parley/ui/input"
	"parley/ui/notice"
	"parley/ui/question"
	"parley/ui/style"
	"parley/ui/transcript"
)

// AsksOptions are what Asks work with.
type AsksOptions struct {
	Options
	// Context ends what runs in the background.
	Context context.Context
	// Current returns the session that is shown. Manager has its agent.
	Current func() core.Current
	Manager core.Manager
	// Follow returns what waits for changes of what a directory would load into a session; nil: nothing does. It is that of the room session/extensions/inventory.
	Follow func(dir string) (next func(ctx context.Context) bool)
	// Covered reports whether something else covers the chat, or the window is too small for a question.
	Covered func() bool
	// Covers returns the function that reports whether a rule of the user's covers a call. That one may block, and is called in
	// the background. Nil: it cannot be known.
	Covers func() func(ctx context.Context, r permission.Rule, a *session.PermissionAsk) bool
	// HandsOver reports whether a plan can be handed over to an agent at a service, which HandOver begins to do.
	HandsOver func() bool
	HandOver  func(q *question.Question)
	// Touch requests a frame, Type handles a key that turned out to be text.
	Touch func()
	Type  func(k tea.KeyPressMsg) tea.Cmd
	// Edit opens a text in the user's editor. What comes back goes to PlanEdited with the question.
	Edit    func(text string, q *question.Question)
	Watch   *attention.Watch
	Conv    *transcript.Model
	Input   *input.Model
	Notices *notice.Model
	// Browser opens web pages; nil means that it cannot be done.
	Browser func(ctx context.Context, address string) error
	// Explained remembers, in the background, that a question explained its keys; nil: they were explained before.
	Explained func()
}

// Asks decide which question is shown, and send its answer. The event loop owns them.
type Asks struct {
	// Ask is the question that is shown, and draws it.
	Ask *View

	o       AsksOptions
	look    *style.Look
	conv    *transcript.Model
	notices *notice.Model

	answered  map[session.AskID]bool // also while the session still lists the ask
	directory question.Directory     // what the session's directory would load; its Items are those not decided about
	trust     trustState
	reveal    reveal
	// explained means that a question with an explanation of its keys was answered.
	explained bool
	rewritten version // of the last call of Rewritten
}

// NewAsks returns Asks without a question.
func NewAsks(o AsksOptions) *Asks {
	return &Asks{trust: newTrust(o.Watch), Ask: New(o.Options), o: o, look: o.Look, conv: o.Conv, notices: o.Notices, answered: map[session.AskID]bool{}}
}

// Msg is the result of a command of a Asks. The root routes it to Update.
type Msg interface{ asked() }

func (untrustedMsg) asked() {}
func (trustedMsg) asked()   {}
func (openedMsg) asked()    {}
func (missedMsg) asked()    {}

// Update handles the result of a command.
func (m *Asks) Update(msg Msg) tea.Cmd {
	switch msg := msg.(type) {
	case untrustedMsg:
		m.o.Touch()
		return gotUntrusted(m, msg)
	case trustedMsg:
		trusted(m, msg)
	case openedMsg:
		m.opened(msg.err)
	case missedMsg:
		msg.of.Missed(msg.text)
		m.o.Touch()
	}
	return nil
}

// Forget clears the question and the answers of a session that is left.
func (m *Asks) Forget() {
	_ = m.Ask.Show(nil) // a held key belongs to what was left
	m.answered = map[session.AskID]bool{}
	m.reveal = reveal{due: false}
}

// Shown reports whether frames show the question.
func (m *Asks) Shown() bool {
	return m.Ask.Open() && !m.o.Covered()
}

// Reachable reports whether the question can get keys.
func (m *Asks) Reachable() bool {
	return m.Shown() && !m.conv.Reading() && !m.o.Input.Searching()
}

// around returns what decides whether the question has the keyboard.
func (m *Asks) around() Around {
	return Around{Visible: m.Shown(), Idle: m.o.Input.Empty() && !m.o.Input.Searching() && !m.conv.Reading(), LastKey: m.o.Watch.LastKey()}
}

// Sync shows the oldest ask that was not answered yet, else the question about the directory.
func (m *Asks) Sync() tea.Cmd {
	open := m.open()
	old := m.Ask.Question()
	ended := m.ended(old)
	switch {
	case len(open) == 0 && len(m.directory.Items) > 0 && !m.trust.later:
		if old == nil || !old.Summoned {
			return tea.Batch(ended, m.set(question.Trust(m.directory, m.look.Home)))
		}
		return nil
	case len(open) == 0:
		if old == nil {
			return nil
		}
		m.followAgain()
		return tea.Batch(ended, m.set(nil))
	case old != nil && old.Ask == open[0] && m.lists(old, open):
		if old.SetAlike(open) {
			m.o.Touch()
		}
		return nil
	}
	m.followAgain()
	q := question.New(open[0], m.words(open[0]))
	q.SetAlike(open)
	return tea.Batch(ended, m.set(q))
}

// open returns the asks that were not answered yet, the oldest first.
func (m *Asks) open() (open []*session.Ask) {
	for _, a := range m.conv.Transcript().Asks {
		if !m.answered[a.Ask] {
			open = append(open, a)
		}
	}
	return open
}

// lists reports whether all that a question lists is still asked.
func (m *Asks) lists(q *question.Question, open []*session.Ask) bool {
	return q.Permission == nil || !q.Permission.All || !slices.ContainsFunc(q.Permission.Alike, func(a *session.Ask) bool { return !slices.Contains(open, a) })
}

// words returns what the words of a question about an ask depend on.
func (m *Asks) words(a *session.Ask) question.Options {
	now := m.o.Current()
	name := func(id session.ChildID) string { return question.Asker(now.Transcript, id) }
	problem := func(mode session.Mode) string { return style.VisibleLine(m.o.Manager.ModeProblem(now.Agent, mode)) }
	return question.Options{Dir: now.Dir, Home: m.look.Home, Who: name(a.Child), Name: name,
		ModeProblem: problem, Opens: m.o.Browser != nil, HandsOver: m.o.HandsOver(), Explain: m.o.Explained != nil && !m.explained}
}

// set shows another question, or none. A key that the old one held is text.
func (m *Asks) set(q *question.Question) tea.Cmd {
	unsent := m.Unsent()
	held := m.Ask.Show(q)
	m.reveal = reveal{due: q != nil && q.Reveal}
	m.o.Touch()
	return tea.Batch(m.savePlan(unsent), m.CarryOut(held))
}

// Reset takes the keyboard from the question until the terminal has drawn it again: something else covered it.
func (m *Asks) Reset() tea.Cmd {
	held := m.Ask.Hide()
	if m.Ask.Changes() {
		m.o.Touch()
	}
	return m.CarryOut(held)
}

// Check brings the keyboard rule up to date after a message.
func (m *Asks) Check() tea.Cmd {
	m.conv.AskedBelow(m.commands())
	follow := followTrust(m)
	if !m.Ask.Open() {
		return follow
	}
	held := m.Ask.Look(m.around())
	if m.Ask.Changes() {
		m.o.Touch()
	}
	return tea.Batch(follow, m.CarryOut(held))
}

// commands returns the asks about commands that the question shows in full.
func (m *Asks) commands() []*session.Ask {
	q := m.Ask.Question()
	switch {
	case q == nil || q.Permission == nil || q.Ask.Permission == nil || q.Ask.Permission.Command == "":
		return nil
	case q.Permission.All:
		return q.Permission.Alike
	}
	return []*session.Ask{q.Ask}
}

// Timer returns the command that brings the question its next tick.
func (m *Asks) Timer() tea.Cmd {
	if !m.Ask.Open() {
		return nil
	}
	return m.Ask.Watch(m.around())
}

// Tick updates the question at a time that it waited for.
func (m *Asks) Tick(msg TickMsg) tea.Cmd {
	act, _ := m.Ask.Update(msg, m.around())
	if m.Ask.Changes() {
		m.o.Touch()
	}
	return m.CarryOut(act)
}

// Key handles a key in the question, and reports whether it was the question's.
func (m *Asks) Key(k tea.KeyPressMsg) (cmd tea.Cmd, used bool) {
	act, _ := m.Ask.Update(k, m.around())
	if _, passed := act.(Passed); passed {
		return nil, false
	}
	m.o.Touch()
	return m.CarryOut(act), true
}

// GiveKeyboard moves the keyboard to the question, or back.
func (m *Asks) GiveKeyboard() tea.Cmd {
	m.o.Touch()
	q := m.Ask.Question()
	switch {
	case q == nil && len(m.directory.Items) == 0:
		m.notices.Info("No question is open")
		return nil
	case q == nil || q.Summoned && !m.Ask.hasGiven():
		return m.SummonTrust()
	}
	m.Ask.Toggle()
	return nil
}

// Click gives the answer on which the button was pressed and released.
func (m *Asks) Click(x, y int) tea.Cmd {
	held, act := m.Ask.releaseAt(x, y, m.Shown() && !m.conv.Reading())
	if m.Ask.Changes() {
		m.o.Touch()
	}
	return tea.Batch(m.CarryOut(held), m.CarryOut(act))
}

// CarryOut carries out what came of a question.
func (m *Asks) CarryOut(a Action) tea.Cmd {
	switch a := a.(type) {
	case Typed:
		m.o.Touch()
		return m.o.Type(a.Key)
	case Answered:
		return m.answer(a.Answer)
	case Chosen:
		return m.chose(a.Choice)
	case RuleSet:
		return m.checkRule()
	}
	return nil
}

// chose does what a choice stands for that is not an answer.
func (m *Asks) chose(c question.Choice) tea.Cmd {
	q := m.Ask.Question()
	switch c.Do {
	case question.EditPlan:
		return m.editPlan(q)
	case question.HandOver:
		m.o.HandOver(q)
	case question.TakeAll:
		return m.exchange(q.ForAll())
	case question.TakeOne:
		return m.exchange(q.One())
	case question.OpenPage:
		return tea.Batch(m.openURL(q.Ask.Elicitation.URL), m.answer(c.Answer))
	case question.Load:
		return decideTrust(m, *q.Directory, true)
	case question.Refuse:
		return decideTrust(m, *q.Directory, false)
	case question.DecideLate:
		return trustLater(m)
	}
	return nil
}

// exchange shows another question about the same ask. The user asked for it, so it has the keyboard once it is drawn.
func (m *Asks) exchange(q *question.Question) tea.Cmd {
	q.SetAlike(m.open())
	cmd := m.set(q)
	m.Ask.Call()
	return cmd
}

// answer answers the ask that is shown, and all that the question lists, each once, and shows the next.
func (m *Asks) answer(a session.Answer) tea.Cmd {
	q := m.Ask.Question()
	if q == nil || q.Ask == nil {
		return nil
	}
	for to, answer := range q.Answers(a) {
		m.send(to, answer)
	}
	m.o.Touch()
	if !q.Explain {
		return m.Sync()
	}
	m.explained = true
	return tea.Batch(m.Sync(), func() tea.Msg { m.o.Explained(); return nil })
}

// Reply answers an ask, unless it was answered.
func (m *Asks) Reply(to *session.Ask, a session.Answer) {
	if !m.answered[to.Ask] {
		m.send(to, a)
	}
}

// send answers one ask.
func (m *Asks) send(to *session.Ask, a session.Answer) {
	m.answered[to.Ask] = true
	if to.Plan != nil {
		m.conv.Session().Bottom() // the reader was taken to the plan
	}
	err := m.o.Current().Session.Answer(to.Ask, a)
	if k := session.KindOf(err); err != nil && k != session.KindNotFound {
		m.notices.Warn(session.ProblemOf(err, m.look.Now()).What)
	}
}

// missedMsg reports that the rule with this text does not cover the call that a question is about.
type missedMsg struct {
	of   *question.Permission
	text string
}

// checkRule looks up in the background whether the rule that the user edited covers the call.
func (m *Asks) checkRule() tea.Cmd {
	covers, of := m.o.Covers(), m.Ask.Question().Permission
	rule, call, ok := of.Edited()
	if covers == nil || !ok {
		return nil
	}
	ctx := m.o.Context
	return func() tea.Msg {
		if covers(ctx, rule, call) {
			return nil
		}
		return missedMsg{of, rule.String()}
	}
}

// openedMsg reports the result of opening a page.
type openedMsg struct{ err error }

// openURL opens a page in the user's browser.
func (m *Asks) openURL(address string) tea.Cmd {
	browser, ctx := m.o.Browser, m.o.Context
	return func() tea.Msg { return openedMsg{browser(ctx, address)} }
}

// opened reports a page that could not be opened.
func (m *Asks) opened(err error) {
	if err != nil {
		m.notices.Warn("Couldn't start the browser: " + err.Error())
	}
}
