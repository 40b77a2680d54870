package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/ask"
	"parley/ui/attention"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/md"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/signin"
	"parley/ui/status"
	"parley/ui/style"
	"parley/ui/transcript"
)

// Model owns the components of the screen, routes messages to them and carries out their actions. It has one owner, the event
// loop; everything that happens elsewhere comes in as a message.
type Model struct {
	opts    *Options
	work    background
	painter *paint.Painter
	result  chat.Result
	resized func(w, h int) // brings a size to the loop
	taps    taps

	look    *style.Look
	keys    *keymap.Map
	watch   *attention.Watch
	notices *notice.Model
	input   *input.Model
	conv    *transcript.Model

	screen   *screen
	current  *current
	covers   *covers
	choices  *choices
	asks     *asks
	prompts  *prompts
	sessions *sessions
	browser  *browser
	reader   *reader
	jobs     *jobs
	terminal *terminal
	view     *view
}

// newModel makes the screen. It starts nothing.
func newModel(ctx context.Context, o Options, p *paint.Painter) *Model {
	m := &Model{opts: &o, work: background{ctx}, painter: p, result: chat.Result{Reason: chat.LeftQuit}, notices: notice.New(o.Now)}
	begin := m.dress(&o)
	if o.Notice != "" {
		begin = append(begin, notice.Entry{Text: o.Notice})
	}
	m.notices.Begin(begin, o.startTip(), o.Resume != nil)
	m.input = input.New(input.Options{Context: ctx, Look: m.look, Keys: m.keys, Chat: fieldChat{m}, Tree: o.Tree, Prompts: o.Prompts,
		PasteImage: o.PasteImage, ImageDir: o.ImageDir})
	m.conv = transcript.New(m.look, transcript.Options{Keys: m.keys, Inline: o.Appearance.Inline, Mouse: o.mouse(), KeepSelection: o.KeepSelection})
	m.connect(&o)
	m.resize(o.Width, o.Height)
	if o.Manager != nil {
		m.current.agents = o.Manager.Agents() // the first frame names the agent
	}
	if o.Session != nil {
		m.current.opening = o.Opening
		m.sessions.firstDraft = chat.LoadDraft(o.Drafts, chat.DraftKey(o.Session))
		if o.Opening != nil {
			m.sessions.firstDraft = chat.LoadDraft(o.Drafts, chat.SessionDraft(o.Opening.Meta.ID))
		}
	}
	if o.SignIn != nil {
		m.covers.signIn = signin.New(m.look, o.SignIn)
	}
	return m
}

// dress sets up the theme, the keys and what is known of the terminal. It returns warnings about what the user configured.
func (m *Model) dress(o *Options) (begin []notice.Entry) {
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
	m.watch = &attention.Watch{Terminal: o.terminal(), Least: o.Appearance.NotifyAfter, Now: o.Now}
	m.watch.Key()
	m.look = &style.Look{Theme: themeFor(o, fixed, dark, words), Now: o.Now, Home: o.Getenv("HOME"), Ascii: o.onlyASCII(),
		Links: m.watch.Links, Highlighter: md.NewHighlighter(o.Now), FoldKey: m.keys.Key(keymap.Fold), OpenKey: m.keys.Key(keymap.Open),
		Answer: m.keys.All(keymap.Answer)}
	m.terminal = &terminal{opts: o, work: m.work, painter: m.painter, look: m.look, watch: m.watch, fixedTheme: fixed}
	return begin
}

