package aside

import (
	"context"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/md"
	"parley/ui/style"
)

// Options configures a [Model]. All fields are set.
type Options struct {
	Look *style.Look
	// Context ends the question with the program.
	Context  context.Context
	Question string
	// Ask answers the question as [session.SideAsker] does.
	Ask func(ctx context.Context, question string, emit func(text string)) error
}

// Model is the open panel. It belongs to the event loop.
type Model struct {
	o      Options
	answer answer
	life   context.Context // of the question
	cancel context.CancelFunc

	shown string // the answer so far
	over  bool
	err   error

	top, height, most int // the first row that is shown, how many are, and the largest top
}

// answer takes the answer as it comes. It is safe for concurrent use.
type answer struct {
	mu   sync.Mutex
	text strings.Builder
	news chan struct{} // holds one while there is text that was not fetched
}

func (a *answer) add(text string) {
	a.mu.Lock()
	a.text.WriteString(text)
	a.mu.Unlock()
	select {
	case a.news <- struct{}{}:
	default:
	}
}

func (a *answer) now() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.text.String()
}

// Msg reports more of the answer, or its end.
type Msg struct {
	of   *Model
	over bool
	err  error
}

// Of returns the panel that the message is for.
func (m Msg) Of() *Model { return m.of }

// New returns the panel and the command that asks.
func New(o Options) (*Model, tea.Cmd) {
	m := &Model{o: o, answer: answer{news: make(chan struct{}, 1)}}
	ctx, cancel := context.WithCancel(o.Context)
	m.life, m.cancel = ctx, cancel
	ask := func() tea.Msg {
		err := m.o.Ask(ctx, m.o.Question, m.answer.add)
		cancel()
		return Msg{of: m, over: true, err: err}
	}
	return m, tea.Batch(ask, m.await())
}

// await returns the command that waits for more of the answer.
func (m *Model) await() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-m.answer.news:
			return Msg{of: m}
		case <-m.life.Done():
			return nil
		}
	}
}

// Close gives up the question if it is not answered yet.
func (m *Model) Close() { m.cancel() }

// Update handles a message of the panel or a key, and reports whether the user closed the panel.
func (m *Model) Update(msg tea.Msg) (closed bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case Msg:
		m.shown = m.answer.now()
		if msg.over {
			m.over, m.err = true, msg.err
			return false, nil
		}
		if !m.over {
			cmd = m.await()
		}
		return false, cmd
	case tea.KeyPressMsg:
		switch msg.String() {
		case "up":
			m.top--
		case "down":
			m.top++
		case "pgup":
			m.top -= m.height - 1
		case "pgdown", "space":
			m.top += m.height - 1
		case "esc", "enter", "q", "ctrl+c":
			m.Close()
			return true, nil
		}
		m.top = max(0, min(m.top, m.most))
	}
	return false, nil
}

// Rows returns at most height rows.
func (m *Model) Rows(width, height int) []string {
	l := m.o.Look
	th, ms := l.Theme, l.Measure
	inner := max(4, width-4)
	rows := []string{"  " + ms.Spread(th.Bold.Of("Beside the conversation"), th.Dim.Of("esc closes · ↑ ↓ scroll"), inner), ""}
	var body []string
	for _, row := range ms.Wrap(style.Visible(m.o.Question), inner-2) {
		body = append(body, th.Dim.Of(row))
	}
	body = append(style.Gutter(th.Accent.Of(">"), body), "")
	switch text := strings.TrimSpace(m.shown); {
	case text != "":
		o := md.Options{Width: inner, Prose: min(inner, l.Inner()), Theme: th.Markdown(), Method: ms.Method, ASCII: l.Ascii}
		body = append(body, md.Render(style.Visible(text), o)...)
	case m.over && m.err == nil:
		body = append(body, "  "+th.Dim.Of("no answer came"))
	case !m.over:
		body = append(body, "  "+th.Dim.Of("thinking…"))
	}
	if m.err != nil {
		p := session.ProblemOf(m.err, l.Now())
		for _, row := range ms.Wrap(style.Visible(strings.TrimSpace(p.What+" "+p.Next)), inner-2) {
			body = append(body, "  "+th.Bad.Of(row))
		}
	}
	m.height = max(1, height-len(rows))
	m.most = max(0, len(body)-m.height)
	m.top = min(m.top, m.most)
	body = body[m.top:]
	return append(rows, body[:min(len(body), m.height)]...)
}
