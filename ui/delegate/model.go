package delegate

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/handover"
	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/question"
	"parley/ui/style"
	"parley/ui/transcript"
)

// Chat is what only the root can do. Its methods return at once and are called on the event loop.
type Chat interface {
	// Session is the session that is shown, nil while there is none or it is loaded. Dir and Agent are its directory and agent.
	Session() *live.Session
	Dir() string
	Agent() string
	// Show covers the chat with a panel, nil uncovers it. Touch requests a frame.
	Show(p Panel)
	Touch()
	// Edit opens a text in the user's editor. What comes back goes to Edited.
	Edit(text string) tea.Cmd
	// Submit sends what was written, Send a prompt with the files of images.
	Submit(a input.Submitted) tea.Cmd
	Send(p session.Prompt, images []string) tea.Cmd
	// Hold stores a draft until Release is called with the ticket. PutBack puts a draft into the field.
	Hold(draft string) (ticket int)
	Release(ticket int)
	PutBack(p input.Prompt)
	// Reply answers a question of the agent, unless it was answered. Interrupt stops the running turn.
	Reply(q *question.Question, a session.Answer)
	Interrupt()
	// Open shows another session in the place of this one. Beside keeps one open that is not shown, until it is called with over.
	Open(s *live.Session) tea.Cmd
	Beside(s *live.Session, over bool)
}

// ModelOptions are what a Model works with.
type ModelOptions struct {
	// Context ends what runs in the background.
	Context context.Context
	Chat    Chat
	Manager chat.Manager
	Local   handover.Local
	// Browser opens web pages; nil means that it cannot be done.
	Browser func(ctx context.Context, address string) error
	Look    *style.Look
	Keys    *keymap.Map
	Conv    *transcript.Model
	Notices *notice.Model
}

// Model hands work over to the agent that works at a service, and passes on what the user does in its sessions. The event loop
// owns it.
type Model struct {
	ModelOptions

	panel Panel              // covers the chat, nil for none
	plan  *question.Question // the plan that the open form hands over
	held  *heldPrompt        // what the open panel is about
	kept  string             // the statement of a form that was closed
	asked time.Time          // when the user tried to stop work at a service
}

// heldPrompt is a prompt that is sent once the user has seen what becomes of it.
type heldPrompt struct {
	input.Submitted
	ticket int // of its draft
}

// NewModel returns a model without a panel.
func NewModel(o ModelOptions) *Model { return &Model{ModelOptions: o} }

// Offered reports whether work can be handed over.
func (m *Model) Offered() bool {
	return m.Manager != nil && m.Manager.RemoteName() != "" && m.Chat.Session() != nil
}

// OffersPlan reports whether a plan of the session can be handed over.
func (m *Model) OffersPlan() bool { return m.Offered() && m.Remote() == nil }

// Remote returns the agent of the session if it works at a service, else nil.
func (m *Model) Remote() session.RemoteAgent {
	if m.Manager == nil || m.Chat.Session() == nil {
		return nil
	}
	return m.Manager.Remote(m.Chat.Agent())
}

// Delegate opens the form for the conversation, with words of the user.
func (m *Model) Delegate(words string) tea.Cmd {
	t := m.Conv.Transcript()
	switch {
	case !m.Offered():
		m.Notices.Warn(style.OneLine(m.Manager.RemoteMissing()))
		return nil
	case m.Remote() != nil && t.Remote != nil:
		m.Notices.Info("This work is at GitHub already. What you write goes there")
		return nil
	}
	text, ask := chat.Statement(t, m.Chat.Dir(), words)
	if words == "" && m.kept != "" {
		text, ask = m.kept, ""
	}
	return m.form(Options{Statement: text, Words: words, Stays: true, Beside: m.Conv.Running() != nil}, ask)
}

// DelegatePlan opens the form for a plan that is asked about.
func (m *Model) DelegatePlan(q *question.Question) tea.Cmd {
	m.plan = q
	return m.form(Options{Statement: handover.WithPlan(q.Review.Text(), ""), Stays: true}, "")
}

// form covers the chat with a form. ask is the question whose answer is the statement, "" for none.
func (m *Model) form(o Options, ask string) tea.Cmd {
	remote, dir := m.Manager.Remote(m.Manager.RemoteName()), m.Chat.Dir()
	o.Look, o.Keys, o.Context, o.Dir, o.Local = m.Look, m.Keys, m.Context, dir, m.Local
	o.Suffix = m.Look.Now().Format("0102-1504")
	o.Target = func(ctx context.Context) (session.RemoteTarget, error) { return remote.Target(ctx, dir) }
	if s := m.Chat.Session(); ask != "" {
		o.Summarize = func(ctx context.Context, emit func(string)) error { return s.AskAside(ctx, ask, emit) }
	}
	f, cmd := New(o)
	m.show(f)
	return cmd
}

