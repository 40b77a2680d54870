package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/style"
)

// This file is what goes along with the next prompt besides its words: what commands of the user's shell wrote.

// takeAlong returns what goes along with a prompt that is being sent, and forgets it.
func (m *Model) takeAlong() []session.Attachment {
	all := m.along
	m.along = nil
	return all
}

// dropAlong takes away what was added last, and reports whether there was anything.
func (m *Model) dropAlong() bool {
	if len(m.along) == 0 {
		return false
	}
	m.along = m.along[: len(m.along)-1 : len(m.along)-1]
	return true
}

// reclaim puts a prompt that was taken out of the queue back into the field, in front of what is written there, with what
// went along.
func (m *Model) reclaim(p session.Prompt) tea.Cmd {
	m.along = append(m.along, chat.KeptAttachments(p.Attachments)...)
	images := chat.ImageChips(p)
	text := p.Text
	if !m.composer.Empty() { // what was written since comes behind it, with its pastes unfolded
		images = append(images, m.composer.Chips()...)
		text += "\n\n" + m.composer.Value()
	}
	m.composer.SetValueWithChips(text, images)
	return m.changed()
}

// mostShell is how many rows of what a command wrote are shown above the field.
const mostShell = 8

// wantAlong is how many rows what goes along would like to have.
func (m *Model) wantAlong() int {
	n := 0
	if m.shell.Running() {
		n += 1 + min(mostShell, style.Lines(m.shell.shown))
	}
	for i, a := range m.along {
		n++
		if i == len(m.along)-1 && !m.shell.Running() {
			n += min(mostShell, style.Lines(a.Text))
		}
	}
	return n
}

// alongRows are the commands whose output goes along, with the end of what the last one wrote.
func (m *Model) alongRows(limit int) []string {
	if limit <= 0 {
		return nil
	}
	l := m.look
	th, ms := l.Theme, l.Measure
	var heads []string
	text := ""
	head := func(line, right string) {
		heads = append(heads, th.Accent.Of("!")+" "+ms.Spread(ms.Clip(style.Visible(style.OneLine(line)), max(8, m.width-6-ms.Width(right))), th.Dim.Of(right), m.width-4))
	}
	for i, a := range m.along {
		text = a.Text
		right := style.Count(style.Lines(a.Text), "line", "lines")
		switch {
		case i == len(m.along)-1 && m.composer.Empty() && m.width >= 60:
			right += " · goes along · backspace drops it"
		case m.width >= 60:
			right += " · goes along"
		}
		head(a.Path, right)
	}
	if m.shell.Running() {
		text = m.shell.shown
		right := "esc stops"
		line, began := m.shell.Command()
		if took := m.now().Sub(began); took >= style.Noticeable {
			right = style.Seconds(took) + " · " + right
		}
		head(line, right)
	}
	if len(heads) == 0 {
		return nil
	}
	heads = heads[max(0, len(heads)-limit):]
	rows, _ := lastRows(l, text, min(mostShell, limit-len(heads)))
	for _, r := range rows {
		heads = append(heads, "  "+th.Dim.Of(r))
	}
	return heads
}

// popupRows are the rows of that list.
func (m *Model) popupRows(limit int) []string {
	if m.search != nil {
		return m.search.rows(m.look, limit)
	}
	return m.completing.rows(m.look, limit)
}

// wantPopup is how many rows the list above the field would like to have.
func (m *Model) wantPopup() int {
	if m.search != nil {
		return m.search.want()
	}
	if m.noFiles() != "" {
		return 1
	}
	all, _ := m.completing.List()
	return len(all)
}
