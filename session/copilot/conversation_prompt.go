package copilot

import (
	"context"
	"encoding/json"
	"path/filepath"

	"parley/session"
	"parley/session/copilot/protocol"
)

// attachment is a file, directory, selection or image that is sent with a prompt.
type attachment struct {
	Type      string     `json:"type"`
	Path      string     `json:"path,omitempty"`
	FilePath  string     `json:"filePath,omitempty"`
	Name      string     `json:"displayName,omitempty"`
	Text      *string    `json:"text,omitempty"`
	Selection *selection `json:"selection,omitempty"`
	Data      []byte     `json:"data,omitempty"`
	MediaType string     `json:"mimeType,omitempty"`
}

// selection bounds a selection; lines and characters count from 0.
type selection struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// attachmentsOf returns what the runtime takes beside the text, and the prompt with the rest.
func attachmentsOf(p session.Prompt) ([]attachment, session.Prompt) {
	var sent []attachment
	var rest []session.Attachment
	for _, a := range p.Attachments {
		name := filepath.Base(a.Path)
		switch {
		case a.Kind == session.AttachImage && len(a.Data) > 0 && a.MediaType != "":
			sent = append(sent, attachment{Type: "blob", Data: a.Data, MediaType: a.MediaType, Name: "image"})
		case a.Kind == session.AttachDirectory:
			sent = append(sent, attachment{Type: "directory", Path: a.Path, Name: name})
		case a.Kind == session.AttachFile && a.FirstLine == 0:
			sent = append(sent, attachment{Type: "file", Path: a.Path, Name: name})
		case a.Kind == session.AttachSelection && a.FirstLine > 0:
			last := max(a.FirstLine, a.LastLine)
			sent = append(sent, attachment{Type: "selection", FilePath: a.Path, Name: name, Text: &a.Text,
				Selection: &selection{Start: position{Line: a.FirstLine - 1}, End: position{Line: last - 1}}})
		default:
			rest = append(rest, a)
		}
	}
	p.Attachments = rest
	return sent, p
}

// deliver sends a prompt, which is shown as the user wrote it. mode is "enqueue" or "immediate".
func (c *conversation) deliver(ctx context.Context, l *link, p session.Prompt, shown, source, mode string) error {
	sent, rest := attachmentsOf(p)
	text, reminder := rest.Words()
	if reminder != "" {
		text += "\n\n" + reminder
	}
	params := map[string]any{"prompt": text, "mode": mode, "source": source}
	if text != shown {
		params["displayPrompt"] = shown
	}
	if len(sent) > 0 {
		params["attachments"] = sent
	}
	return l.call(ctx, "session.send", params, nil)
}

// decodeData decodes the data of an event and reports whether that was possible.
func decodeData(e protocol.Event, into any) bool { return json.Unmarshal(e.Data, into) == nil }
