package input

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/textarea"
)

// SetValue replaces the text, which can be undone.
func (m *Model) SetValue(text string) tea.Cmd {
	m.composer.SetValue(text)
	return m.changed()
}

// Edited replaces the text by what an editor made of it. Unchanged text keeps its folded pastes and its undo steps.
func (m *Model) Edited(text string) tea.Cmd {
	if text == strings.TrimRight(m.composer.Value(), "\n") {
		return nil
	}
	m.composer.SetValueWithChips(text, m.composer.Chips())
	return m.changed()
}

// Reset begins a new prompt: no text, no undo steps, vim in insert mode. Attachments stay.
func (m *Model) Reset() {
	m.composer.Reset()
	m.vim.Reset()
	m.completion.Update()
	m.redraw = true
}

// Submit returns what is to be done with the text: [SubmittedNothing], [Command], [Leave], [Shell] or [Submitted]. Only
// the last one empties the field. A doubled slash or exclamation mark at the start stands for one in a prompt.
func (m *Model) Submit(steer bool) Action {
	text := m.composer.Value()
	if strings.TrimSpace(text) == "" {
		return SubmittedNothing{}
	}
	if name, args, ok := keymap.ParseCommand(text); ok {
		return Command{name, args, text}
	}
	if keymap.Leaves(text) && len(m.attached) == 0 {
		return Leave{}
	}
	if line, ok := textarea.ShellCommand(text); ok {
		return Shell{line}
	}
	if strings.HasPrefix(text, "//") || strings.HasPrefix(text, "!!") {
		text = text[1:]
	}
	return Submitted{m.Take(text), steer}
}

// Take returns a prompt with the given text and everything attached, and empties the field.
func (m *Model) Take(text string) Prompt {
	p := Prompt{Text: strings.TrimRight(text, " \n\t"), Attachments: m.attached, Draft: m.composer.Draft()}
	for _, chip := range m.composer.Chips() {
		if chip.Image != "" {
			p.Images = append(p.Images, chip.Image)
		}
	}
	m.attached = nil
	m.Reset()
	return p
}

// Reclaim puts a prompt that was taken out of the queue in front of the text, with its images and attachments.
func (m *Model) Reclaim(text string, images []textarea.Chip, attached []session.Attachment) tea.Cmd {
	m.attached = append(m.attached, attached...)
	if !m.composer.Empty() { // what was written since comes behind it, with its pastes unfolded
		images = append(images, m.composer.Chips()...)
		text += "\n\n" + m.composer.Value()
	}
	m.composer.SetValueWithChips(text, images)
	return m.changed()
}

// PutBack puts the draft of a prompt that could not be sent in front of the text, with its attachments.
func (m *Model) PutBack(draft string, attached []session.Attachment) {
	m.attached = append(attached[:len(attached):len(attached)], m.attached...)
	since := m.composer.Value()
	if m.composer.SetDraft(draft) == nil && since != "" {
		m.composer.Move(textarea.TextEnd)
		m.composer.Insert("\n\n" + since)
	}
	m.redraw = true
}

// SetDraft restores a draft with its attachments. A draft that compose did not store is taken as text.
func (m *Model) SetDraft(draft string, attached []session.Attachment) {
	m.attached = attached
	if m.composer.SetDraft(draft) != nil {
		m.composer.Reset()
		m.composer.SetValue(draft)
	}
	m.completion.Update()
	m.redraw = true
}
