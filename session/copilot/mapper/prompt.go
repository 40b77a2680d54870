package mapper

import "parley/session"

// promptOf returns a prompt of the runtime. Attachments that only GitHub has are left out; their names are in the text.
func promptOf(id session.PromptID, d userMessage) session.Prompt {
	p := session.Prompt{ID: id, Text: d.Content}
	for _, a := range d.Attachments {
		switch a.Type {
		case "file":
			p.Attachments = append(p.Attachments, session.Attachment{Kind: session.AttachFile, Path: a.Path})
		case "directory":
			p.Attachments = append(p.Attachments, session.Attachment{Kind: session.AttachDirectory, Path: a.Path})
		case "selection":
			p.Attachments = append(p.Attachments, session.Attachment{Kind: session.AttachSelection, Path: a.FilePath, Text: a.Text,
				FirstLine: a.Selection.Start.Line + 1, LastLine: a.Selection.End.Line + 1})
		case "blob":
			p.Attachments = append(p.Attachments, session.Attachment{Kind: session.AttachImage, MediaType: a.MimeType, Data: a.Data})
		}
	}
	return p
}
