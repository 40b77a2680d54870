package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/panel"
)

// bottom is the chat as the panel at the bottom of the stack. What its messages start is fetched with take: the results come to
// the root, which knows them.
type bottom struct {
	m     *Model
	start []tea.Cmd
}

// Update handles what the user does while nothing covers the chat.
func (b *bottom) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = b.m.chatKey(msg)
	case tea.PasteMsg:
		cmd = b.m.pasteTo(msg.Content)
	case tea.MouseMsg:
		cmd = b.m.chatPointer(msg)
	case panel.Covered:
		b.m.conv.Undrag()
	case panel.Uncovered:
		b.m.screen.touch()
		b.m.notices.Release()
		cmd = b.m.asks.Reset() // nothing is held behind a panel
	default:
		return panel.Pass{}, nil
	}
	if cmd != nil {
		b.start = append(b.start, cmd)
	}
	return nil, nil
}

// take returns the commands that messages started since it was called last, nil for none.
func (b *bottom) take() tea.Cmd {
	start := b.start
	b.start = nil
	return tea.Batch(start...)
}

// Draw is not called: the root draws the chat.
func (b *bottom) Draw(int, int) panel.Frame { return panel.Frame{Y: -1} }

// Close loses nothing: what is written is a draft.
func (b *bottom) Close() panel.Effect { return nil }
