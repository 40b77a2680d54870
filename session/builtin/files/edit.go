package files

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"parley/session/builtin/tool"

	"parley/session/toolview"
)

// Edit replaces text in a file.
var Edit = &tool.Tool{
	Name: "Edit", Kind: toolview.Edit,
	Description: "Replaces text in a file that was read before. old_string must be exactly what stands in the file, without the " +
		"line numbers that Read shows, and must occur once; give more of what is around it if it does not, or set replace_all to " +
		"replace every occurrence.",
	Schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"old_string":{"type":"string","description":"The text to replace"},` +
		`"new_string":{"type":"string","description":"What to put in its place"},` +
		`"replace_all":{"type":"boolean","description":"Replace every occurrence"}},` +
		`"required":["file_path","old_string","new_string"],"additionalProperties":false}`,
	Prepare: prepareEdit,
}

func prepareEdit(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Path string `json:"file_path"`
		Old  string `json:"old_string"`
		New  string `json:"new_string"`
		All  bool   `json:"replace_all"`
	}
	if err := tool.DecodeInput(input, &in, "file_path", "old_string", "new_string"); err != nil {
		return nil, err
	}
	p, err := w.Place(in.Path)
	if err != nil {
		return nil, err
	}
	return change(w, p, func(ctx context.Context) (created bool, before, after []byte, err error) {
		before, info, err := w.Read(ctx, p)
		if err != nil {
			return false, nil, nil, err
		}
		if err := w.Files.Check(w, p.Path, before, info); err != nil {
			return false, nil, nil, err
		}
		after, err = replace(before, in.Old, in.New, in.All)
		if err != nil {
			err = tool.Errorf("%s: %v", w.Short(p.Path), err)
		}
		return false, before, after, err
	}), nil
}

// replace returns the changed content. It is pure. Models write plain line feeds; in a file with carriage returns and
// line feeds, both texts are converted. Errors say what to do about them.
func replace(content []byte, old, new string, all bool) ([]byte, error) {
	switch {
	case old == "":
		return nil, tool.Errorf("old_string is empty. Use Write to give a file its whole content.")
	case old == new:
		return nil, tool.Errorf("old_string and new_string are the same; there is nothing to change.")
	}
	n := bytes.Count(content, []byte(old))
	if n == 0 && bytes.Contains(content, []byte("\r\n")) && !strings.Contains(old, "\r") {
		old, new = strings.ReplaceAll(old, "\n", "\r\n"), crlf(new)
		n = bytes.Count(content, []byte(old))
	} else if n > 0 && onlyCRLF(content) {
		new = crlf(new)
	}
	switch {
	case n == 0:
		return nil, tool.Errorf("old_string was not found.%s", hint(string(content), old))
	case n > 1 && !all:
		return nil, tool.Errorf("old_string occurs %d times. Give more of the lines around the one that is meant, or set replace_all.", n)
	}
	return bytes.ReplaceAll(content, []byte(old), []byte(new)), nil
}

// crlf ends the lines of s with carriage return and line feed.
func crlf(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

func onlyCRLF(content []byte) bool {
	n := bytes.Count(content, []byte("\n"))
	return n > 0 && n == bytes.Count(content, []byte("\r\n"))
}

// hint returns the likely reason why a text was not found.
func hint(content, old string) string {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	first, _, _ := strings.Cut(strings.TrimSpace(old), "\n")
	number, rest, tabbed := strings.Cut(first, "\t")
	switch {
	case tabbed && number != "" && strings.Trim(number, " 0123456789") == "" && strings.Contains(content, strings.TrimSpace(rest)):
		return " Leave out the line numbers that Read puts before each line."
	case strings.Contains(squeeze(content), squeeze(old)):
		return " There is a place that differs only in white space; copy its indentation exactly."
	case first != "" && strings.Contains(content, strings.TrimSpace(first)):
		return " Its first line is there, but what follows differs. Read the file again."
	}
	return " Read the file again to see what stands there."
}
