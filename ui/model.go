package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/agents"
	"parley/ui/appearance"
	"parley/ui/attention"
	"parley/ui/chat"
	"parley/ui/delegate"
	"parley/ui/fault"
	"parley/ui/input"
	questions "parley/ui/question/view"

	"parley/ui/install"
	"parley/ui/keymap"
	"parley/ui/md"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/panel"
	"parley/ui/rules"
	"parley/ui/shell"
	"parley/ui/signin"
	"parley/ui/status"
	"parley/ui/statusline"
	"parley/ui/style"
	"parley/ui/transcript"
	"parley/ui/welcome"
)

// Model owns the components of the screen, routes messages to them and carries out their actions. It has one owner, the event
// loop; everything that happens elsewhere comes in as a message.
type Model struct {
	keys   *keymap.Map
	taps   taps
	result chat.Result

	notices *notice.Model
	input   *input.Model
	conv    *transcript.Model

	screen   *screen
	terminal *terminal
	current  *current
	stack    *panel.Stack
	chat     *bottom
	choices  *choices
	rules    *rules.Command
	agents   *agents.Command
	delegate *delegate.Command
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

// newModel makes the screen. It starts nothing.
func newModel(ctx context.Context, o Options, p *paint.Painter) *Model {
	m := &Model{result: chat.Result{Reason: chat.LeftQuit}, notices: notice.New(o.Now)}
	begin := m.dress(&o, life{ctx}, p)
	if o.Notice != "" {
		begin = append(begin, notice.Entry{Text: o.Notice})
	}
	m.notices.Begin(begin, o.startTip(), o.Resume != nil)
	look, answers := m.screen.look, &fieldChat{offered: m.offered}
	m.input = input.New(input.Options{Context: ctx, Look: look, Keys: m.keys, Chat: answers, Tree: o.Tree, Prompts: o.pastPrompts(),
		EnterSteers: o.EnterSteers, PasteImage: o.Clipboard.ReadImage, ImageDir: o.ImageDir})
	m.conv = transcript.New(look, transcript.Options{Keys: m.keys, Inline: o.Appearance.Inline, Mouse: o.mouse(), KeepSelection: o.KeepSelection})
	m.chat = &bottom{m: m}
	m.stack = panel.NewStack(ctx, m, m.chat)
	m.connect()
	answers.conv, answers.current, answers.choices, answers.install = m.conv, m.current, m.choices, m.install
	m.resize(o.Width, o.Height)
	if o.Manager != nil {
		m.current.agents = o.Manager.Agents() // the first frame names the agent
	}
	if o.Session != nil {
		m.current.opening, m.prompts.drafts.first = o.Opening, o.firstDraft()
	}
	if o.SignIn != nil {
		_ = m.stack.Do(0, panel.Push{Panel: signin.New(look, o.SignIn)})
	}
	return m
}

// dress sets up the keys, the theme and what is known of the terminal. It returns warnings about what the user configured.
func (m *Model) dress(o *Options, work life, p *paint.Painter) (begin []notice.Entry) {
	warn := func(text string) { begin = append(begin, notice.Entry{Text: text, Warn: true}) }
	fixed, dark, words, err := style.ParseTheme(o.Theme)
	if err != nil {
		warn("the theme cannot be used: " + err.Error())
	}
	m.keys, err = keymap.New(o.Keys)
	m.keys.Vim = o.Vim
	if err != nil {
		warn("some keys cannot be bound: " + err.Error())
	}
	for _, note := range m.keys.Notes {
		warn(note)
	}
	watch := &attention.Watch{Terminal: o.Appearance.Terminal(o.Getenv), Least: o.Appearance.NotifyAfter, Now: o.Now}
	watch.Key()
	look := &style.Look{Theme: appearance.Theme(o.Theme, o.Profile, fixed, dark, o.Light, words), Now: o.Now, Home: o.Getenv("HOME"), Ascii: o.onlyASCII(), Inline: o.Appearance.Inline,
		Links: watch.Links, Highlighter: md.NewHighlighter(o.Now), FoldKey: m.keys.Key(keymap.Fold), OpenKey: m.keys.Key(keymap.Open),
		Answer: m.keys.All(keymap.Answer), Split: o.Appearance.DiffSplit, Groups: !o.Appearance.SeparateTools}
	if o.Lexing > 0 {
		look.Highlighter.SetLimit(o.Lexing)
	}
	m.screen = &screen{opts: o, work: work, painter: p, look: look}
	m.terminal = &terminal{opts: o, work: work, painter: p, look: look, watch: watch, fixedTheme: fixed}
	return begin
}

// connect makes the values that stand between the components, each with those it needs.
func (m *Model) connect() {
	o, work, painter, look, watch, keys := m.screen.opts, m.screen.work, m.screen.painter, m.screen.look, m.terminal.watch, m.keys
	notices, conv, field, screen := m.notices, m.conv, m.input, m.screen
	do, tell := func(e panel.Effect) tea.Cmd { return m.stack.Do(0, e) }, m.stack.Tell
	current := &current{opts: o, look: look, conv: conv, steering: map[session.PromptID]bool{}}
	choices := &choices{opts: o, work: work, look: look, conv: conv, notices: notices, screen: screen, do: do, tell: tell, current: current}
	m.delegate = &delegate.Command{Manager: o.Manager, Local: o.Local, Browser: o.browser(), Look: look, Keys: keys, Current: current.value}
	m.rules = &rules.Command{Store: o.Rules, Look: look, Chat: m.rulesChat}
	m.agents = &agents.Command{Look: look, Find: m.customAgents, Leads: func() string { return current.settings().Custom }, Create: o.NewAgent}
	asks := questions.NewAsks(questions.AsksOptions{Context: work.ctx, Chat: &askChat{m: m, screen: screen, current: current, input: field, delegate: m.delegate},
		Watch: watch, Conv: conv, Input: field, Notices: notices, Browser: o.browser(), Explained: o.Explained,
		Options: questions.Options{Look: look, Keys: keys, Now: o.Now, After: work.after, Frames: func() (newest, drawn int) {
			s := painter.Stats()
			return s.Drawn, s.Shown
		}}})
	drafts := &drafts{opts: o, work: work, input: field, screen: screen, current: current, asks: asks, keeper: chat.NewDraftKeeper(o.Drafts)}
	prompts := &prompts{opts: o, work: work, look: look, conv: conv, input: field, notices: notices, screen: screen, do: do, tell: tell,
		current: current, choices: choices, drafts: drafts}
	stream := &stream{work: work, watch: watch, pump: func(*chat.Inbox) {}}
	sessions := &switcher{opts: o, work: work, look: look, conv: conv, input: field, notices: notices, screen: screen, do: do, tell: tell,
		current: current, asks: asks, prompts: prompts, stream: stream, opening: opening{keys: keys}, beside: map[*live.Session]bool{}}
	m.current, m.choices, m.asks, m.prompts, m.sessions = current, choices, asks, prompts, sessions
	m.reader = &reader{opts: o, work: work, painter: painter, look: look, keys: keys, conv: conv, input: field, notices: notices,
		screen: screen, do: do, tell: tell, run: m.runKey, current: current, asks: asks, inl: transcript.NewScrollback(conv)}
	m.shell = shell.New(shell.Options{Context: work.ctx, After: work.after, Look: look, Input: field, Notices: notices, Touch: screen.touch, Dir: current.dir},
		chat.NewShell(o.Shell))
	m.install = install.New(install.Options{Context: work.ctx, After: work.after, Look: look, Notices: notices, Touch: screen.touch}, chat.NewInstaller(o.Offer))
	m.greeting = welcome.NewGreeting(work.ctx, look, &greeted{screen, current})
	m.status = &statusRows{opts: o, work: work, look: look, conv: conv, screen: screen, current: current, choices: choices}
	if o.StatusLine != nil {
		m.status.line = statusline.New(o.StatusLine)
	}
	m.terminal.conv, m.terminal.current, m.terminal.asks, m.terminal.install = conv, current, asks, m.install
	turning := &spin{Spinner: status.Spinner{Still: o.Appearance.ReducedMotion}, work: work, watch: watch, conv: conv, screen: screen}
	m.view = &view{opts: o, look: look, keys: keys, conv: conv, input: field, notices: notices, screen: screen, stack: m.stack, current: current,
		choices: choices, asks: asks, sessions: sessions, reader: m.reader, shell: m.shell, install: m.install, terminal: m.terminal, spin: turning, greeting: m.greeting, status: m.status}
}

// firstDraft returns what was being written in the session that is shown first.
func (o *Options) firstDraft() string {
	if o.Opening != nil {
		return chat.LoadDraft(o.Drafts, chat.SessionDraft(o.Opening.Meta.ID))
	}
	return chat.LoadDraft(o.Drafts, chat.DraftKey(o.Session))
}

// Init takes the terminal, attaches the session and asks for what is loaded in the background. The terminal is in raw mode
// by now: what it answers to questions asked before would be echoed.
func (m *Model) Init() tea.Cmd {
	m.screen.painter.Start()
	if m.current.session == nil && m.screen.opts.SignIn != nil {
		m.view.draw(paint.Now)
		return nil
	}
	m.sessions.attach(m.screen.opts.Session, m.prompts.drafts.first)
	var cmds []tea.Cmd
	if m.current.opening != nil {
		cmds = append(cmds, m.sessions.startOpening())
	}
	if m.screen.opts.Resume != nil {
		cmds = append(cmds, m.sessions.openResume(*m.screen.opts.Resume))
	}
	if m.screen.opts.First != "" {
		post := m.prompts.postFirst
		if m.delegate.Remote() != nil {
			post = m.showFirst
		}
		cmds = append(cmds, post(m.screen.opts.First))
	}
	cmds = append(cmds, m.choices.loadCatalog(), m.view.spin.keep())
	if m.current.opening == nil {
		cmds = append(cmds, m.asks.AskTrust())
	}
	cmds = append(cmds, m.greeting.Load())
	m.view.draw(paint.Now)
	return fault.Guarded(tea.Batch(cmds...))
}

// showFirst shows the prompt that the program was started with as what it becomes at a service.
func (m *Model) showFirst(text string) tea.Cmd {
	p := session.Prompt{Text: strings.TrimRight(text, " \n\t")}
	return m.submit(chat.Prepared{Prompt: p, Draft: chat.DraftOf(p)})
}

// customAgents returns the function that reads the custom agents for the session, nil if its agent takes none.
func (m *Model) customAgents() func(context.Context) session.Customs {
	mgr, agent, dir := m.screen.opts.Manager, m.current.agent(), m.current.dir()
	if mgr == nil || !mgr.TakesCustoms(agent) {
		return nil
	}
	return func(ctx context.Context) session.Customs { return mgr.Customs(ctx, agent, dir) }
}

// View shows nothing: the painter does.
func (m *Model) View() tea.View { return tea.View{} }

// Counts returns the counters. It may be called only from the event loop or after it has ended.
func (m *Model) Counts() Counts {
	c := m.screen.counts
	c.Layouts = m.screen.look.Layouts
	return c
}

// Resized sets the size of a window that is not a terminal. It is for tests.
func (m *Model) Resized(w, h int) { m.screen.resized(w, h) }
