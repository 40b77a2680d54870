package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// BenchmarkKey types a letter into the field and takes it back, each with its frame, below a long conversation.
func BenchmarkKey(b *testing.B) {
	m, _ := shownChat(b, 3400, nil)
	b.ReportAllocs()
	for b.Loop() {
		m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
}
