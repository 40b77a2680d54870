package builtin

import (
	"fmt"
	"strings"

	"parley/session"
)

// promptBlocks makes the user's side of a prompt: images first, then one reminder that lists files and directories and
// quotes selections, then the words with long pastes where they were left out.
func promptBlocks(p session.Prompt) []Content {
	var images, out []Content
	var listed, pasted strings.Builder
	for _, a := range p.Attachments {
		switch a.Kind {
		case session.AttachImage:
			if len(a.Data) > 0 && a.MediaType != "" {
				images = append(images, Content{Type: "image", Source: &Source{"base64", a.MediaType, a.Data}})
			}
		case session.AttachPaste:
			fmt.Fprintf(&pasted, "\n\n<pasted>\n%s\n</pasted>", a.Text)
		default:
			listed.WriteString(attachmentLine(a))
		}
	}
	out = append(out, images...)
	if listed.Len() > 0 {
		out = append(out, Content{Type: "text", Text: "<system-reminder>\nThe user points to these. Read what you need of them.\n" +
			listed.String() + "</system-reminder>"})
	}
	if text := p.Text + pasted.String(); strings.TrimSpace(text) != "" {
		out = append(out, Content{Type: "text", Text: strings.TrimLeft(text, "\n")})
	}
	return out
}

// attachmentLine names a file, a directory, or lines of a file with what they say.
func attachmentLine(a session.Attachment) string {
	switch {
	case a.Kind == session.AttachDirectory:
		return "- " + strings.TrimSuffix(a.Path, "/") + "/\n"
	case a.Kind == session.AttachCommand:
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
