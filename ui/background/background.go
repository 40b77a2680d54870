package background

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
	"parley/ui/textarea"
)

// Session is the conversation whose work is shown, see package live.
type Session interface {
	Controls() session.WorkControls
	StopCall(ctx context.Context, call session.CallID) error
	ToBackground(ctx context.Context, call session.CallID) error
	SteerChild(ctx context.Context, child session.ChildID, p session.Prompt) error
	ResumeChild(ctx context.Context, child session.ChildID, p session.Prompt) error
	Follow(ctx context.Context, call session.CallID)
}

// Options configure a panel.
type Options struct {
	Look    *style.Look
	Keys    *keymap.Map
	Session Session
	// Transcript returns the session's transcript, which only the event loop changes.
	Transcript func() *session.Transcript
	// Dir is the directory that paths are shown within.
	Dir string
}

// model is the open panel. The event loop owns it.
type model struct {
	o     Options
	rows  []entry
	at    int
	key   session.Work // of the selected row, which it follows
	reads bool         // keys go to the output
	pane  pane

	stop  session.Work       // asked whether to stop it
	write *textarea.Composer // what is written to a child agent, nil unless it is open
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
	inBackground where = iota // in the background
	front                     // in the running turn
	over                      // ended
)

// maxOver is the most ended ones that are listed, the newest first.
const maxOver = 20

// Offered reports whether anything of a session runs, or ran, in the background.
func Offered(t *session.Transcript) bool {
	return len(t.Background())+len(t.EndedBackground())+len(t.Foreground()) > 0
}

// Run opens the panel on a session, nil for none.
func Run(o Options) panel.Effect {
	if o.Session == nil || !Offered(o.Transcript()) {
		return panel.Notice{Text: "Nothing runs in the background."}
	}
	m := &model{o: o}
	m.pane.look = o.Look
	m.list()
	return panel.Push{Panel: m, Of: "background"}
}

// list reads what runs now. The selected row stays selected.
func (m *model) list() {
	t := m.o.Transcript()
	m.rows = m.rows[:0]
	for _, w := range t.Background() {
		m.rows = append(m.rows, entry{w, inBackground})
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
func (m *model) selected() *entry {
	if m.at >= len(m.rows) {
		return nil
	}
	return &m.rows[m.at]
}

// selectRow selects a row.
func (m *model) selectRow(i int) {
	m.at = max(0, min(i, len(m.rows)-1))
	if e := m.selected(); e != nil {
		m.key = e.Work
	}
	m.stop = session.Work{}
}

// Close ends what the panel asked to follow.
func (m *model) Close() panel.Effect {
	if m.unfollow != nil {
		m.unfollow()
		m.unfollow, m.following = nil, ""
	}
	return nil
}

type (
	// doneMsg reports what became of a request.
	doneMsg struct {
		what, done string
		err        error
	}
	// tickMsg is due when rows that count seconds change.
	tickMsg struct{}
)

// tickEvery is the interval at which rows count on.
const tickEvery = time.Second

// keep reads the list again after a frame, and returns what the panel needs until the next: a tick, and the output of what is
// selected.
func (m *model) keep() panel.Cmd {
	m.list()
	follow := m.follow()
	if m.ticking || len(m.rows) == 0 || m.rows[0].where == over {
		return follow
	}
	m.ticking = true
	return panel.Batch(follow, panel.After(tickEvery, tickMsg{}))
}

// follow returns the command that asks for the output of the selected command, until another is selected.
func (m *model) follow() panel.Cmd {
	call := session.CallID("")
	if e := m.selected(); e != nil && e.Tool != nil && e.where == inBackground {
		call = e.Tool.Call
	}
	if call == m.following {
		return nil
	}
	_ = m.Close()
	if m.following = call; call == "" {
		return nil
	}
	follow, s := panel.Cmd(nil), m.o.Session
	follow, m.unfollow = panel.Stoppable(func(ctx context.Context) tea.Msg {
		s.Follow(ctx, call)
		<-ctx.Done()
		return nil
	})
	return follow
}

// Update handles a key, the pointer, a paste, or the result of a command.
func (m *model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		if m.write != nil {
			m.write.Paste(msg.Content)
		}
	case tea.MouseWheelMsg:
		m.wheel(msg.Y, map[bool]int{true: -1, false: 1}[msg.Button == tea.MouseWheelUp])
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return m.click(msg.Y)
		}
	case panel.Drawn:
		return panel.Pass{}, m.keep()
	case panel.Happened:
		m.list()
	case tickMsg:
		m.ticking = false
	case doneMsg:
		if msg.err != nil {
			return panel.Notice{Text: msg.what + ": " + reason(msg.err), Warn: true}, nil
		}
		if msg.done != "" {
			return panel.Notice{Text: msg.done}, nil
		}
	default:
		return panel.Pass{}, nil
	}
	return nil, nil
}

// reason returns why a request failed, in the words of its kind.
func reason(err error) string {
	p := session.ProblemOf(err, time.Time{})
	return p.What
}

// request returns the command that asks the session for something.
func (m *model) request(what, done string, do func(ctx context.Context) error) panel.Cmd {
	return func(ctx context.Context) tea.Msg { return doneMsg{what, done, do(ctx)} }
}

// stopWork returns the command that stops work.
func (m *model) stopWork(w session.Work) panel.Cmd {
	label := core.WorkLabel(w, m.o.Dir)
	return m.request("Couldn't stop "+label, "", func(ctx context.Context) error { return m.o.Session.StopCall(ctx, w.Call()) })
}

// Send sends what runs in the turn to the background.
func Send(s Session, t *session.Transcript, dir string) panel.Effect {
	front := t.Foreground()
	if s == nil || len(front) == 0 || !s.Controls().Background {
		return panel.Notice{Text: "Nothing to send to the background"}
	}
	var all panel.All
	for _, w := range front {
		all = append(all, send(s, w, dir))
	}
	return all
}

// send sends work of a session to the background.
func send(s Session, w session.Work, dir string) panel.Effect {
	call, label := w.Call(), core.WorkLabel(w, dir)
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		if err := s.ToBackground(ctx, call); err != nil {
			return panel.Notice{Text: "Couldn't send " + label + " to the background: " + reason(err), Warn: true}
		}
		return nil
	}}
}

// Leaving returns what is stopped by leaving, "" for nothing.
func Leaving(l *style.Look, t *session.Transcript, dir string) string {
	all := t.Background()
	switch len(all) {
	case 0:
		return ""
	case 1:
		return "stops " + l.Measure.Clip(core.WorkLabel(all[0], dir), 40)
	}
	return "stops " + human.Count(len(all), "command or agent", "commands and agents") + " in the background"
}

// pass returns the command that passes words on to a child agent: a running one takes them in, an ended one goes on with them.
func (m *model) pass(c *session.Child, text string) panel.Cmd {
	name, p := core.WorkLabel(session.Work{Child: c}, m.o.Dir), session.Prompt{Text: text}
	id := c.ID
	if c.Ended {
		return m.request("Couldn't resume "+name, "resumed "+name, func(ctx context.Context) error {
			return m.o.Session.ResumeChild(ctx, id, p)
		})
	}
	return m.request("Couldn't write to "+name, "sent to "+name, func(ctx context.Context) error {
		return m.o.Session.SteerChild(ctx, id, p)
	})
}
