package files

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Read reads a file.
var Read = &tool.Tool{
	Name: "Read", Kind: toolview.Read,
	Description: "Reads a text file. Lines come numbered, as \"number<tab>line\"; the number and the tab are not part of the file. " +
		"Without offset and limit it gives up to 2000 lines from the beginning. Very long lines are cut.",
	Schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"offset":{"type":"integer","description":"Number of the first line to give, from 1"},` +
		`"limit":{"type":"integer","description":"How many lines to give"}},` +
		`"required":["file_path"],"additionalProperties":false}`,
	Prepare: prepareRead,
}

const (
	readLines   = 2000
	readColumns = 2000 // bytes of a line
	readBytes   = 128 << 10
)

func prepareRead(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Path   string `json:"file_path"`
		Offset int    `json:"offset"`
		Limit  int    `json:"limit"`
	}
	if err := tool.DecodeInput(input, &in, "file_path"); err != nil {
		return nil, err
	}
	p, err := w.Place(in.Path)
	if err != nil {
		return nil, err
	}
	return &tool.Job{Ask: session.PermissionAsk{Path: p.Path}, Place: p, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		content, _, err := w.Read(ctx, p)
		switch {
		case ctx.Err() != nil:
			return tool.Cancelled
		case err != nil:
			return tool.Failed("%s", err)
		case tool.IsBinary(content):
			return tool.Failed("%s is a binary file of %d bytes.", w.Short(p.Path), len(content))
		}
		if isNotebook(p.Path) {
			if n, err := readNotebook(content); err == nil {
				text, shown, whole := n.show(in.Offset, in.Limit)
				seen(w, p, content, whole)
				return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: text, Summary: human.Count(shown, "cell", "cells"), Truncated: !whole}}
			}
		}
		w.Files.Saw(p.Path, content)
		return tool.Outcome{How: session.ToolOK, Result: numbered(content, in.Offset, in.Limit)}
	}}, nil
}

// seen records what the model has seen of a file.
func seen(w *tool.Workspace, p tool.Place, content []byte, whole bool) {
	if whole {
		w.Files.Saw(p.Path, content)
	} else {
		w.Files.SawPart(p.Path, content)
	}
}

// numbered returns lines of a file with their numbers. It is pure.
func numbered(content []byte, offset, limit int) session.ToolResult {
	if len(content) == 0 {
		return session.ToolResult{Text: "(the file is empty)", Summary: human.Count(0, "line", "lines")}
	}
	offset = max(offset, 1)
	if limit <= 0 || limit > readLines {
		limit = readLines
	}
	total := bytes.Count(content, []byte("\n"))
	if content[len(content)-1] != '\n' {
		total++
	}
	if offset > total {
		return session.ToolResult{Text: fmt.Sprintf("(the file has only %s)", human.Count(total, "line", "lines")), Summary: human.Count(0, "line", "lines")}
	}
	var b strings.Builder
	given, at := 0, 0
	for line := range bytes.Lines(content) {
		at++
		if at < offset {
			continue
		}
		if given == limit || b.Len() > readBytes {
			break
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		fmt.Fprintf(&b, "%d\t%s\n", at, tool.CutLine(line))
		given++
	}
	r := session.ToolResult{Text: b.String(), Summary: human.Count(given, "line", "lines")}
	if end := offset + given - 1; end < total {
		fmt.Fprintf(&b, "(lines %d to %d of %d; read on with offset %d)\n", offset, end, total, end+1)
		r.Text, r.Truncated = b.String(), true
	}
	return r
}
