package claude

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"parley/session"
)

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
	for _, a := range p.Attachments {
		if a.Kind == session.AttachImage && len(a.Data) > 0 && a.MediaType != "" {
			blocks = append(blocks, contentBlock{Type: "image",
				Source: &imageSource{"base64", a.MediaType, base64.StdEncoding.EncodeToString(a.Data)}})
		}
	}
	text, reminder := p.Words()
	if len(blocks) == 0 && reminder == "" {
		return json.Marshal(text)
	}
	if strings.TrimSpace(text) != "" {
		blocks = append(blocks, contentBlock{Type: "text", Text: text})
	}
	if reminder != "" {
		blocks = append(blocks, contentBlock{Type: "text", Text: reminder})
	}
	return json.Marshal(blocks)
}
