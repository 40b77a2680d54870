package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/ui/attention"
	"parley/ui/chat"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/md"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/panel"
	"parley/ui/style"
)

// Model is the screen: it passes messages to the panels, carries out their effects and draws. It has one owner, the event loop;
// everything that happens elsewhere comes in as a message.
type Model struct {
	opts    *Options
	ctx     context.Context
	painter *paint.Painter
	look    *style.Look
	keys    *keymap.Map
	notices *notice.Model
	result  core.Result
	failed  error // why no session can be shown

	stack    *panel.Stack
	chat     *chat.Model
	terminal *terminal

	width, height int
	resized       func(w, h int)             // delivers a size to the loop
	pump          func(*core.Inbox, tea.Msg) // runs the pump of an inbox
	dirty         bool                       // a frame is due
	start         []tea.Cmd                  // what effects started since the last message
	highlightDue  bool                       // a highlightDueMsg is to come
	wishes        int                        // for themes, see wear
	counts        Counts
}

// Counts measure the work of the screen, for tests of its budget.
type Counts struct {
	Updates int // messages handled
	Frames  int // frames built
	Layouts int // items laid out
}

// newModel makes the screen. It starts nothing.
func newModel(ctx context.Context, o Options, p *paint.Painter) *Model {
	m := &Model{opts: &o, ctx: ctx, painter: p, result: core.Result{Reason: core.LeftQuit}, notices: notice.New(o.Now)}
	begin := m.dress(&o)
	if o.Notice != "" {
		begin = append(begin, notice.Entry{Text: o.Notice})
	}
	m.notices.Begin(begin, o.Tip(o.Width), o.Resume != nil)
	m.chat = chat.New(&o.Options, chat.Screen{Context: ctx, Keys: m.keys, Look: m.look, Watch: m.terminal.watch, Notices: m.notices,
		Do:   func(e panel.Effect) { m.later(m.stack.Do(panel.Bottom, e)) },
		Tell: func(msg tea.Msg) { m.later(m.stack.Tell(msg)) },
		Pump: func(b *core.Inbox, msg tea.Msg) { m.pump(b, msg) },
		Frames: func() (newest, shown int) {
			s := p.Stats()
			return s.Drawn, s.Shown
		}})
	m.terminal.chat = m.chat
	m.stack = panel.NewStack(ctx, m, m.chat)
	m.resize(o.Width, o.Height)
	return m
}

// dress sets up the keys, the theme and what is known of the terminal. It returns warnings about what the user configured.
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
	watch := &attention.Watch{Terminal: o.Appearance.Terminal(o.Getenv), Least: o.Appearance.NotifyAfter, Now: o.Now}
	watch.Key()
	m.look = &style.Look{Theme: core.StartTheme(o.Theme, o.Profile, fixed, dark, o.Light, words), Now: o.Now, Home: o.Getenv("HOME"), Ascii: o.Appearance.OnlyASCII(o.Getenv), Inline: o.Appearance.Inline,
		Links: watch.Links, Highlighter: md.NewHighlighter(o.Now), FoldKey: m.keys.Key(keymap.Fold), OpenKey: m.keys.Key(keymap.Open),
		Answer: m.keys.All(keymap.Answer), Split: o.Appearance.DiffSplit, Groups: !o.Appearance.SeparateTools}
	if o.Lexing > 0 {
		m.look.Highlighter.SetLimit(o.Lexing)
	}
	m.terminal = &terminal{opts: o, ctx: m.ctx, painter: m.painter, look: m.look, watch: watch, fixedTheme: fixed, light: o.Light}
	return begin
}

// Init takes the terminal and begins the chat. The terminal is in raw mode by now: what it answers to questions asked before
// would be echoed.
func (m *Model) Init() tea.Cmd {
	m.painter.Start()
	m.later(m.inChat(m.chat.Begin()))
	m.draw(paint.Now)
	return guarded(m.started())
}

// later collects a command that an effect started.
func (m *Model) later(cmd tea.Cmd) {
	if cmd != nil {
		m.start = append(m.start, cmd)
	}
}

// started returns the commands that effects started since it was called last, nil for none.
func (m *Model) started() tea.Cmd {
	cmd := tea.Batch(m.start...)
	m.start = m.start[:0:0]
	return cmd
}

// inChat returns a command of the chat as the event loop runs it.
func (m *Model) inChat(c panel.Cmd) tea.Cmd {
	if c == nil {
		return nil
	}
	return m.stack.Do(panel.Bottom, panel.Start{Cmd: c})
}

// minLayout is the smallest width of a layout; a narrower window shows the beginnings of rows.
const minLayout = 12

// resize sets the size of the window.
func (m *Model) resize(w, h int) {
	m.width, m.height = w, h
	m.look.Width, m.look.Height = max(w, minLayout), h
	if m.painter != nil && w > 0 && h > 0 {
		m.painter.Resize(w, h)
	}
	m.dirty = true
}

// Resized sets the size of a window that is not a terminal. It is for tests.
func (m *Model) Resized(w, h int) { m.resized(w, h) }

// View shows nothing: the painter does.
func (m *Model) View() tea.View { return tea.View{} }

// Counts returns the counters. It may be called only from the event loop or after it has ended.
func (m *Model) Counts() Counts {
	c := m.counts
	c.Layouts = m.look.Layouts
	return c
}