// connect makes the values that stand between the components, each with those it needs.
func (m *Model) connect(o *Options) {
	m.screen = &screen{opts: o, work: m.work, painter: m.painter, look: m.look}
	m.current = &current{opts: o, look: m.look, conv: m.conv, steering: map[session.PromptID]bool{}}
	m.covers = &covers{opts: o, look: m.look, keys: m.keys, notices: m.notices, screen: m.screen}
	m.choices = &choices{opts: o, work: m.work, look: m.look, conv: m.conv, notices: m.notices, screen: m.screen, covers: m.covers, current: m.current}
	m.asks = &asks{opts: o, work: m.work, look: m.look, watch: m.watch, conv: m.conv, input: m.input, notices: m.notices, screen: m.screen,
		covers: m.covers, current: m.current, typed: m.write}
	m.asks.ask = ask.New(ask.Options{Look: m.look, Now: o.Now, After: m.work.after, Frames: func() (newest, drawn int) {
		s := m.painter.Stats()
		return s.Drawn, s.Shown
	}})
	m.asks.forget()
	drafts := &drafts{opts: o, work: m.work, input: m.input, screen: m.screen, current: m.current, keeper: chat.NewDraftKeeper(o.Drafts)}
	m.prompts = &prompts{opts: o, work: m.work, look: m.look, conv: m.conv, input: m.input, notices: m.notices, screen: m.screen, covers: m.covers,
		current: m.current, choices: m.choices, drafts: drafts}
	m.sessions = &sessions{opts: o, work: m.work, look: m.look, keys: m.keys, watch: m.watch, conv: m.conv, input: m.input, notices: m.notices,
		screen: m.screen, covers: m.covers, current: m.current, asks: m.asks, prompts: m.prompts, pump: func(*chat.Inbox) {}}
	m.browser = &browser{opts: o, work: m.work, look: m.look, conv: m.conv, notices: m.notices, screen: m.screen, covers: m.covers,
		current: m.current, sessions: m.sessions}
	m.reader = &reader{opts: o, work: m.work, painter: m.painter, look: m.look, keys: m.keys, conv: m.conv, input: m.input, notices: m.notices,
		screen: m.screen, covers: m.covers, current: m.current, asks: m.asks, inl: transcript.NewScrollback(m.conv)}
	m.jobs = &jobs{work: m.work, look: m.look, input: m.input, notices: m.notices, screen: m.screen, covers: m.covers, current: m.current,
		shell: shell{Shell: chat.NewShell(o.Shell)}, install: chat.NewInstaller(o.Offer)}
	m.terminal.conv, m.terminal.current, m.terminal.asks, m.terminal.jobs = m.conv, m.current, m.asks, m.jobs
	m.view = &view{opts: o, work: m.work, painter: m.painter, look: m.look, keys: m.keys, watch: m.watch, conv: m.conv, input: m.input,
		notices: m.notices, screen: m.screen, covers: m.covers, current: m.current, choices: m.choices, asks: m.asks, prompts: m.prompts,
		sessions: m.sessions, reader: m.reader, jobs: m.jobs, terminal: m.terminal, spinner: status.Spinner{Still: o.Appearance.ReducedMotion}}
}

// Init takes the terminal, attaches the session and asks for what is loaded in the background. The terminal is in raw mode
// by now: what it answers to questions asked before would be echoed.
func (m *Model) Init() tea.Cmd {
	m.painter.Start()
	if m.covers.signIn != nil {
		m.view.draw(paint.Now)
		return nil
	}
	m.sessions.attach(m.opts.Session, m.sessions.firstDraft)
	var cmds []tea.Cmd
	if m.current.opening != nil {
		cmds = append(cmds, m.sessions.startOpening())
	}
	if m.opts.Resume != nil {
		cmds = append(cmds, m.browser.openResume(*m.opts.Resume))
	}
	if m.opts.First != "" {
		cmds = append(cmds, m.prompts.postFirst(m.opts.First))
	}
	cmds = append(cmds, m.choices.loadCatalog(), m.view.keepSpinning())
	if m.current.opening == nil {
		cmds = append(cmds, m.asks.askTrust())
	}
	m.view.draw(paint.Now)
	return guarded(tea.Batch(cmds...))
}

// View shows nothing: the painter does.
func (m *Model) View() tea.View { return tea.View{} }

// Counts returns the counters. It may be called only from the event loop or after it has ended.
func (m *Model) Counts() Counts {
	c := m.screen.counts
	c.Layouts = m.look.Layouts
	return c
}

// Resized tells the screen the size of a window that cannot be asked for it. It is for tests.
func (m *Model) Resized(w, h int) { m.resized(w, h) }
