package transcript

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/md"
)

// selection returns the action that copies the selected text as it was written, without blank rows at its ends.
func (m *Model) selection() Action { return Copy{"", strings.Trim(m.on().sel.Text(), "\n")} }

// copyAnswer copies the last answer on the screen, or above it, as markdown.
func (m *Model) copyAnswer() (Action, tea.Cmd) {
	i := m.lastAnswer(m.bottomItem())
	if i < 0 {
		return say("there is no answer to copy yet")
	}
	return Copy{"answer", m.answerText(i)}, nil
}

// bottomItem returns the last item on the screen, -1 if there is none.
func (m *Model) bottomItem() int {
	if m.inline() {
		return len(m.feed.list) - 1
	}
	for y := len(m.rows) - 1; y >= 0; y-- {
		if i, _, ok := m.window().ItemAt(y); ok {
			return i
		}
	}
	return -1
}

// lastAnswer returns the last answer at or before item i, -1 if there is none.
func (m *Model) lastAnswer(i int) int {
	for ; i >= 0; i-- {
		if _, ok := m.on().list[i].answer(); ok {
			return i
		}
	}
	return -1
}

// answerText returns an answer with the answers directly before and after it: models answer in several parts.
func (m *Model) answerText(i int) string {
	list := m.on().list
	near := func(i, step int) int {
		for j := i + step; j >= 0 && j < len(list); j += step {
			if _, ok := list[j].answer(); ok {
				return j
			}
			if !list[j].state().hidden {
				break
			}
		}
		return -1
	}
	for j := near(i, -1); j >= 0; j = near(i, -1) {
		i = j
	}
	var parts []string
	for ; i >= 0; i = near(i, 1) {
		text, _ := list[i].answer()
		parts = append(parts, strings.Trim(md.Visible(text), "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// copyCode copies the code block of the last answer on the screen that has any. Where it has several, the user picks one.
func (m *Model) copyCode() (Action, tea.Cmd) {
	for i := m.lastAnswer(m.bottomItem()); i >= 0; i = m.lastAnswer(i - 1) {
		text, _ := m.on().list[i].answer()
		switch blocks := md.CodeBlocks(text); len(blocks) {
		case 0:
		case 1:
			return Copy{"code", blocks[0].Text}, nil
		default:
			return PickCode{blocks}, nil
		}
	}
	return say("there is no code block to copy")
}
