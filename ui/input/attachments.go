package input

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// maxOutput is the most rows of a command's output above the field.
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

// Above is the rows above the field: what is attached to the next prompt, and the command that runs.
type Above struct {
	attached []session.Attachment
	running  *Running
	drops    bool // backspace removes the last one
	look     *style.Look
}

// Above returns what stands above the field; running is nil for no command.
func (m *Model) Above(running *Running) Above {
	return Above{m.attached, running, m.composer.Empty(), m.o.Look}
}

// Want returns how many rows it needs.
func (a Above) Want() int {
	n := 0
	if a.running != nil {
		n += 1 + min(maxOutput, style.Lines(a.running.Output))
	}
	for i, one := range a.attached {
		n++
		if i == len(a.attached)-1 && a.running == nil {
			n += min(maxOutput, style.Lines(one.Text))
		}
	}
	return n
}

// Rows returns at most limit rows: one for each attachment and the running command, and the end of the newest output. A later
// attachment goes before an earlier one.
func (a Above) Rows(width, limit int) []string {
	if limit <= 0 || a.running == nil && len(a.attached) == 0 {
		return nil
	}
	th, ms := a.look.Theme, a.look.Measure
	var rows []string
	output := ""
	head := func(line, right string) {
		line = ms.Clip(style.Visible(style.OneLine(line)), max(8, width-6-ms.Width(right)))
		rows = append(rows, th.Accent.Of("!")+" "+ms.Spread(line, th.Dim.Of(right), width-4))
	}
	for i, one := range a.attached {
		output = one.Text
		right := human.Count(style.Lines(one.Text), "line", "lines")
		switch {
		case i == len(a.attached)-1 && a.drops && width >= 60:
			right += " attached · backspace removes"
		case width >= 60:
			right += " attached"
		}
		head(one.Path, right)
	}
	if a.running != nil {
		output = a.running.Output
		head(a.running.Line, a.running.Right)
	}
	rows = rows[max(0, len(rows)-limit):]
	last, _ := a.look.LastRows(output, min(maxOutput, limit-len(rows)))
	for _, r := range last {
		rows = append(rows, "  "+th.Dim.Of(r))
	}
	return rows
}
