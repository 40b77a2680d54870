package delegate

import (
	"context"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"parley/internal/handover"
)

// summary is a statement that the agent writes. It is safe for concurrent use.
type summary struct {
	mu     sync.Mutex
	text   strings.Builder
	news   chan struct{} // holds one while there is text that was not fetched
	cancel context.CancelFunc
	done   <-chan struct{}
}

func (s *summary) add(text string) {
	s.mu.Lock()
	s.text.WriteString(text)
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *summary) now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.TrimLeft(s.text.String(), "\n ")
}

// summaryMsg reports more of the statement, or its end.
type summaryMsg struct {
	of   *Form
	over bool
	err  error
}

// Of returns the form that the statement is for.
func (m summaryMsg) Of() Panel { return m.of }

// summarize returns the command that has the statement written.
func (f *Form) summarize() tea.Cmd {
	s := &f.summary
	ctx, cancel := context.WithCancel(f.life)
	s.news, s.cancel, s.done = make(chan struct{}, 1), cancel, ctx.Done()
	return tea.Batch(func() tea.Msg {
		err := f.o.Summarize(ctx, s.add)
		cancel()
		return summaryMsg{f, true, err}
	}, f.awaitSummary())
}

// awaitSummary returns the command that waits for more of the statement.
func (f *Form) awaitSummary() tea.Cmd {
	s := &f.summary
	return func() tea.Msg {
		select {
		case <-s.news:
			return summaryMsg{of: f}
		case <-s.done:
			return nil
		}
	}
}

// summarized takes what is written so far. Without any of it the statement stays the one made from the conversation.
func (f *Form) summarized(m summaryMsg) tea.Cmd {
	if f.phase != summarizing {
		return nil
	}
	text := f.summary.now()
	if strings.TrimSpace(text) != "" {
		f.text.Load(handover.WithContext(f.o.Words, text))
	}
	switch {
	case !m.over:
		return f.awaitSummary()
	case strings.TrimSpace(text) == "":
		f.note = "made from the chat: the agent can't be asked now"
	case m.err != nil:
		f.note = "the agent stopped before the end"
	}
	f.phase = editing
	return nil
}

// stopSummary leaves the statement as it is now.
func (f *Form) stopSummary() {
	if f.phase == summarizing {
		f.phase = editing
		f.summary.cancel()
	}
}
