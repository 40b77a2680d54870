package claude

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

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

// promptContent returns the content of the user message: the text alone, or images, the text with what was pasted, and one
// reminder that lists files, directories and selections.
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

// promptIDs assigns the UUIDs under which prompts are written. The conversation's lock guards it.
type promptIDs struct {
	session session.ID
	used    map[string]bool
}

// next returns the UUID of a prompt: its turn's id, so that live and replayed turns have the same, or one made of an id
// that is not a UUID. A prompt that is written again gets another: the runtime drops a UUID that it has seen.
func (p *promptIDs) next(id string) string {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		parsed = uuid.NewSHA1(uuid.NameSpaceURL, []byte("parley:"+string(p.session)+":"+id))
	}
	for p.used[parsed.String()] {
		parsed = uuid.NewSHA1(parsed, []byte("again"))
	}
	p.used[parsed.String()] = true
	return parsed.String()
}
