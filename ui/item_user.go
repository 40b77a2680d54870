package ui

import (
	"fmt"
	"path/filepath"

	"parley/session"
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

func (it *userItem) foldable() bool { return lineCount(it.prompt.Text) > longPrompt }

func (it *userItem) layout(l *look) []string {
	text := visible(it.prompt.Text)
	if text == "" && len(it.prompt.Attachments) == 0 {
		return nil
	}
	rows := l.measure.wrap(text, l.inner())
	if n := len(rows); n > longPrompt && !it.isOpen(false) {
		rows = append(rows[:longPrompt:longPrompt], l.more(n-longPrompt, "lines", it.marked))
	}
	for _, a := range it.prompt.Attachments {
		rows = append(rows, l.theme.dim.of("+ "+l.measure.clip(attachmentName(a), l.inner()-2)))
	}
	return gutter(l.theme.accent.of(">"), rows)
}

// attachmentName says in a few words what goes along with a prompt.
func attachmentName(a session.Attachment) string {
	name := visible(filepath.ToSlash(a.Path))
	switch a.Kind {
	case session.AttachSelection:
		return fmt.Sprintf("%s, lines %d to %d", name, a.FirstLine, a.LastLine)
	case session.AttachPaste:
		return "pasted text, " + count(lineCount(a.Text), "line", "lines")
	case session.AttachImage:
		if name == "" {
			name = "image"
		}
	}
	return name
}
