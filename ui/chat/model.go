package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/agents"
	"parley/ui/attention"
	"parley/ui/core"
	"parley/ui/delegate"
	"parley/ui/input"
	"parley/ui/install"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/panel"
	questions "parley/ui/question/view"
	"parley/ui/rules"
	"parley/ui/shell"
	"parley/ui/status"
	"parley/ui/statusline"
	"parley/ui/style"
	"parley/ui/textarea"
	"parley/ui/transcript"
	"parley/ui/welcome"
)

// Model is the chat: the panel at the bottom of the stack. The event loop owns it.
type Model struct {
	opts    *Options
	work    life
	look    *style.Look
	keys    *keymap.Map
	watch   *attention.Watch
	notices *notice.Model
	do      func(panel.Effect)
	covered bool // by another panel

	input    *input.Model
	conv     *transcript.Model
	screen   *screen
	current  *current
	choices  *choices
	commands *commands
	controls *controls
	asks     *questions.Asks
	prompts  *prompts
	sessions *switcher
	reader   *reader
	shell    *shell.Model
	install  *install.Model
	greeting *welcome.Greeting
	status   *statusRows
	view     *view
}

// New returns the chat. It starts nothing, and shows no session before [Model.Begin].
func New(o *Options, s Screen) *Model {
	m := &Model{opts: o, work: life{s.Context}, look: s.Look, keys: s.Keys, watch: s.Watch, notices: s.Notices, do: s.Do, screen: &screen{}}
	m.input = input.New(input.Options{Context: s.Context, Look: s.Look, Keys: m.keys, Tree: o.Tree, Prompts: o.pastPrompts(),
		EnterSteers: o.EnterSteers, PasteImage: o.Clipboard.ReadImage, ImageDir: o.ImageDir, Running: m.Running,
		Dir:       func() string { return m.current.dir() },
		Queued:    func() bool { return len(m.conv.Transcript().Queue) > 0 },
		Commands:  func(query string) []textarea.Candidate { return m.commands.candidates(query) },
		Arguments: func(command string) []textarea.Candidate { return m.commands.arguments(command) },
		Complete:  func(command string) bool { return m.commands.complete(command) }})
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
	o, work, look, watch, keys := m.opts, m.work, m.look, m.watch, m.keys
	notices, conv, field, screen, do := m.notices, m.conv, m.input, m.screen, m.do
	current := &current{opts: o, look: look, conv: conv, steering: map[session.PromptID]bool{}}
	choices := &choices{opts: o, work: work, look: look, conv: conv, notices: notices, screen: screen, do: do, tell: s.Tell, current: current}
	m.commands = &commands{opts: o, look: look, keys: keys, conv: conv, notices: notices, do: do, current: current, choices: choices}
	m.commands.delegate = &delegate.Command{Manager: o.Manager, Local: o.Local, Browser: o.browser(), Look: look, Keys: keys, Current: current.value}
	m.commands.rules = &rules.Command{Store: o.Rules, Look: look, Chat: m.commands.rulesChat}
	m.commands.agents = &agents.Command{Look: look, Find: m.commands.customs, Leads: func() string { return current.settings().Custom }, Create: o.NewAgent}
	m.current = current
	asks := m.newAsks(s)
	drafts := &drafts{opts: o, work: work, input: field, screen: screen, current: current, asks: asks, keeper: core.NewDraftKeeper(o.Drafts)}
	prompts := &prompts{opts: o, work: work, look: look, conv: conv, input: field, notices: notices, screen: screen, tell: s.Tell,
		current: current, choices: choices, drafts: drafts}
	stream := &stream{work: work, watch: watch, pump: func(b *core.Inbox) { s.Pump(b, inboxMsg{b}) }}
	m.sessions = &switcher{opts: o, work: work, look: look, conv: conv, input: field, notices: notices, screen: screen, do: do, tell: s.Tell,
		current: current, asks: asks, prompts: prompts, stream: stream, opening: opening{keys: keys}, beside: map[*live.Session]bool{}}
	m.current, m.choices, m.asks, m.prompts = current, choices, asks, prompts
	m.reader = &reader{opts: o, work: work, look: look, keys: keys, conv: conv, input: field, notices: notices,
		screen: screen, do: do, tell: s.Tell, run: m.commands.runKey, current: current, asks: asks, inl: transcript.NewScrollback(conv)}
	m.shell = shell.New(shell.Options{Context: work.ctx, After: work.after, Look: look, Input: field, Notices: notices, Touch: screen.touch, Dir: current.dir},
		core.NewShell(o.Shell))
	m.install = install.New(install.Options{Context: work.ctx, After: work.after, Look: look, Notices: notices, Touch: screen.touch}, core.NewInstaller(o.Offer))
	m.commands.sessions, m.commands.asks, m.commands.install = m.sessions, asks, m.install
	m.greeting = m.newGreeting()
	m.controls = &controls{opts: o, look: look, keys: keys, conv: conv, input: field, notices: notices, screen: screen, do: do, current: current,
		choices: choices, asks: asks, prompts: prompts, sessions: m.sessions, reader: m.reader, shell: m.shell, install: m.install, greeting: m.greeting, commands: m.commands}
	m.status = &statusRows{opts: o, work: work, look: look, conv: conv, screen: screen, current: current, choices: choices}
	if o.StatusLine != nil {
		m.status.line = statusline.New(o.StatusLine)
	}
	turning := &spin{Spinner: status.Spinner{Still: o.Appearance.ReducedMotion}, work: work, watch: watch, conv: conv, screen: screen}
	m.view = &view{opts: o, look: look, keys: keys, conv: conv, input: field, notices: notices, screen: screen, current: current,
		choices: choices, asks: asks, sessions: m.sessions, reader: m.reader, shell: m.shell, install: m.install, spin: turning, greeting: m.greeting, status: m.status}
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
	if i := m.install.Progress(); i != nil {
		s.Installing, s.Share = true, i.Share()
		s.Percent, _ = i.Percent()
	}
	return s
}
