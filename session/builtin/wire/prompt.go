package wire

import (
	"strings"

	"parley/session"
)

// PromptBlocks returns a prompt as content: images first, then one reminder that lists files and directories and quotes
// selections, then the text with long pastes where they were left out.
func PromptBlocks(p session.Prompt) []Content {
	var out []Content
	for _, a := range p.Attachments {
		if a.Kind == session.AttachImage && len(a.Data) > 0 && a.MediaType != "" {
			out = append(out, Content{Type: "image", Source: &Source{"base64", a.MediaType, a.Data}})
		}
	}
	text, reminder := p.Words()
	if reminder != "" {
		out = append(out, Content{Type: "text", Text: reminder})
	}
	if strings.TrimSpace(text) != "" {
		out = append(out, Content{Type: "text", Text: text})
	}
	return out
}
