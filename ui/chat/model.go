package chat

import (
	tea "charm.land/bubbletea/v2"
	"context"

	"parley/session"
	"parley/session/live"
	"parley/ui/attention"
	"parley/ui/core"
	"parley/ui/input"
	"parley/ui/install"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/panel"
	questions "parley/ui/question/view"
	"parley/ui/shell"
	"parley/ui/status"
	"parley/ui/statusline"
	"parley/ui/style"
	"parley/ui/tabs"
	"parley/ui/textarea"
	"parley/ui/transcript"
	"parley/ui/welcome"
)

// Model is the chat: the panel at the bottom of the stack. The event loop owns it.
type Model struct {
	*parts

	covered bool // by another panel

	current  *current
	choices  *choices
	commands *commands
	controls *controls
	asks     *questions.Asks
	prompts  *prompts
	sessions *switcher
	reader   *reader
	places   *places
	shell    *shell.Model
	install  *install.Model
	greeting *welcome.Greeting
	status   *statusRows
	view     *view
}

// parts is what every value of the chat works with.
type parts struct {
	opts    *Options
	work    life
	look    *style.Look
	keys    *keymap.Map
	watch   *attention.Watch
	conv    *transcript.Model
	input   *input.Model
	notices *notice.Model
	screen  *screen
	do      func(panel.Effect) // carries out an effect at once
	tell    func(tea.Msg)      // passes a message to all panels
}

// New returns the chat. It starts nothing, and shows no session before [Model.Begin].
func New(o *Options, s Screen) *Model {
	m := &Model{parts: &parts{opts: o, work: life{s.Context}, look: s.Look, keys: s.Keys, watch: s.Watch, notices: s.Notices, screen: &screen{}, do: s.Do, tell: s.Tell}}
	m.input = input.New(input.Options{Context: s.Context, Look: s.Look, Keys: m.keys, Tree: o.Tree, Prompts: o.pastPrompts(),
		EnterSteers: o.EnterSteers, PasteImage: o.Clipboard.ReadImage, ImageDir: o.ImageDir, Running: m.Running,
		Dir:       func() string { return m.current.dir() },
		Queued:    func() bool { return len(m.conv.Transcript().Queue) > 0 },
		Commands:  func(query string) []textarea.Candidate { return m.commands.candidates(query) },
		Arguments: func(command string) []textarea.Candidate { return m.commands.arguments(command) },
		Dirs:      func(command string) bool { return command == "add-dir" },
		Complete:  func(command string) bool { return m.commands.complete(command) },
		Resources: func() []session.ServerResource { return m.current.resources() },
		ToCome:    func() func(context.Context) error { return m.current.commandsToCome() }})
	m.conv = transcript.New(s.Look, transcript.Options{Keys: m.keys, Inline: o.Appearance.Inline, Mouse: o.Mouse(), KeepSelection: o.KeepSelection})
	m.connect(&s)
	if o.Manager != nil {
		m.current.agents = o.Manager.Agents() // the first frame names the agent
	}
	if o.Session != nil {
		m.current.opening, m.prompts.drafts.first = o.Opening, o.firstDraft()
	}
	return m
}

// connect makes the values that stand between the components, each with those it needs.
func (m *Model) connect(s *Screen) {
	p, o, after, touch := m.parts, m.opts, m.work.after, m.screen.touch
	cur := &current{parts: p, steering: map[session.PromptID]bool{}}
	m.current, m.choices = cur, &choices{parts: p, current: cur}
	m.shell = shell.New(shell.Options{Context: m.work.ctx, After: after, Look: m.look, Input: m.input, Notices: m.notices, Touch: touch, Dir: cur.dir}, core.NewShell(o.Shell))
	m.install = install.New(install.Options{Context: m.work.ctx, After: after, Look: m.look, Notices: m.notices, Touch: touch}, core.NewInstaller(o.Offer))
	m.commands = m.newCommands()
	m.asks = m.newAsks(s)
	m.prompts = &prompts{parts: p, current: cur, choices: m.choices, drafts: &drafts{parts: p, current: cur, asks: m.asks, keeper: core.NewDraftKeeper(o.Drafts)}}
	cur.recall = m.prompts.recall
	stream := &stream{work: m.work, watch: m.watch, pump: func(b *core.Inbox) { s.Pump(b, inboxMsg{b}) }}
	m.sessions = &switcher{parts: p, current: cur, asks: m.asks, prompts: m.prompts, stream: stream, opening: opening{keys: m.keys}, beside: map[*live.Session]bool{}, tabs: tabs.New(m.look, m.prompts.drafts.keeper, o.Dir)}
	m.commands.sessions, m.commands.asks = m.sessions, m.asks
	m.reader = &reader{parts: p, run: m.commands.runKey, current: cur, asks: m.asks, inl: transcript.NewScrollback(m.conv)}
	m.places = &places{parts: p, current: cur, keeper: m.prompts.drafts.keeper, stored: map[session.ID]bool{}}
	m.greeting = m.newGreeting()
	m.controls = &controls{parts: p, current: cur, choices: m.choices, asks: m.asks, prompts: m.prompts, sessions: m.sessions, reader: m.reader,
		shell: m.shell, install: m.install, greeting: m.greeting, commands: m.commands}
	m.status = &statusRows{parts: p, current: cur, choices: m.choices}
	if o.StatusLine != nil {
		m.status.line = statusline.New(o.StatusLine)
	}
	m.view = &view{parts: p, current: cur, choices: m.choices, asks: m.asks, sessions: m.sessions, reader: m.reader, shell: m.shell, install: m.install,
		spin: &spin{parts: p, current: cur, Spinner: status.Spinner{Still: o.Appearance.ReducedMotion}}, greeting: m.greeting, status: m.status}
}

// Unused handles a key that a panel above the chat passed.
func (m *Model) Unused(k tea.KeyPressMsg) { m.commands.unused(k) }

// Session returns the session that is shown, nil before the user is signed in.
func (m *Model) Session() *live.Session { return m.current.session }

// Running reports whether a turn runs.
func (m *Model) Running() bool { return m.conv.Running() != nil }

// Asked reports whether the agent waits for an answer.
func (m *Model) Asked() bool { return len(m.conv.Transcript().Asks) > 0 }

// HasMouse reports whether the mouse is ours.
func (m *Model) HasMouse() bool { return m.conv.HasMouse() }

// Scene describes what goes on, for the terminal.
func (m *Model) Scene() attention.Scene {
	t := m.conv.Transcript()
	s := attention.Scene{Running: m.conv.Running(), Asks: len(t.Asks), Queued: len(t.Queue), Subject: m.current.subject}
	if q := m.asks.Ask.Question(); q != nil && q.Ask != nil {
		s.Ask, s.Question = q.Ask.Ask, q.Title
	}
	s.News, s.Elsewhere = m.sessions.tabs.Said().Number, m.sessions.tabs.Said().Text
	if i := m.install.Progress(); i != nil {
		s.Installing, s.Share = true, i.Share()
		s.Percent, _ = i.Percent()
	}
	return s
}