func (m *Model) show(p Panel) {
	m.panel = p
	m.Chat.Show(p)
}

// PostFirst sends the prompt that the program was started with in a session at a service.
func (m *Model) PostFirst(text string) tea.Cmd {
	text = strings.TrimRight(text, " \n\t")
	return m.Submit(input.Submitted{Prompt: input.Prompt{Text: text, Draft: chat.DraftOf(session.Prompt{Text: text})}})
}

// Submit sends what was written. What goes to a service is shown first as what it becomes there.
func (m *Model) Submit(a input.Submitted) tea.Cmd {
	remote, t := m.Remote(), m.Conv.Transcript()
	if remote == nil || strings.TrimSpace(a.Prompt.Text) == "" {
		return m.Chat.Submit(a)
	}
	m.held = &heldPrompt{a, m.Chat.Hold(chat.WithAttachments(a.Prompt.Draft, chat.KeptAttachments(a.Prompt.Attachments)))}
	if t.Remote == nil && len(t.Turns) == 0 && len(t.Queue) == 0 {
		return m.form(Options{Statement: a.Prompt.Text}, "")
	}
	about := "a comment on the pull request"
	if t.Remote != nil && t.Remote.Pull != nil {
		about = "a comment on " + chat.RemoteName(*t.Remote)
	}
	if m.Conv.Running() != nil {
		about += ", once the running work has ended"
	}
	m.show(NewComment(m.Look, about, remote.Message(session.Prompt{Text: a.Prompt.Text})))
	return nil
}

// Update passes a message to a panel and carries out its action, if it is the open one; or reports what became of a session.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	to := m.panel
	switch msg := msg.(type) {
	case begunMsg:
		return m.begun(msg)
	case browsedMsg:
		m.Notices.Warn("the browser could not be started: " + msg.err.Error())
		return nil
	case formMsg:
		to = msg.Of()
	}
	if m.panel == nil || m.panel != to {
		return nil
	}
	m.Chat.Touch()
	action, cmd := to.Update(msg)
	switch a := action.(type) {
	case Closed:
		if m.held == nil && m.plan == nil {
			m.kept = a.Statement
		}
		m.Withdraw()
	case Withdraw:
		m.Withdraw()
	case Edit:
		return tea.Batch(cmd, m.Chat.Edit(a.Text))
	case Publish:
		held := m.held
		m.close()
		defer m.Chat.Release(held.ticket)
		return tea.Batch(cmd, m.Chat.Submit(held.Submitted))
	case Handed:
		return tea.Batch(cmd, m.handed(a))
	}
	return cmd
}

// Edited puts what was written in the user's editor into the open form, and reports whether there is one.
func (m *Model) Edited(text string) bool {
	f, ok := m.panel.(*Form)
	if ok {
		f.Edited(text)
	}
	return ok
}

// Withdraw closes the open panel and puts what it was about back into the field.
func (m *Model) Withdraw() {
	held := m.held
	m.close()
	if held != nil {
		m.Chat.PutBack(held.Prompt)
		m.Chat.Release(held.ticket)
	}
}

// close uncovers the chat.
func (m *Model) close() {
	if m.panel != nil {
		m.panel.Close()
	}
	m.held, m.plan = nil, nil
	m.show(nil)
}

// handed sends what was handed over: in this session if it is a new one of the agent, else in another.
func (m *Model) handed(a Handed) tea.Cmd {
	if held := m.held; held != nil {
		m.close()
		defer m.Chat.Release(held.ticket)
		a.Prompt.Attachments = held.Prompt.Attachments
		return m.Chat.Send(a.Prompt, held.Prompt.Images)
	}
	s, err := chat.Begin(m.Manager, m.Chat.Dir(), a.Prompt)
	if err != nil {
		m.panel.(*Form).Failed(err)
		return nil
	}
	if m.plan != nil {
		m.Chat.Reply(m.plan, session.Answer{Decision: session.Deny, Message: chat.HandedOver})
	}
	m.close()
	m.kept = ""
	if a.Open {
		m.Chat.Interrupt()
		return m.Chat.Open(s)
	}
	m.Notices.Info("Handing over to GitHub…")
	m.Chat.Beside(s, false)
	return m.await(s, false)
}
