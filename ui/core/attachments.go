package core

import (
	"encoding/json"
	"fmt"

	"parley/session"
	"parley/ui/textarea"
)

// draftFields are the fields of a draft besides the composer's own.
type draftFields struct {
	Along []session.Attachment `json:"along,omitempty"`
}

// WithAttachments returns a composer's draft with attachments added. The composer ignores them when it reads the draft.
func WithAttachments(draft string, all []session.Attachment) string {
	if len(all) == 0 {
		return draft
	}
	fields := map[string]json.RawMessage{}
	if draft != "" && json.Unmarshal([]byte(draft), &fields) != nil {
		return draft
	}
	list, err := json.Marshal(all)
	if err != nil {
		return draft
	}
	fields["along"] = list
	b, err := json.Marshal(fields)
	if err != nil {
		return draft
	}
	return string(b)
}

// AttachmentsOf returns the attachments in a draft, nil for a draft without any or in another format.
func AttachmentsOf(draft string) []session.Attachment {
	var fields draftFields
	if draft == "" || json.Unmarshal([]byte(draft), &fields) != nil {
		return nil
	}
	return KeptAttachments(fields.Along)
}

// KeptAttachments returns those that have to be kept with a prompt that is not sent yet: command output and pasted text.
// Files and images are read again when it is sent.
func KeptAttachments(all []session.Attachment) []session.Attachment {
	var kept []session.Attachment
	for _, a := range all {
		if a.Kind == session.AttachCommand || a.Kind == session.AttachPaste {
			kept = append(kept, a)
		}
	}
	return kept
}

// DraftOf returns a prompt as a draft.
func DraftOf(p session.Prompt) string {
	c := textarea.New(textarea.Looks{})
	c.SetValueWithChips(p.Text, ImageChips(p))
	return WithAttachments(c.Draft(), KeptAttachments(p.Attachments))
}

// ImageChips returns the images of a prompt as the composer shows them.
func ImageChips(p session.Prompt) (images []textarea.Chip) {
	for _, a := range p.Attachments {
		if a.Kind == session.AttachImage && a.Path != "" {
			images = append(images, textarea.ImageChip(fmt.Sprintf("[image %d]", len(images)+1), a.Path, len(a.Data)))
		}
	}
	return images
}
