package files

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Read reads a file.
var Read = &tool.Tool{
	Name: "Read", Kind: toolview.Read,
	Description: "Reads a file. Lines of text come numbered, as \"number<tab>line\"; the number and the tab are not part of the file. " +
		"Without offset and limit it gives up to 2000 lines from the beginning. Very long lines are cut. Files of any size can be read in " +
		"parts. It also shows images (PNG, JPEG, GIF, WebP), the text of PDF documents by pages, Jupyter notebooks by cells with their outputs, and what a directory has.",
	Schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"offset":{"type":"integer","description":"Number of the first line to give, from 1; of a notebook, of the first cell"},` +
		`"limit":{"type":"integer","description":"How many lines to give; of a notebook, how many cells"},` +
		`"pages":{"type":"string","description":"Which pages of a PDF document to give, such as \"3\" or \"1-5,8\""}},` +
		`"required":["file_path"],"additionalProperties":false}`,
	Prepare: prepareRead,
}

const (
	readLines   = 2000
	readColumns = 2000 // bytes of a line
	readBytes   = 128 << 10
)

// reading is the input of a call of Read.
type reading struct {
	Path   string `json:"file_path"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
	Pages  string `json:"pages"`
}

func prepareRead(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in reading
	if err := tool.DecodeInput(input, &in, "file_path"); err != nil {
		return nil, err
	}
	p, err := w.Place(in.Path)
	if err != nil {
		return nil, err
	}
	return &tool.Job{Ask: session.PermissionAsk{Path: p.Path}, Place: p, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		r, err := in.read(ctx, w, p)
		switch {
		case ctx.Err() != nil:
			return tool.Cancelled
		case err != nil:
			return tool.Failed("%s", err)
		}
		return tool.Outcome{How: session.ToolOK, Result: r}
	}}, nil
}

// sniffed is the number of bytes of a file that decide its type.
const sniffed = 512

// read reads the file as what it is. Errors are for the model.
func (in reading) read(ctx context.Context, w *tool.Workspace, p tool.Place) (session.ToolResult, error) {
	f, info, err := w.Open(ctx, p)
	if err != nil {
		if r, ok := listed(ctx, w, p); ok {
			return r, nil
		}
		return session.ToolResult{}, err
	}
	defer f.Close()
	head := make([]byte, sniffed)
	n, _ := f.ReadAt(head, 0) // an error leaves what was read, and comes again below
	kind := http.DetectContentType(head[:n])
	switch {
	case imageFormats[kind] != "":
		content, err := w.ReadOpen(ctx, p, f, info, maxImageFile)
		if err != nil {
			return session.ToolResult{}, err
		}
		return readImage(w, p, content)
	case kind == "application/pdf":
		content, err := w.ReadOpen(ctx, p, f, info, maxPDF)
		if err != nil {
			return session.ToolResult{}, err
		}
		return readPDF(ctx, w, p, content, in.Pages)
	case info.Size() > tool.MaxFile:
		return in.readHuge(ctx, w, p, f, info, head[:n])
	}
	content, err := w.ReadOpen(ctx, p, f, info, tool.MaxFile)
	if err != nil {
		return session.ToolResult{}, err
	}
	return in.readText(w, p, content, kind)
}

// readText returns the lines of a text, or the cells of a notebook.
func (in reading) readText(w *tool.Workspace, p tool.Place, content []byte, kind string) (session.ToolResult, error) {
	t, ok := decode(content)
	if !ok {
		return session.ToolResult{}, notText(w, p, kind, int64(len(content)))
	}
	if isNotebook(p.Path) {
		if n, err := readNotebook(content); err == nil {
			text, shown, whole := n.show(in.Offset, in.Limit)
			seen(w, p, content, whole)
			return session.ToolResult{Text: text, Summary: human.Count(shown, "cell", "cells"), Truncated: !whole}, nil
		}
	}
	r := numbered([]byte(t.s), in.Offset, in.Limit)
	seen(w, p, content, !r.Truncated && in.Offset <= 1)
	return r, nil
}

// notText returns the error about a file that is no text.
func notText(w *tool.Workspace, p tool.Place, kind string, size int64) error {
	kind, _, _ = strings.Cut(kind, ";")
	if kind == "application/octet-stream" || strings.HasPrefix(kind, "text/") {
		return tool.Errorf("%s is a binary file of %d bytes.", w.Short(p.Path), size)
	}
	return tool.Errorf("%s is a binary file of %d bytes (%s).", w.Short(p.Path), size, kind)
}

// readHuge returns lines of a file that is too large to be read at once, and reads no further than these.
func (in reading) readHuge(ctx context.Context, w *tool.Workspace, p tool.Place, f *os.File, info fs.FileInfo, head []byte) (session.ToolResult, error) {
	if tool.IsBinary(head) {
		return session.ToolResult{}, notText(w, p, http.DetectContentType(head), info.Size())
	}
	h := hugeFile{ctx: ctx, f: f}
	r, err := h.lines(max(in.Offset, 1), in.Limit)
	if err != nil && ctx.Err() == nil {
		return r, tool.Errorf("%s cannot be read: %w", w.Short(p.Path), tool.Cause(err))
	}
	return r, err
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
		return session.ToolResult{Text: fmt.Sprintf("(the file has only %s)", human.Count(total, "line", "lines")), Summary: human.Count(0, "line", "lines"), Truncated: true}
	}
	var b strings.Builder
	given, at, cut := 0, 0, false
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
		given, cut = given+1, cut || len(line) > readColumns
	}
	r := session.ToolResult{Text: b.String(), Summary: human.Count(given, "line", "lines"), Truncated: cut}
	if end := offset + given - 1; end < total {
		fmt.Fprintf(&b, "(lines %d to %d of %d; read on with offset %d)\n", offset, end, total, end+1)
		r.Text, r.Truncated = b.String(), true
	}
	return r
}
