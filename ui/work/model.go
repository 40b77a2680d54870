package work

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/compose"
	"parley/ui/keymap"
	"parley/ui/style"
)

// Action is what the root carries out within the call that returned it. nil is nothing.
type Action interface{ action() }

type (
	// Closed reports that the user closed the panel.
	Closed struct{}
	// OpenChild looks into a child agent.
	OpenChild struct{ ID session.ChildID }
	// Copy puts a text on the clipboard. What names it.
	Copy struct{ What, Text string }
	// Say reports something for a few seconds.
	Say struct {
		Text string
		Warn bool
	}
)

func (Closed) action()    {}
func (OpenChild) action() {}
func (Copy) action()      {}
func (Say) action()       {}

// Session is the conversation whose work is shown, see package live.
type Session interface {
	Controls() session.WorkControls
	StopCall(ctx context.Context, call session.CallID) error
	ToBackground(ctx context.Context, call session.CallID) error
	SteerChild(ctx context.Context, child session.ChildID, p session.Prompt) error
	ResumeChild(ctx context.Context, child session.ChildID, p session.Prompt) error
	Follow(ctx context.Context, call session.CallID)
}

// Options are what a panel works with.
type Options struct {
	Look *style.Look
	Keys *keymap.Map
	// Context ends what runs in the background.
	Context context.Context
	Session Session
	// Transcript returns the session's transcript, which only the event loop changes.
	Transcript func() *session.Transcript
	// Dir is the directory that paths are shown within.
	Dir string
}

// Model is the open panel. The event loop owns it.
type Model struct {
	o     Options
	rows  []entry
	at    int
	key   session.Work // of the selected row, which it follows
	reads bool         // keys go to the output
	pane  pane

	stop  session.Work      // asked whether to stop it
	write *compose.Composer // what is written to a child agent, nil unless it is open
	to    *session.Child

	following session.CallID // whose output is read as it comes
	unfollow  context.CancelFunc
	ticking   bool
	place     place
}

// entry is a row: what runs, or what ran.
type entry struct {
	session.Work
	where where
}

// where is the part of the list that a row belongs to.
type where int

const (
	behind where = iota // in the background
	front               // in the running turn
	over                // ended
)

// maxOver is how many ended ones are listed, the newest first.
const maxOver = 20

// New returns a panel on a session.
func New(o Options) *Model {
	m := &Model{o: o}
	m.pane.look = o.Look
	m.list()
	return m
}

// list reads what runs now. The selected row stays selected.
func (m *Model) list() {
	t := m.o.Transcript()
	m.rows = m.rows[:0]
	for _, w := range t.Background() {
		m.rows = append(m.rows, entry{w, behind})
	}
	for _, w := range t.Foreground() {
		m.rows = append(m.rows, entry{w, front})
	}
	past := t.EndedBackground()
	for i := len(past) - 1; i >= 0 && len(past)-i <= maxOver; i-- {
		m.rows = append(m.rows, entry{past[i], over})
	}
	m.at = min(m.at, max(0, len(m.rows)-1))
	for i, e := range m.rows {
		if e.Work == m.key {
			m.at = i
		}
	}
	if e := m.selected(); e != nil {
		m.key = e.Work
	}
}

// selected returns the selected row, nil if there is none.
func (m *Model) selected() *entry {
	if m.at >= len(m.rows) {
		return nil
	}
	return &m.rows[m.at]
}

// selectRow selects a row.
func (m *Model) selectRow(i int) {
	m.at = max(0, min(i, len(m.rows)-1))
	if e := m.selected(); e != nil {
		m.key = e.Work
	}
	m.stop = session.Work{}
}

// Close ends what the panel asked to follow.
func (m *Model) Close() {
	if m.unfollow != nil {
		m.unfollow()
		m.unfollow, m.following = nil, ""
	}
}

// Msg is the result of a command of a panel. The root passes it to the panel that it is of.
type Msg interface{ Of() *Model }

