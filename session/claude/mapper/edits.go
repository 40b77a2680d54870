package mapper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"parley/internal/linediff"
	"parley/session"
)

// mayEdit excludes most results without edits without decoding them, because a file that was read may be long.
func mayEdit(raw []byte) bool {
	return bytes.Contains(raw, []byte(`"structuredPatch"`)) || bytes.Contains(raw, []byte(`"notebook_path"`)) ||
		bytes.Contains(raw, []byte(`"create"`))
}

// editsOf returns the edit in a tool's own result: a patch, or for notebooks the file before and after. It has what the file
// contained before only if whole is set.
func editsOf(raw json.RawMessage, whole bool) []session.FileEdit {
	var r struct {
		Type     string `json:"type"`
		FilePath string `json:"filePath"`
		Content  string `json:"content"`
		Patch    []struct {
			OldStart, OldLines, NewStart, NewLines int
			Lines                                  []string
		} `json:"structuredPatch"`
		Original json.RawMessage `json:"originalFile"`
		Notebook string          `json:"notebook_path"`
		Before   string          `json:"original_file"`
		After    string          `json:"updated_file"`
		Failure  string          `json:"error"`
	}
	if !mayEdit(raw) || json.Unmarshal(raw, &r) != nil {
		return nil
	}
	if r.Notebook != "" && r.Failure == "" && r.Before != r.After {
		e := EditBetween(r.Notebook, r.Before, r.After)
		if whole {
			e.Before = &r.Before
		}
		return []session.FileEdit{e}
	}
	if r.FilePath == "" || (r.Patch == nil && r.Type != "create") {
		return nil
	}
	e := session.FileEdit{Path: r.FilePath, Created: r.Type == "create"}
	if whole && !e.Created && json.Unmarshal(r.Original, &e.Before) != nil { // null and nothing make none
		e.Before = nil
	}
	var b strings.Builder
	if e.Created && len(r.Patch) == 0 && r.Content != "" {
		lines := strings.Split(strings.TrimSuffix(r.Content, "\n"), "\n")
		fmt.Fprintf(&b, "@@ -0,0 +1,%d @@\n", len(lines))
		for _, l := range lines {
			b.WriteString("+" + l + "\n")
		}
	}
	for _, h := range r.Patch {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, l := range h.Lines {
			b.WriteString(l + "\n")
		}
	}
	e.Patch = b.String()
	e.Added, e.Removed = linediff.Count(e.Patch)
	return []session.FileEdit{e}
}

// EditBetween returns the edit from one content of a file to another.
func EditBetween(path, before, after string) session.FileEdit {
	p := linediff.Between(before, after)
	return session.FileEdit{Path: path, Created: before == "", Patch: p.Text, Added: p.Added, Removed: p.Removed}
}
