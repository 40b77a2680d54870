package ui

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

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
	return len(text) > longPrompt*textWidth || lineCount(text) > longPrompt
}

func (it *userItem) layout(l *look) []string {
	text := it.prompt.Text
	if text == "" && len(it.prompt.Attachments) == 0 {
		return nil
	}
	hidden := 0
	if it.long() && !it.isOpen(false) {
		text, hidden = firstLines(text, longPrompt, l.inner())
	}
	rows := l.measure.wrap(visible(text), l.inner())
	if hidden > 0 {
		rows = append(rows[:min(len(rows), longPrompt):min(len(rows), longPrompt)], l.more(hidden, "lines", it.marked))
	}
	for _, a := range it.prompt.Attachments {
		name := l.attachmentName(a)
		if a.Kind == session.AttachCommand && it.marked && !it.isOpen(false) {
			name += " · " + l.fold() + " shows"
		}
		rows = append(rows, l.theme.dim.of("+ "+l.measure.clip(name, l.inner()-2)))
		if a.Kind == session.AttachCommand && it.isOpen(false) {
			for _, row := range l.measure.wrap(visible(a.Text), l.inner()-2) {
				rows = append(rows, l.theme.dim.of("  "+row))
			}
		}
	}
	if l.times && it.turn != nil {
		if row := timesRow(l, it.turn); row != "" {
			rows = append(rows, l.theme.dim.of(row))
		}
	}
	return gutter(l.theme.accent.of(">"), rows)
}

// attachmentName says in a few words what goes along with a prompt.
func (l *look) attachmentName(a session.Attachment) string {
	name := visible(filepath.ToSlash(strings.TrimPrefix(homely(a.Path, l.home), strings.TrimSuffix(homely(l.dir, l.home), "/")+"/")))
	switch a.Kind {
	case session.AttachSelection:
		return fmt.Sprintf("%s, lines %d to %d", name, a.FirstLine, a.LastLine)
	case session.AttachPaste:
		return "pasted text, " + count(lineCount(a.Text), "line", "lines")
	case session.AttachImage:
		if name == "" {
			return "image"
		}
		return visible(filepath.Base(a.Path)) + ", " + group((len(a.Data)+1023)/1024) + " KB"
	case session.AttachCommand:
		return "! " + visible(oneLine(a.Path)) + ", " + count(lineCount(a.Text), "line", "lines")
	}
	return name
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
	return strings.TrimSuffix(text[:end], "\n"), max(1, lineCount(text[end:]))
}