type (
	// doneMsg reports what became of a request.
	doneMsg struct {
		of         *Model
		what, said string
		err        error
	}
	// tickMsg is due when rows that count seconds change.
	tickMsg struct{ of *Model }
)

// Of returns the panel that made the request.
func (m doneMsg) Of() *Model { return m.of }

// Of returns the panel that counts.
func (m tickMsg) Of() *Model { return m.of }

// tickEvery is how often rows count on.
const tickEvery = time.Second

// Keep returns the commands that the open panel needs after a message: the next tick, and the output of what is selected.
func (m *Model) Keep() tea.Cmd {
	m.list()
	m.follow()
	if m.ticking || len(m.rows) == 0 || m.rows[0].where == over {
		return nil
	}
	m.ticking = true
	ctx := m.o.Context
	return func() tea.Msg {
		t := time.NewTimer(tickEvery)
		defer t.Stop()
		select {
		case <-t.C:
			return tickMsg{m}
		case <-ctx.Done():
			return nil
		}
	}
}

// follow asks for the output of the selected command.
func (m *Model) follow() {
	call := session.CallID("")
	if e := m.selected(); e != nil && e.Tool != nil && e.where == behind {
		call = e.Tool.Call
	}
	if call == m.following {
		return
	}
	m.Close()
	if call != "" {
		ctx, cancel := context.WithCancel(m.o.Context)
		m.following, m.unfollow = call, cancel
		m.o.Session.Follow(ctx, call)
	}
}

// Update handles a key, a paste, or the result of a command.
func (m *Model) Update(msg tea.Msg) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		if m.write != nil {
			m.write.Paste(msg.Content)
		}
	case tickMsg:
		m.ticking = false
	case doneMsg:
		if msg.err != nil {
			return Say{msg.what + ": " + style.Visible(style.OneLine(reason(msg.err))), true}, nil
		}
		if msg.said != "" {
			return Say{msg.said, false}, nil
		}
	}
	return nil, nil
}

// reason returns why a request failed, in the words of its kind.
func reason(err error) string {
	p := session.ProblemOf(err, time.Time{})
	return p.What
}

// request returns the command that asks the session for something.
func (m *Model) request(what, said string, do func(ctx context.Context) error) tea.Cmd {
	ctx := m.o.Context
	return func() tea.Msg { return doneMsg{m, what, said, do(ctx)} }
}

// stopWork returns the command that stops work.
func (m *Model) stopWork(w session.Work) tea.Cmd {
	label := chat.WorkLabel(w, m.o.Dir)
	return m.request("Couldn't stop "+label, "", func(ctx context.Context) error { return m.o.Session.StopCall(ctx, w.Call()) })
}

// toBackground returns the command that sends work to the background.
func (m *Model) toBackground(w session.Work) tea.Cmd {
	return ToBackground(m.o.Context, m.o.Session, w, m.o.Dir)
}

// ToBackground returns the command that sends work of a session to the background. It reports a failure as a [Failed].
func ToBackground(ctx context.Context, s Session, w session.Work, dir string) tea.Cmd {
	label := chat.WorkLabel(w, dir)
	return func() tea.Msg {
		if err := s.ToBackground(ctx, w.Call()); err != nil {
			return Failed{"Couldn't send " + label + " to the background: " + style.Visible(style.OneLine(reason(err)))}
		}
		return nil
	}
}

// Failed reports that something could not be sent to the background. Text is visible.
type Failed struct{ Text string }

// send returns the command that passes words on to a child agent: a running one takes them in, an ended one goes on with them.
func (m *Model) send(c *session.Child, text string) tea.Cmd {
	name, p := chat.WorkLabel(session.Work{Child: c}, m.o.Dir), session.Prompt{Text: text}
	if c.Ended {
		return m.request("Couldn't resume "+name, "resumed "+name, func(ctx context.Context) error {
			return m.o.Session.ResumeChild(ctx, c.ID, p)
		})
	}
	return m.request("Couldn't write to "+name, "sent to "+name, func(ctx context.Context) error {
		return m.o.Session.SteerChild(ctx, c.ID, p)
	})
}
