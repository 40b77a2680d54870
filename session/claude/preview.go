package claude

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"parley/internal/regular"
	"parley/session"
	"parley/session/claude/mapper"
)

// maxPreview is how large a file may be, in bytes, for a change of it to be worked out before it is made.
const maxPreview = 1 << 20

// preview works out what a call that asks for permission would change, for the tools that edit files. read gives the
// content of a file, and false if it is there but cannot be shown. The result is nil if there is nothing to show.
func preview(ask json.RawMessage, read func(path string) (content string, exists, ok bool)) *session.FileEdit {
	var r struct {
		Subtype string          `json:"subtype"`
		Tool    string          `json:"tool_name"`
		Input   json.RawMessage `json:"input"`
	}
	if json.Unmarshal(ask, &r) != nil || r.Subtype != "can_use_tool" {
		return nil
	}
	var in struct {
		Path    string  `json:"file_path"`
		Content *string `json:"content"`
		change
		Edits []change `json:"edits"`
	}
	if json.Unmarshal(r.Input, &in) != nil || in.Path == "" {
		return nil
	}
	switch r.Tool {
	case "Write", "Edit", "MultiEdit":
	default:
		return nil
	}
	before, exists, ok := read(in.Path)
	if !ok {
		return nil
	}
	after := before
	switch {
	case r.Tool == "Write" && in.Content != nil && len(*in.Content) <= maxPreview:
		after = *in.Content
	case r.Tool == "Edit":
		after = in.change.apply(before)
	case r.Tool == "MultiEdit":
		for _, c := range in.Edits {
			if after = c.apply(after); len(after) > maxPreview {
				return nil
			}
		}
	}
	if after == before || len(after) > maxPreview {
		return nil
	}
	e := mapper.EditBetween(in.Path, before, after)
	e.Created = !exists
	return &e
}

// change replaces one text by another.
type change struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

// apply returns the text with the change, and as it is if the change does not fit: then the tool is going to fail.
func (c change) apply(text string) string {
	switch {
	case c.Old == "" && text == "":
		return c.New
	case c.Old == "" || !strings.Contains(text, c.Old):
		return text
	case c.All:
		if len(c.New) > 0 && strings.Count(text, c.Old) > 2*maxPreview/len(c.New) {
			return text // nobody reads a change of that size
		}
		return strings.ReplaceAll(text, c.Old, c.New)
	default:
		return strings.Replace(text, c.Old, c.New, 1)
	}
}

// showEdit puts the exact change into the ask among the events, instead of the one that its input alone tells.
func showEdit(events []session.Event, e *session.FileEdit) {
	for _, event := range events {
		if a, ok := event.(session.Asked); ok && a.Permission != nil && e != nil {
			a.Permission.Edit = e
		}
	}
}

// readFile gives the content of a regular file of text that is not too large.
func readFile(path string) (content string, exists, ok bool) {
	// A link is followed, as the tool that asks follows it.
	b, err := regular.ReadFile(context.Background(), path, maxPreview, regular.FollowLinks)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, true
	}
	if err != nil || bytes.IndexByte(b, 0) >= 0 {
		return "", true, false
	}
	return string(b), true, true
}
