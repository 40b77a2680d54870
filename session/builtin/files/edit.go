package files

import (
	"context"
	"encoding/json"
	"fmt"
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

// MultiEdit replaces several texts in a file at once.
var MultiEdit = &tool.Tool{
	Name: "MultiEdit", Kind: toolview.Edit,
	Description: "Makes several replacements in one file that was read before, in order, each as Edit does and on the result of the " +
		"one before. If one of them cannot be made, none is.",
	Schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"edits":{"type":"array","minItems":1,"description":"The replacements, in order","items":{"type":"object","properties":{` +
		`"old_string":{"type":"string","description":"The text to replace"},` +
		`"new_string":{"type":"string","description":"What to put in its place"},` +
		`"replace_all":{"type":"boolean","description":"Replace every occurrence"}},` +
		`"required":["old_string","new_string"],"additionalProperties":false}}},` +
		`"required":["file_path","edits"],"additionalProperties":false}`,
	Prepare: prepareMultiEdit,
}

// replacement is one replacement in a file.
type replacement struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

func prepareEdit(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Path string `json:"file_path"`
		replacement
	}
	if err := tool.DecodeInput(input, &in, "file_path", "old_string", "new_string"); err != nil {
		return nil, err
	}
	return edits(w, in.Path, []replacement{in.replacement})
}

func prepareMultiEdit(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Path  string        `json:"file_path"`
		Edits []replacement `json:"edits"`
	}
	if err := tool.DecodeInput(input, &in, "file_path", "edits"); err != nil {
		return nil, err
	}
	if len(in.Edits) == 0 {
		return nil, tool.Errorf(`"edits" is empty. Give at least one replacement.`)
	}
	return edits(w, in.Path, in.Edits)
}

// edits returns the job that makes replacements in a file, in order.
func edits(w *tool.Workspace, path string, all []replacement) (*tool.Job, error) {
	p, err := w.Place(path)
	if err != nil {
		return nil, err
	}
	return change(w, []tool.Place{p}, func(ctx context.Context) ([]revision, error) {
		before, info, err := w.Read(ctx, p)
		if err != nil && ctx.Err() == nil && p.Missing() {
			return nil, tool.Errorf("%w Use Write to make a new file.", err)
		}
		if err != nil {
			return nil, err
		}
		if err := w.Files.Check(w, p.Path, before, info); err != nil {
			return nil, err
		}
		t, err := readable(w, p, before)
		if err != nil {
			return nil, err
		}
		s := t.s
		for i, r := range all {
			if s, err = replace(s, r.Old, r.New, r.All); err == nil {
				continue
			}
			if len(all) == 1 {
				return nil, tool.Errorf("%s: %w", w.Short(p.Path), err)
			}
			return nil, tool.Errorf("%s: edit %d of %d: %w Nothing was changed.", w.Short(p.Path), i+1, len(all), err)
		}
		after := t.encode(s)
		return []revision{{at: p, before: before, after: after, part: !w.Files.Whole(p.Path)}}, nil
	}), nil
}

// replace returns the changed text. It is pure. Models write plain line feeds; in a file with carriage returns and
// line feeds, both texts are converted. Where the old text is not there, see [replaceAlike]. Errors say what to do about them.
func replace(content, old, new string, all bool) (string, error) {
	switch {
	case old == "":
		return "", tool.Errorf("old_string is empty. Use Write to give a file its whole content.")
	case old == new:
		return "", tool.Errorf("old_string and new_string are the same; there is nothing to change.")
	}
	n := strings.Count(content, old)
	if n == 0 && strings.Contains(content, "\r\n") && !strings.Contains(old, "\r") {
		if wide := strings.ReplaceAll(old, "\n", "\r\n"); strings.Contains(content, wide) {
			old, new = wide, crlf(new)
			n = strings.Count(content, old)
		}
	} else if n > 0 && onlyCRLF(content) {
		new = crlf(new)
	}
	switch {
	case n == 0:
		if after, ok := replaceAlike(content, old, new); ok && !all {
			return after, nil
		}
		return "", tool.Errorf("old_string was not found.%s", hint(content, old))
	case n > 1 && !all:
		return "", tool.Errorf("old_string occurs %d times, in %s. Give more of the lines around the one that is meant, or set replace_all.",
			n, places(content, old))
	}
	return strings.ReplaceAll(content, old, new), nil
}

// maxPlaces bounds the places that an error names.
const maxPlaces = 5

// places names the lines where a text begins.
func places(content, old string) string {
	var out []string
	at, number := 0, 1
	for {
		i := strings.Index(content[at:], old)
		if i < 0 || len(out) == maxPlaces {
			break
		}
		number += strings.Count(content[at:at+i], "\n")
		if s := fmt.Sprint(number); len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
		number += strings.Count(old, "\n")
		at += i + len(old)
	}
	if len(out) == 1 {
		return "line " + out[0]
	}
	s := "lines " + strings.Join(out, ", ")
	if strings.Contains(content[at:], old) {
		s += " and others"
	}
	return s
}
