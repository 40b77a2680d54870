package claude

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/claude/mapper"
)

// maxPreview bounds the size of a file whose change is previewed, in bytes.
const maxPreview = 1 << 20

// preview returns the edit that a request for permission would make, nil if there is none to show. read returns the content
// of a file, and false if the file exists but cannot be shown.
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

// change replaces one text with another.
type change struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

// apply returns the changed text. A change that does not fit leaves the text as it is: the tool will fail.
func (c change) apply(text string) string {
	switch {
	case c.Old == "" && text == "":
		return c.New
	case c.Old == "" || !strings.Contains(text, c.Old):
		return text
	case c.All:
		if len(c.New) > 0 && strings.Count(text, c.Old) > 2*maxPreview/len(c.New) {
			return text // too large to show
		}
		return strings.ReplaceAll(text, c.Old, c.New)
	default:
		return strings.Replace(text, c.Old, c.New, 1)
	}
}

// showEdit puts the exact edit into the ask among the events, in place of the one made from its input.
func showEdit(events []session.Event, e *session.FileEdit) {
	for _, event := range events {
		if a, ok := event.(session.Asked); ok && a.Permission != nil && e != nil {
			a.Permission.Edit = e
		}
	}
}

// readFile reads a regular text file of at most maxPreview bytes.
func readFile(path string) (content string, exists, ok bool) {
	// Links are followed, as the tool follows them.
	b, err := safefs.ReadFile(context.Background(), path, maxPreview, safefs.FollowLinks)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, true
	}
	if err != nil || bytes.IndexByte(b, 0) >= 0 {
		return "", true, false
	}
	return string(b), true, true
}
