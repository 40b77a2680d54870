package files

import (
	"context"
	"encoding/json"
	"strings"

	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Write writes a whole file.
var Write = &tool.Tool{
	Name: "Write", Kind: toolview.Edit,
	Description: "Writes a whole file, with its directories. An existing file must have been read whole in this session before it is " +
		"overwritten, and keeps its encoding and its line ends; to change a part of a file, use the tool that edits.",
	Schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"content":{"type":"string","description":"The whole content"}},` +
		`"required":["file_path","content"],"additionalProperties":false}`,
	Prepare: prepareWrite,
}

func prepareWrite(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
	}
	if err := tool.DecodeInput(input, &in, "file_path", "content"); err != nil {
		return nil, err
	}
	p, err := w.Place(in.Path)
	if err != nil {
		return nil, err
	}
	return change(w, []tool.Place{p}, func(ctx context.Context) ([]revision, error) {
		if p.Missing() {
			return []revision{{at: p, created: true, after: []byte(in.Content)}}, nil
		}
		before, info, err := w.Read(ctx, p)
		if err == nil {
			err = w.Files.CheckWhole(w, p.Path, before, info)
		}
		if err != nil {
			return nil, err
		}
		after, note := rewritten(before, in.Content)
		return []revision{{at: p, before: before, after: after, note: note}}, nil
	}), nil
}

// rewritten returns new content as the file stores text, and what the model should know about it.
func rewritten(before []byte, content string) (after []byte, note string) {
	t, ok := decode(before)
	if !ok {
		return []byte(content), ""
	}
	if onlyCRLF(t.s) && !strings.Contains(content, "\r") && strings.Contains(content, "\n") {
		content, note = crlf(content), " It keeps its line ends (CRLF)."
	}
	if t.order != nil {
		note += " It keeps its encoding (UTF-16)."
	}
	return t.encode(strings.TrimPrefix(content, "\uFEFF")), note
}
