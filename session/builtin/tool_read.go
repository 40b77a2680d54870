package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
)

var readTool = &tool{
	name: "Read", kind: toolview.Read,
	description: "Reads a text file. Lines come numbered, as \"number<tab>line\"; the number and the tab are not part of the file. " +
		"Without offset and limit it gives up to 2000 lines from the beginning. Very long lines are cut.",
	schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"offset":{"type":"integer","description":"Number of the first line to give, from 1"},` +
		`"limit":{"type":"integer","description":"How many lines to give"}},` +
		`"required":["file_path"],"additionalProperties":false}`,
	prepare: prepareRead,
}

const (
	readLines   = 2000
	readColumns = 2000 // bytes of a line
	readBytes   = 128 << 10
)

func prepareRead(w *workspace, input json.RawMessage) (*job, error) {
	var in struct {
		Path   string `json:"file_path"`
		Offset int    `json:"offset"`
		Limit  int    `json:"limit"`
	}
	if err := decodeInput(input, &in, "file_path"); err != nil {
		return nil, err
	}
	p, err := w.place(in.Path)
	if err != nil {
		return nil, err
	}
	return &job{ask: session.PermissionAsk{Path: p.path}, place: p, run: func(ctx context.Context, _ session.CallID, _ func(string)) outcome {
		content, _, err := w.read(ctx, p)
		switch {
		case ctx.Err() != nil:
			return cancelled
		case err != nil:
			return failed("%s", err)
		case isBinary(content):
			return failed("%s is a binary file of %d bytes.", w.short(p.path), len(content))
		}
		w.files.saw(p.path, content)
		return outcome{outcome: session.ToolOK, result: numbered(content, in.Offset, in.Limit)}
	}}, nil
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
		fmt.Fprintf(&b, "%d\t%s\n", at, cutLine(line))
		given++
	}
	r := session.ToolResult{Text: b.String(), Summary: human.Count(given, "line", "lines")}
	if end := offset + given - 1; end < total {
		fmt.Fprintf(&b, "(lines %d to %d of %d; read on with offset %d)\n", offset, end, total, end+1)
		r.Text, r.Truncated = b.String(), true
	}
	return r
}

// cutLine returns a line as valid text, cut at a readable length.
func cutLine(line []byte) string {
	rest := 0
	if len(line) > readColumns {
		end := readColumns
		for end > 0 && !utf8.RuneStart(line[end]) {
			end--
		}
		rest = len(line) - end
		line = line[:end]
	}
	s := strings.ToValidUTF8(string(line), "\uFFFD")
	if rest > 0 {
		s += fmt.Sprintf("… (%d more bytes)", rest)
	}
	return s
}
