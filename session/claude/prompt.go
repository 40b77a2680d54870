package claude

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"parley/session"
)

// reminderHead begins the block that lists what the user points to. Reading a transcript, a block that begins so is no
// part of what the user wrote.
const reminderHead = "<system-reminder>\nThe user points to these. Read what you need of them.\n"

// contentBlock is a block of a user message of the Messages API.
type contentBlock struct {
	Type   string       `json:"type"`
	Text   string       `json:"text,omitempty"`
	Source *imageSource `json:"source,omitempty"`
}

type imageSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

// promptContent makes the content of the user message: the words alone where there is nothing else, otherwise the images,
// the words with what was pasted, and one reminder that lists files, directories and selections.
func promptContent(p session.Prompt) (json.RawMessage, error) {
	var blocks []contentBlock
	var listed, pasted strings.Builder
	for _, a := range p.Attachments {
		switch a.Kind {
		case session.AttachImage:
			if len(a.Data) > 0 && a.MediaType != "" {
				blocks = append(blocks, contentBlock{Type: "image",
					Source: &imageSource{"base64", a.MediaType, base64.StdEncoding.EncodeToString(a.Data)}})
			}
		case session.AttachPaste:
			fmt.Fprintf(&pasted, "\n\n<pasted>\n%s\n</pasted>", a.Text)
		default:
			listed.WriteString(attachmentLine(a))
		}
	}
	text := strings.TrimLeft(p.Text+pasted.String(), "\n")
	if len(blocks) == 0 && listed.Len() == 0 {
		return json.Marshal(text)
	}
	if strings.TrimSpace(text) != "" {
		blocks = append(blocks, contentBlock{Type: "text", Text: text})
	}
	if listed.Len() > 0 {
		blocks = append(blocks, contentBlock{Type: "text", Text: reminderHead + listed.String() + "</system-reminder>"})
	}
	return json.Marshal(blocks)
}

// attachmentLine names a file, a directory, or lines of a file (1-based) with what they say.
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
