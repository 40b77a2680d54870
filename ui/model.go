package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/ask"
	"parley/ui/attention"
	"parley/ui/chat"
	"parley/ui/help"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/md"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/question"
	"parley/ui/signin"
	"parley/ui/status"
	"parley/ui/style"
	"parley/ui/transcript"
)

// Model is the state of the screen. It has one owner, the event loop; everything that happens elsewhere comes in as a
// message.
type Model struct {
	opts    Options
	work    background
	painter *paint.Painter
	result  chat.Result

	width, height int
	look          *style.Look
	fixedTheme    bool // whatever the background is
	answers       bool // the terminal reports its background when asked
	kitty         bool // the terminal tells shift+enter from enter

	session *live.Session
	detach  func()
	inbox   *chat.Inbox
	pump    func(*chat.Inbox) // starts the pump of an inbox
	resized func(w, h int)    // brings a size to the loop
	conv    *transcript.Model
	inl     *transcript.Scrollback
	read    int // events that came with the session, until what that took is given back
	// bodyTop is the row of the screen in which the conversation begins, statusTop that of the status line.
	bodyTop, statusTop int

	keys       *keymap.Map
	input      *input.Model
	outbox     chat.Outbox   // prompts whose files are being read
	unstored   chat.Unstored // prompts sent that may not be on disk yet
	shell      shell
	drafts     *chat.DraftKeeper
	draftKey   string
	firstDraft string // of the session shown first
	savingSoon bool
	ask        *ask.Model
	answered   map[session.AskID]bool // also while the session still lists the ask
	directory  question.Directory     // of the session shown; its Items are those not decided about
	later      bool                   // the user decides about them later
	reveal     bool                   // the next frame shows the beginning of what is asked about
	revealed   bool                   // the end of the conversation was left for that
	agents     []session.AgentInfo    // as they were when they were looked at last
	version    string                 // of the session's agent, as it was when the session was shown
	tasks      status.Tasks
	steering   map[session.PromptID]bool
	install    chat.Installer
	heard      time.Time // when the agent said anything last
	watch      attention.Watch

	resuming session.ID    // being loaded
	opening  *chat.Opening // of a session that is loaded while its end is shown, nil for none
	waits    []tea.Msg     // what the user did meanwhile
	back     comeback
	failed   error       // why a session could not be loaded, if there is none to go back to
	list     *openList   // nil while no list covers the screen
	help     *help.Model // nil unless it covers the screen
	signIn   *signin.Model

	models       []session.Model
	account      session.Account
	badLogin     bool   // it was said that the service does not take the login
	busy         string // what is being waited for, apart from the agent
	notices      *notice.Model
	spinner      status.Spinner
	highlightDue bool // a highlightDueMsg is to come
	stopping     bool
	leaving      time.Time // when ctrl+c was pressed last
	clearing     time.Time // when escape was pressed last

	dirty  bool
	counts Counts
	rows   []string // of the last frame, used again
}

// Counts are what the screen did, for tests of its budget.
type Counts struct {
	Updates int // messages handled
	Frames  int // frames built
	Layouts int // items laid out
}

type (
	inboxMsg struct{ from *chat.Inbox }
	spinMsg  struct{}
	// expiredMsg says that a notice has been shown long enough.
	expiredMsg struct{ id int }
	sizeMsg    struct{ w, h int }
	closedMsg  struct{}
	signalMsg  struct{ result chat.Result }
)

