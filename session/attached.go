package session

import (
	"fmt"
	"strings"
)

// ReminderHead begins the text that lists what the user points to. In a transcript, a block that begins so is no part of
// what the user wrote.
const ReminderHead = "<system-reminder>\nThe user points to these. Read what you need of them.\n"

// Words are a prompt as agents tell it to a model: text is what the user wrote with what was pasted behind it, reminder
// lists files and directories and quotes selections and the output of commands. Either may be empty; images are in neither.
func (p Prompt) Words() (text, reminder string) {
	var listed, pasted strings.Builder
	for _, a := range p.Attachments {
		switch a.Kind {
		case AttachImage:
		case AttachPaste:
			fmt.Fprintf(&pasted, "\n\n<pasted>\n%s\n</pasted>", a.Text)
		default:
			listed.WriteString(a.line())
		}
	}
	if listed.Len() > 0 {
		reminder = ReminderHead + listed.String() + "</system-reminder>"
	}
	return strings.TrimLeft(p.Text+pasted.String(), "\n"), reminder
}

// line names a file, a directory, or lines of a file (1-based) with what they say.
func (a Attachment) line() string {
	switch {
	case a.Kind == AttachDirectory:
		return "- " + strings.TrimSuffix(a.Path, "/") + "/\n"
	case a.Kind == AttachCommand:
		return "- What the user's own shell answered to " + a.Path + "\n" + fenced(a.Text)
	case a.FirstLine > 0 && a.LastLine > a.FirstLine:
		return fmt.Sprintf("- %s:%d-%d\n%s", a.Path, a.FirstLine, a.LastLine, fenced(a.Text))
	case a.FirstLine > 0:
		return fmt.Sprintf("- %s:%d\n%s", a.Path, a.FirstLine, fenced(a.Text))
	default:
		return fmt.Sprintf("- %s\n%s", a.Path, fenced(a.Text))
	}
}

// fenced quotes text with a fence longer than any within.
func fenced(text string) string {
	if text == "" {
		return ""
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}
