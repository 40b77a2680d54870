package prompt

import (
	"parley/session"
	"parley/ui/core"
	"parley/ui/md/cells"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// Prompt is a prompt of the user in the conversation, or why the agent began a turn without one.
type Prompt struct {
	*session.Prompt
	// Turn is the turn that the prompt began, nil for one that was steered into a running turn.
	Turn *session.Turn
	// Told reports that the row before says why the agent began the turn itself.
	Told bool
}

// because returns why the agent began the turn itself, "" if it did not.
func (p Prompt) because() string {
	if p.Turn == nil || p.Text != "" {
		return ""
	}
	return core.BecauseText(p.Turn.Because, p.Told)
}

// Long is the number of rows of a prompt that are shown while it is folded.
const Long = 12

// Foldable reports whether the prompt hides something, or shows what it could hide.
func (p Prompt) Foldable() bool {
	for _, a := range p.Attachments {
		if a.Kind == session.AttachCommand {
			return true
		}
	}
	return p.long()
}

// long reports whether a folded prompt shows only its beginning.
func (p Prompt) long() bool {
	text := p.Text
	return len(text) > Long*style.TextWidth || style.Lines(text) > Long
}

// Rows lays the prompt out. open reports that all of it is shown, marked that the fold key acts on p.
func (p Prompt) Rows(l *style.Look, open, marked bool) []string {
	if p.Empty() {
		return nil
	}
	if why := p.because(); why != "" {
		rows := l.Measure.Wrap(why, l.Inner())
		for i := range rows {
			rows[i] = l.Theme.Dim.Of(rows[i])
		}
		return style.Gutter(" ", rows)
	}
	text, hidden := p.Text, 0
	if p.long() && !open {
		text, hidden = firstLines(text, Long, l.Inner())
	}
	rows := l.Measure.Wrap(style.Visible(text), l.Inner())
	if hidden > 0 {
		rows = append(rows[:min(len(rows), Long):min(len(rows), Long)], l.More(hidden, "lines", marked))
	}
	for _, a := range p.Attachments {
		name := core.AttachmentName(l.Dir, l.Home, a)
		if a.Kind == session.AttachCommand && marked && !open {
			name += "  " + l.Fold()
		}
		rows = append(rows, l.Theme.Dim.Of("+ "+l.Measure.Clip(name, l.Inner()-2)))
		if a.Kind == session.AttachCommand && open {
			for _, row := range l.Measure.Wrap(style.Visible(a.Text), l.Inner()-2) {
				rows = append(rows, l.Theme.Dim.Of("  "+row))
			}
		}
	}
	if l.Times && p.Turn != nil {
		if row := times(l, p.Turn); row != "" {
			rows = append(rows, l.Theme.Dim.Of(row))
		}
	}
	rows = style.Gutter(l.Theme.Accent.Of(">"), rows)
	for i, row := range rows {
		rows[i] = l.Theme.Lift(row, l.Inner()+style.GutterWidth, l.Measure)
	}
	return rows
}

// Trace maps the rows to the prompt.
func (p Prompt) Trace(rows []string) scroll.Trace {
	t := align.Rows(rows, 2, p.Text)
	t.Source = cells.Visible(p.Text)
	return t
}

// Words returns the text for the search: what is always on the screen, and what may be folded away.
func (p Prompt) Words() (shown, folded string) {
	text := p.Text + p.because()
	if !p.Foldable() {
		return text, ""
	}
	head, _ := firstLines(text, Long, 1) // on the screen at any width
	return head, text[len(head):]
}

// Empty reports whether there is nothing to show.
func (p Prompt) Empty() bool {
	return p.Text == "" && len(p.Attachments) == 0 && p.because() == ""
}
