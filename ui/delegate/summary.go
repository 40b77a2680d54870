package delegate

import (
	"context"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"parley/internal/handover"
	"parley/ui/panel"
)

// summary is a statement that the agent writes. It is safe for concurrent use.
type summary struct {
	mu   sync.Mutex
	text strings.Builder
	news chan struct{} // holds one while there is text that was not fetched
	done chan struct{} // closed at the end
	stop context.CancelFunc
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
	over bool
	err  error
}

// summarize returns the command that has the statement written.
func (f *form) summarize() panel.Cmd {
	s := &f.summary
	s.news, s.done = make(chan struct{}, 1), make(chan struct{})
	write, stop := panel.Stoppable(func(ctx context.Context) tea.Msg {
		defer close(s.done)
		return summaryMsg{true, f.o.Summarize(ctx, s.add)}
	})
	s.stop = stop
	return panel.Batch(write, f.awaitSummary)
}

// awaitSummary waits for more of the statement.
func (f *form) awaitSummary(ctx context.Context) tea.Msg {
	select {
	case <-f.summary.news:
		return summaryMsg{}
	case <-f.summary.done:
	case <-ctx.Done():
	}
	return nil
}

// summarized takes what is written so far. Without any of it the statement stays the one made from the conversation.
func (f *form) summarized(m summaryMsg) panel.Cmd {
	if f.phase != summarizing {
		return nil
	}
	text := f.summary.now()
	if strings.TrimSpace(text) != "" {
		f.text.Load(handover.WithContext(f.o.Words, text))
	}
	switch {
	case !m.over:
		return f.awaitSummary
	case strings.TrimSpace(text) == "":
		f.note = "made from the chat: the agent can't be asked now"
	case m.err != nil:
		f.note = "the agent stopped before the end"
	}
	f.phase = editing
	return nil
}

// stopSummary leaves the statement as it is now.
func (f *form) stopSummary() {
	if f.phase == summarizing {
		f.phase = editing
		f.summary.stop()
	}
}
