package ui

import (
	"strings"
	"unicode/utf8"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/style"
)

// userItem is a prompt of the user.
type userItem struct {
	itemState
	turn *session.Turn
	// prompt is the prompt shown; it is the turn's own, or one that was taken into the running turn.
	prompt *session.Prompt
}

// longPrompt is how many rows of a prompt are shown while it is folded.
const longPrompt = 12

func (it *userItem) foldable() bool {
	for _, a := range it.prompt.Attachments {
		if a.Kind == session.AttachCommand {
			return true
		}
	}
	return it.long()
}

// long reports whether only a part of the words is shown while it is folded.
func (it *userItem) long() bool {
	text := it.prompt.Text
	return len(text) > longPrompt*style.TextWidth || style.Lines(text) > longPrompt
}

func (it *userItem) layout(l *style.Look) []string {
	text := it.prompt.Text
	if text == "" && len(it.prompt.Attachments) == 0 {
		return nil
	}
	hidden := 0
	if it.long() && !it.isOpen(false) {
		text, hidden = firstLines(text, longPrompt, l.Inner())
	}
	rows := l.Measure.Wrap(style.Visible(text), l.Inner())
	if hidden > 0 {
		rows = append(rows[:min(len(rows), longPrompt):min(len(rows), longPrompt)], l.More(hidden, "lines", it.marked))
	}
	for _, a := range it.prompt.Attachments {
		name := chat.AttachmentName(l.Dir, l.Home, a)
		if a.Kind == session.AttachCommand && it.marked && !it.isOpen(false) {
			name += " · " + l.Fold() + " shows"
		}
		rows = append(rows, l.Theme.Dim.Of("+ "+l.Measure.Clip(name, l.Inner()-2)))
		if a.Kind == session.AttachCommand && it.isOpen(false) {
			for _, row := range l.Measure.Wrap(style.Visible(a.Text), l.Inner()-2) {
				rows = append(rows, l.Theme.Dim.Of("  "+row))
			}
		}
	}
	if l.Times && it.turn != nil {
		if row := timesRow(l, it.turn); row != "" {
			rows = append(rows, l.Theme.Dim.Of(row))
		}
	}
	return style.Gutter(l.Theme.Accent.Of(">"), rows)
}

// firstLines is as much of the beginning of a text as n rows of so many columns can hold, and how many lines are left
// out, the cut one counted.
func firstLines(text string, n, width int) (head string, hidden int) {
	end := 0
	for range n {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		end += i + 1
	}
	if most := n * width * utf8.UTFMax; end > most {
		end = most
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
	}
	return strings.TrimSuffix(text[:end], "\n"), max(1, style.Lines(text[end:]))
}