// newModel makes the screen. It starts nothing.
func newModel(ctx context.Context, o Options, p *paint.Painter) *Model {
	m := &Model{opts: o, work: background{ctx}, painter: p, width: o.Width, height: o.Height,
		steering: map[session.PromptID]bool{}, spinner: status.Spinner{Still: o.Appearance.ReducedMotion}, drafts: chat.NewDraftKeeper(o.Drafts), pump: func(*chat.Inbox) {}}
	var begin []notice.Entry
	warn := func(text string) { begin = append(begin, notice.Entry{Text: text, Warn: true}) }
	fixed, dark, words, err := style.ParseTheme(o.Theme)
	if err != nil {
		warn("the theme cannot be used: " + err.Error())
	}
	m.fixedTheme = fixed
	m.keys, err = keymap.New(o.Keys)
	m.keys.Vim = o.Vim
	if err != nil {
		warn("some keys cannot be bound: " + err.Error())
	}
	for _, note := range m.keys.Notes {
		warn(note)
	}
	m.watch = attention.Watch{Terminal: o.terminal(), Least: o.Appearance.NotifyAfter, Now: o.Now}
	m.look = &style.Look{Theme: themeFor(&o, fixed, dark, words), Now: o.Now, Home: o.Getenv("HOME"), Ascii: o.onlyASCII(),
		Links: m.watch.Links, Highlighter: md.NewHighlighter(o.Now)}
	m.watch.Key()
	if o.Notice != "" {
		begin = append(begin, notice.Entry{Text: o.Notice})
	}
	m.notices = notice.New(o.Now)
	m.notices.Begin(begin, o.startTip(), o.Resume != nil)
	m.look.FoldKey, m.look.OpenKey, m.look.Answer = m.keys.Key(keymap.Fold), m.keys.Key(keymap.Open), m.keys.All(keymap.Answer)
	m.shell.Shell, m.install = chat.NewShell(o.Shell), chat.NewInstaller(o.Offer)
	m.input = input.New(input.Options{Context: ctx, Look: m.look, Keys: m.keys, Chat: fieldChat{m}, Tree: o.Tree, Prompts: o.Prompts,
		PasteImage: o.PasteImage, ImageDir: o.ImageDir})
	m.conv = transcript.New(m.look, transcript.Options{Keys: m.keys, Inline: o.Appearance.Inline, Mouse: o.mouse(), KeepSelection: o.KeepSelection})
	m.inl = transcript.NewScrollback(m.conv)
	m.ask = ask.New(ask.Options{Look: m.look, Now: o.Now, After: m.work.after, Frames: func() (newest, drawn int) {
		s := p.Stats()
		return s.Drawn, s.Shown
	}})
	m.forgetAsks()
	m.result.Reason = chat.LeftQuit
	if o.Manager != nil {
		m.agents = o.Manager.Agents() // the first frame names the agent
	}
	m.resize(o.Width, o.Height)
	if o.Session != nil {
		m.opening = o.Opening
		m.firstDraft = chat.LoadDraft(o.Drafts, chat.DraftKey(o.Session))
		if o.Opening != nil {
			m.firstDraft = chat.LoadDraft(o.Drafts, chat.SessionDraft(o.Opening.Meta.ID))
		}
	}
	if o.SignIn != nil {
		m.signIn = signin.New(m.look, o.SignIn)
	}
	return m
}

// Counts returns the counters. It may be called only from the event loop or after it has ended.
func (m *Model) Counts() Counts {
	c := m.counts
	c.Layouts = m.look.Layouts
	return c
}

// Init takes the terminal, attaches the session and asks for what is loaded in the background. The terminal is in raw mode
// by now: what it answers to questions asked before would be echoed.
func (m *Model) Init() tea.Cmd {
	m.painter.Start()
	if m.signIn != nil {
		m.draw(paint.Now)
		return nil
	}
	m.attach(m.opts.Session, m.firstDraft)
	var cmds []tea.Cmd
	if m.opening != nil {
		cmds = append(cmds, m.startOpening())
	}
	if m.opts.Resume != nil {
		cmds = append(cmds, m.openResume(*m.opts.Resume))
	}
	if m.opts.First != "" {
		cmds = append(cmds, m.postFirst(m.opts.First))
	}
	cmds = append(cmds, m.loadCatalog(), m.keepSpinning())
	if m.opening == nil {
		cmds = append(cmds, m.askTrust())
	}
	m.draw(paint.Now)
	return guarded(tea.Batch(cmds...))
}

// View shows nothing: the painter does.
func (m *Model) View() tea.View { return tea.View{} }

// interval is how often streaming text may wake the loop.
func (m *Model) interval() time.Duration {
	if !m.watch.Focused() {
		return chat.BlurInterval
	}
	return chat.StreamInterval
}

// settings are what the next request uses, as far as the user or the agent said.
func (m *Model) settings() session.Settings {
	if o := m.opening; o != nil {
		return o.Settings
	}
	if m.session == nil {
		return session.Settings{}
	}
	return m.session.Settings()
}

func (m *Model) mode() session.Mode {
	if mode := m.settings().Mode; mode != "" {
		return mode
	}
	return session.ModeDefault
}

// meta describes the session that is shown.
func (m *Model) meta() session.Meta {
	if o := m.opening; o != nil {
		return o.Meta
	}
	return m.session.Meta()
}

// agent is the name of the session's agent.
func (m *Model) agent() string {
	if m.session != nil {
		if a := m.meta().Agent; a != "" {
			return a
		}
	}
	return m.opts.Agent
}

// dir is the session's directory.
func (m *Model) dir() string {
	if m.session != nil {
		if d := m.meta().Dir; d != "" {
			return d
		}
	}
	return m.opts.Dir
}

// configure changes what the next request uses and says so, or why not.
func (m *Model) configure(s session.Settings, done string) {
	if err := m.session.Configure(s); err != nil {
		m.notices.Problem(err)
		return
	}
	m.confirm(done)
}

// confirm reports for a few seconds what was chosen. In a conversation it leaves a row, and /notices lists that one alone.
func (m *Model) confirm(text string) {
	if len(m.conv.Transcript().Turns) == 0 {
		m.notices.Info(text)
		return
	}
	m.notices.Flash(text)
}

// expireNotice removes a new notice in time.
func (m *Model) expireNotice() tea.Cmd {
	d, id, ok := m.notices.Timeout(m.conv.Running() != nil)
	if !ok {
		return nil
	}
	return m.work.after(d, expiredMsg{id})
}

// touch asks for a frame.
func (m *Model) touch() { m.dirty = true }
