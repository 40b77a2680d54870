package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/clipboard"
	"parley/ui/md"
	"parley/ui/picker"
	"parley/ui/style"
)

// copiedMsg says what became of a text that was to be copied.
type copiedMsg struct {
	what   string
	result clipboard.Result
}

// copyText puts a text on the user's clipboard. what names it.
func (m *Model) copyText(what, text string) tea.Cmd {
	if text == "" {
		m.say("there is nothing to copy", false)
		return nil
	}
	board, ctx := m.opts.Clipboard, m.ctx
	return m.command(func() tea.Msg { return copiedMsg{what, board.Copy(ctx, text)} })
}

// copied says which means was used and whether it is known to have worked.
func (m *Model) copied(msg copiedMsg) {
	if msg.result.Sequence != "" {
		m.painter.Say(msg.result.Sequence)
	}
	text := style.Visible(style.OneLine(msg.result.Message()))
	if msg.what != "" {
		text = msg.what + ": " + text
	}
	if short := style.Visible(style.OneLine(msg.result.Short())); m.look.Measure.Width(text) > m.width-4 {
		text = short
	}
	m.sayFor(warnStays, text, msg.result.Err != nil)
}

// copySelection copies what is selected, as it was written. Blank rows at its ends were not aimed at.
func (m *Model) copySelection() tea.Cmd { return m.copyText("", strings.Trim(m.on().sel.Text(), "\n")) }

// copyAnswer copies the last answer that is on the screen, or above it, as markdown.
func (m *Model) copyAnswer() tea.Cmd {
	i := m.lastAnswer(m.bottomItem())
	if i < 0 {
		m.say("there is no answer to copy yet", false)
		return nil
	}
	return m.copyText("answer", m.answerText(i))
}

// bottomItem is the last item on the screen, -1 if there is none.
func (m *Model) bottomItem() int {
	if m.inlineHere() {
		return len(m.on().list) - 1
	}
	for y := m.bodyRows - 1; y >= 0; y-- {
		if i, _, ok := m.on().rows.ItemAt(y); ok {
			return i
		}
	}
	return -1
}

// lastAnswer is the last answer at or before an item, -1 if there is none.
func (m *Model) lastAnswer(i int) int {
	for ; i >= 0; i-- {
		if isAnswer(m.on().list[i]) {
			return i
		}
	}
	return -1
}

func isAnswer(it item) bool {
	p, ok := it.(*partItem)
	return ok && p.part.Kind == session.PartText && !p.hidden
}

// answerText is an answer with what stands before and behind it without anything between: models answer in several parts.
func (m *Model) answerText(i int) string {
	list := m.on().list
	near := func(i, step int) int {
		for j := i + step; j >= 0 && j < len(list); j += step {
			if isAnswer(list[j]) {
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
		parts = append(parts, strings.Trim(md.Visible(list[i].(*partItem).part.Text()), "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// copyCode copies the code block of the last answer on the screen that has any, and lets the user pick where it has
// several.
func (m *Model) copyCode() tea.Cmd {
	for i := m.lastAnswer(m.bottomItem()); i >= 0; i = m.lastAnswer(i - 1) {
		blocks := md.CodeBlocks(m.on().list[i].(*partItem).part.Text())
		switch len(blocks) {
		case 0:
		case 1:
			return m.copyText("code", blocks[0].Text)
		default:
			m.openCode(blocks)
			return nil
		}
	}
	m.say("there is no code block to copy", false)
	return nil
}

// openCode opens the picker of code blocks.
func (m *Model) openCode(blocks []md.CodeBlock) {
	rows := make([]picker.Row, len(blocks))
	for i, b := range blocks {
		first, _, _ := strings.Cut(strings.TrimLeft(b.Text, "\n"), "\n")
		lang, _, _ := strings.Cut(b.Lang, " ")
		rows[i] = picker.Row{ID: "\x00" + strconv.Itoa(i), Cells: []string{style.Visible(strings.TrimSpace(first)), lang, style.Count(style.Lines(b.Text), "line", "lines")}}
	}
	p := m.openPicker(pickCode, picker.Options{Title: "Copy a code block", Keys: "enter copies · esc goes back", None: "no code block"})
	p.blocks = blocks
	p.SetRows(rows)
}
