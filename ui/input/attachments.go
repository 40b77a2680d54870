package input

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// maxOutput is how many rows of a command's output are shown above the field.
const maxOutput = 8

// Attach attaches the output of a shell command to the next prompt. It is part of the draft.
func (m *Model) Attach(a session.Attachment) tea.Cmd {
	m.attached = append(m.attached, a)
	return m.changed()
}

// Attached returns what is attached to the next prompt, oldest first. The slice must not be changed.
func (m *Model) Attached() []session.Attachment { return m.attached }

// attachments are the outputs of shell commands that go with the next prompt, oldest first.
type attachments []session.Attachment

// drop removes what was attached last and reports whether there was anything.
func (a *attachments) drop() bool {
	n := len(*a)
	if n == 0 {
		return false
	}
	*a = (*a)[: n-1 : n-1]
	return true
}

// Running is the shell command that runs.
type Running struct {
	// Line is the command, Output what it wrote so far, Right what the end of its row says.
	Line, Output, Right string
}

// WantAttached returns how many rows the attachments and the running command need; running is nil for none.
func (m *Model) WantAttached(running *Running) int {
	n := 0
	if running != nil {
		n += 1 + min(maxOutput, style.Lines(running.Output))
	}
	for i, a := range m.attached {
		n++
		if i == len(m.attached)-1 && running == nil {
			n += min(maxOutput, style.Lines(a.Text))
		}
	}
	return n
}

// AttachedRows returns at most limit rows: one for each attachment and the running command, and the end of the newest
// output. A later attachment goes before an earlier one.
func (m *Model) AttachedRows(width, limit int, running *Running) []string {
	if limit <= 0 || running == nil && len(m.attached) == 0 {
		return nil
	}
	l := m.o.Look
	th, ms := l.Theme, l.Measure
	var rows []string
	output := ""
	head := func(line, right string) {
		line = ms.Clip(style.Visible(style.OneLine(line)), max(8, width-6-ms.Width(right)))
		rows = append(rows, th.Accent.Of("!")+" "+ms.Spread(line, th.Dim.Of(right), width-4))
	}
	for i, a := range m.attached {
		output = a.Text
		right := human.Count(style.Lines(a.Text), "line", "lines")
		switch {
		case i == len(m.attached)-1 && m.composer.Empty() && width >= 60:
			right += " attached · backspace removes"
		case width >= 60:
			right += " attached"
		}
		head(a.Path, right)
	}
	if running != nil {
		output = running.Output
		head(running.Line, running.Right)
	}
	rows = rows[max(0, len(rows)-limit):]
	last, _ := l.LastRows(output, min(maxOutput, limit-len(rows)))
	for _, r := range last {
		rows = append(rows, "  "+th.Dim.Of(r))
	}
	return rows
}
