package session

import (
	"fmt"
	"strings"
)

// ReminderHead begins the text that lists what the user points to. A block of a transcript that begins with it was not
// written by the user.
const ReminderHead = "<system-reminder>\nThe user points to these. Read what you need of them.\n"

// Words returns a prompt as agents send it to a model. text is what the user wrote, followed by pasted text. reminder
// lists files and directories and quotes selections and the output of commands. Either may be empty; neither contains
// images.
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

// line returns a line for a file, a directory, or lines of a file (1-based) with their text.
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
