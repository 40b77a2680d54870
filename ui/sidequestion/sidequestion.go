package sidequestion

import (
	"context"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/md"
	"parley/ui/panel"
	"parley/ui/style"
)

// Ask answers a question as [session.SideAsker] does.
type Ask func(ctx context.Context, question string, emit func(text string)) error

// Run opens a panel on a question. Closing it gives the question up.
func Run(l *style.Look, ask Ask, question string) panel.Effect {
	if question == "" {
		return panel.Notice{Text: "Write the question after the command: /btw why this file?"}
	}
	m := &model{look: l, question: question, answer: answer{news: make(chan struct{}, 1), done: make(chan struct{})}}
	start := func(ctx context.Context) tea.Msg {
		defer close(m.answer.done)
		return overMsg{ask(ctx, question, m.answer.add)}
	}
	return panel.Push{Panel: m, Start: panel.Batch(start, m.await)}
}

// model is the open panel. It belongs to the event loop.
type model struct {
	look     *style.Look
	question string
	answer   answer

	shown string // the answer so far
	over  bool
	err   error

	top, height, max int // the first row that is shown, how many are, and the largest top
}

// answer takes the answer as it comes. It is safe for concurrent use.
type answer struct {
	mu   sync.Mutex
	text strings.Builder
	news chan struct{} // holds one while there is text that was not fetched
	done chan struct{} // closed at the end
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

type (
	// moreMsg reports that there is more of the answer, overMsg its end.
	moreMsg struct{}
	overMsg struct{ err error }
)

// await waits for more of the answer.
func (m *model) await(ctx context.Context) tea.Msg {
	select {
	case <-m.answer.news:
		return moreMsg{}
	case <-m.answer.done:
	case <-ctx.Done():
	}
	return nil
}

// Update handles a key, or more of the answer.
func (m *model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case moreMsg:
		m.shown = m.answer.now()
		return nil, m.await
	case overMsg:
		m.shown, m.over, m.err = m.answer.now(), true, msg.err
		return nil, nil
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
		case "enter", "q":
			return panel.Pop{}, nil
		default:
			return panel.Pass{}, nil
		}
		m.top = max(0, min(m.top, m.max))
		return nil, nil
	}
	return panel.Pass{}, nil
}

// Close loses nothing: what the panel runs ends with its context.
func (m *model) Close() panel.Effect { return nil }

// Draw returns at most height rows.
func (m *model) Draw(width, height int) panel.Frame {
	l := m.look
	th, ms := l.Theme, l.Measure
	inner := max(4, width-4)
	rows := []string{"  " + ms.Spread(th.Bold.Of("Beside the conversation"), th.Dim.Of("esc close · ↑ ↓ scroll"), inner), ""}
	var body []string
	for _, row := range ms.Wrap(style.Visible(m.question), inner-2) {
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
	m.max = max(0, len(body)-m.height)
	m.top = min(m.top, m.max)
	body = body[m.top:]
	return panel.Frame{Rows: append(rows, body[:min(len(body), m.height)]...), Y: -1}
}
