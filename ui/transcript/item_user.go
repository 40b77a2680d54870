package transcript

import (
	"parley/session"
	"parley/ui/core"
	"parley/ui/md/cells"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
	"parley/ui/transcript/prompt"
)

// userItem is a prompt of the user.
type userItem struct {
	itemState
	turn *session.Turn
	// prompt is that of the turn, or one that was steered into the running turn; turn is nil then.
	prompt *session.Prompt
	// told reports that the row before says why the agent began the turn itself.
	told bool
}

// because returns why the agent began the turn itself, "" if it did not.
func (it *userItem) because() string {
	if it.turn == nil || it.prompt.Text != "" {
		return ""
	}
	return core.BecauseText(it.turn.Because, it.told)
}

// longPrompt is the number of rows of a prompt that are shown while it is folded.
const longPrompt = 12

func (it *userItem) foldable() bool {
	for _, a := range it.prompt.Attachments {
		if a.Kind == session.AttachCommand {
			return true
		}
	}
	return it.long()
}

// long reports whether a folded prompt shows only its beginning.
func (it *userItem) long() bool {
	text := it.prompt.Text
	return len(text) > longPrompt*style.TextWidth || style.Lines(text) > longPrompt
}

func (it *userItem) layout(l *style.Look) []string {
	if it.empty() {
		return nil
	}
	if why := it.because(); why != "" {
		rows := l.Measure.Wrap(why, l.Inner())
		for i := range rows {
			rows[i] = l.Theme.Dim.Of(rows[i])
		}
		return style.Gutter(" ", rows)
	}
	text, hidden := it.prompt.Text, 0
	if it.long() && !it.isOpen() {
		text, hidden = prompt.FirstLines(text, longPrompt, l.Inner())
	}
	rows := l.Measure.Wrap(style.Visible(text), l.Inner())
	if hidden > 0 {
		rows = append(rows[:min(len(rows), longPrompt):min(len(rows), longPrompt)], l.More(hidden, "lines", it.marked))
	}
	for _, a := range it.prompt.Attachments {
		name := core.AttachmentName(l.Dir, l.Home, a)
		if a.Kind == session.AttachCommand && it.marked && !it.isOpen() {
			name += " · " + l.Fold() + " shows"
		}
		rows = append(rows, l.Theme.Dim.Of("+ "+l.Measure.Clip(name, l.Inner()-2)))
		if a.Kind == session.AttachCommand && it.isOpen() {
			for _, row := range l.Measure.Wrap(style.Visible(a.Text), l.Inner()-2) {
				rows = append(rows, l.Theme.Dim.Of("  "+row))
			}
		}
	}
	if l.Times && it.turn != nil {
		if row := prompt.Times(l, it.turn); row != "" {
			rows = append(rows, l.Theme.Dim.Of(row))
		}
	}
	rows = style.Gutter(l.Theme.Accent.Of(">"), rows)
	for i, row := range rows {
		rows[i] = l.Theme.Lift(row, l.Inner()+style.GutterWidth, l.Measure)
	}
	return rows
}

func (it *userItem) trace(rows []string, _ *style.Look) scroll.Trace {
	t := align.Rows(rows, 2, it.prompt.Text)
	t.Source = cells.Visible(it.prompt.Text)
	return t
}

func (it *userItem) text(*style.Look) (shown, folded string) {
	text := it.prompt.Text + it.because()
	if !it.foldable() {
		return text, ""
	}
	head, _ := prompt.FirstLines(text, longPrompt, 1) // on the screen at any width
	return head, text[len(head):]
}

func (it *userItem) empty() bool {
	return it.prompt.Text == "" && len(it.prompt.Attachments) == 0 && it.because() == ""
}
func (it *userItem) begins() bool { return true }
