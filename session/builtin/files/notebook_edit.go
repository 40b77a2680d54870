package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/internal/jsonedit"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// NotebookEdit changes a cell of a notebook.
var NotebookEdit = &tool.Tool{
	Name: "NotebookEdit", Kind: toolview.Edit,
	Description: "Replaces, inserts or deletes one cell of a Jupyter notebook (.ipynb) that was read before. Everything else in the " +
		"file stays as it is. Replacing the source of a code cell clears its outputs.",
	Schema: `{"type":"object","properties":{` +
		`"notebook_path":{"type":"string","description":"Path of the notebook, absolute or relative to the working directory"},` +
		`"cell_id":{"type":"string","description":"The cell: its cell_id, or its number from 1, as Read shows them. The new cell is inserted after it; without it, at the beginning"},` +
		`"new_source":{"type":"string","description":"The source of the cell; not needed to delete"},` +
		`"cell_type":{"type":"string","enum":["code","markdown","raw"],"description":"The type of the cell; needed to insert"},` +
		`"edit_mode":{"type":"string","enum":["replace","insert","delete"],"description":"What to do; replace if absent"}},` +
		`"required":["notebook_path"],"additionalProperties":false}`,
	Prepare: prepareNotebookEdit,
}

// cellEdit is the input of NotebookEdit.
type cellEdit struct {
	Path   string  `json:"notebook_path"`
	Cell   string  `json:"cell_id"`
	Source *string `json:"new_source"`
	Type   string  `json:"cell_type"`
	Mode   string  `json:"edit_mode"`
}

func prepareNotebookEdit(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in cellEdit
	if err := tool.DecodeInput(input, &in, "notebook_path"); err != nil {
		return nil, err
	}
	switch {
	case in.Mode == "":
		in.Mode = "replace"
	case !slices.Contains([]string{"replace", "insert", "delete"}, in.Mode):
		return nil, tool.Errorf(`"edit_mode" must be replace, insert or delete, not %q.`, in.Mode)
	}
	switch {
	case in.Type != "" && !slices.Contains([]string{"code", "markdown", "raw"}, in.Type):
		return nil, tool.Errorf(`"cell_type" must be code, markdown or raw, not %q.`, in.Type)
	case in.Mode == "insert" && in.Type == "":
		return nil, tool.Errorf(`The input lacks "cell_type", which an inserted cell needs: code, markdown or raw.`)
	case in.Mode != "delete" && in.Source == nil:
		return nil, tool.Errorf(`The input lacks "new_source".`)
	case in.Mode != "insert" && in.Cell == "":
		return nil, tool.Errorf(`The input lacks "cell_id", which says which cell to %s.`, in.Mode)
	case !isNotebook(in.Path):
		return nil, tool.Errorf("%s is not a notebook (.ipynb). Use Edit.", in.Path)
	}
	p, err := w.Place(in.Path)
	if err != nil {
		return nil, err
	}
	return change(w, []tool.Place{p}, func(ctx context.Context) ([]revision, error) {
		before, info, err := w.Read(ctx, p)
		if err == nil {
			err = w.Files.Check(w, p.Path, before, info)
		}
		if err != nil {
			return nil, err
		}
		after, err := editNotebook(before, in)
		if err != nil {
			return nil, tool.Errorf("%s: %w", w.Short(p.Path), err)
		}
		return []revision{{at: p, before: before, after: after, part: !w.Files.Whole(p.Path)}}, nil
	}), nil
}

// notebookShape names the members of a notebook that are opened: those of its cells.
var notebookShape = &jsonedit.Shape{Members: map[string]*jsonedit.Shape{
	"cells": {Elements: &jsonedit.Shape{}}}}

// editNotebook returns a notebook with one cell changed, and every other byte as it was. It is pure.
func editNotebook(content []byte, in cellEdit) ([]byte, error) {
	n, err := readNotebook(content)
	if err != nil {
		return nil, tool.Errorf("%w.", err)
	}
	d, err := jsonedit.Read(content, notebookShape)
	if err != nil {
		return nil, tool.Errorf("it is not a notebook in JSON: %w.", err)
	}
	e := notebookEditor{text: content, doc: d, book: n}
	if e.list, err = e.member(d.Root(), "cells"); err != nil {
		return nil, err
	}
	if e.list != jsonedit.None && d.Kind(e.list) == '[' {
		e.cells = slices.Collect(d.Children(e.list))
	}
	if e.list == jsonedit.None || d.Kind(e.list) != '[' || len(e.cells) != len(n.Cells) {
		return nil, tool.Errorf(`it has no list of "cells".`)
	}
	at := -1
	if in.Cell != "" {
		if at, err = n.find(in.Cell); err != nil {
			return nil, err
		}
	}
	var edits []jsonedit.Edit
	switch in.Mode {
	case "insert":
		edits, err = e.insert(at+1, in)
	case "delete":
		edits = e.remove(at)
	default:
		edits, err = e.replace(at, in)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(edits, func(a, b jsonedit.Edit) int { return a.From - b.From })
	return jsonedit.Apply(content, edits), nil
}

// notebookEditor edits one notebook by byte ranges.
type notebookEditor struct {
	text  []byte
	doc   *jsonedit.Document
	book  *notebook
	list  jsonedit.Node
	cells []jsonedit.Node
}

// indentOf returns the white space before a place, if nothing else stands before it in its line. It is false for a text on
// one line.
func (e *notebookEditor) indentOf(at int) (string, bool) {
	begin := at
	for begin > 0 && (e.text[begin-1] == ' ' || e.text[begin-1] == '\t') {
		begin--
	}
	return string(e.text[begin:at]), begin > 0 && e.text[begin-1] == '\n'
}

// member returns a member of a cell, [jsonedit.None] if it has none of that name.
func (e *notebookEditor) member(n jsonedit.Node, name string) (jsonedit.Node, error) {
	found := jsonedit.None
	for child := range e.doc.Children(n) {
		if e.doc.KeyIs(child, name) {
			if found != jsonedit.None {
				return found, tool.Errorf("an object in it has %q twice.", name)
			}
			found = child
		}
	}
	return found, nil
}

// replace gives a cell another source and, if it says so, another type.
func (e *notebookEditor) replace(at int, in cellEdit) ([]jsonedit.Edit, error) {
	n, was := e.cells[at], e.book.Cells[at]
	source, err := e.member(n, "source")
	if err != nil {
		return nil, err
	}
	if source == jsonedit.None {
		return nil, tool.Errorf("cell %d has no source.", at+1)
	}
	if in.Type != "" && in.Type != was.Type {
		return e.retype(at, in)
	}
	edits := []jsonedit.Edit{{Span: e.doc.At(source), Text: e.source(source, *in.Source)}}
	if was.Type == "code" && string(was.Source) != *in.Source {
		for name, empty := range map[string]string{"outputs": "[]", "execution_count": "null"} {
			m, err := e.member(n, name)
			if err != nil {
				return nil, err
			}
			if m != jsonedit.None {
				edits = append(edits, jsonedit.Edit{Span: e.doc.At(m), Text: empty})
			}
		}
	}
	return edits, nil
}

// retype replaces a cell by one of another type, with the id and the metadata of the old one.
func (e *notebookEditor) retype(at int, in cellEdit) ([]jsonedit.Edit, error) {
	n := e.cells[at]
	metadata := "{}"
	m, err := e.member(n, "metadata")
	if err != nil {
		return nil, err
	}
	if m != jsonedit.None {
		span := e.doc.At(m)
		metadata = string(e.text[span.From:span.To])
	}
	span := e.doc.At(n)
	indent, lines := e.indentOf(span.From)
	return []jsonedit.Edit{{Span: span, Text: e.cell(in.Type, e.book.Cells[at].ID, metadata, *in.Source, indent, lines)}}, nil
}

// source returns a source in the form of the one that it replaces: a string, or a list of lines.
func (e *notebookEditor) source(old jsonedit.Node, s string) string {
	if e.doc.Kind(old) == '"' {
		return jsonedit.Quote(s)
	}
	span := e.doc.At(old)
	begin := span.From
	for begin > 0 && e.text[begin-1] != '\n' {
		begin--
	}
	line := string(e.text[begin:span.From])
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return e.listed(s, indent, begin > 0)
}

// listed returns a source as a list of lines, below a member with an indentation.
func (e *notebookEditor) listed(s, indent string, lines bool) string {
	var parts []string
	for l := range strings.Lines(s) {
		parts = append(parts, jsonedit.Quote(l))
	}
	switch {
	case len(parts) == 0:
		return "[]"
	case !lines:
		return "[" + strings.Join(parts, ", ") + "]"
	}
	eol := e.eol()
	inner := eol + indent + e.step()
	return "[" + inner + strings.Join(parts, ","+inner) + eol + indent + "]"
}

func (e *notebookEditor) eol() string {
	if onlyCRLF(string(e.text)) {
		return "\r\n"
	}
	return "\n"
}

// step returns the indentation of one level, that of the first line below the outermost object.
func (e *notebookEditor) step() string {
	_, rest, _ := strings.Cut(string(e.text[:min(len(e.text), 200)]), "\n")
	if step := rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]; step != "" {
		return step
	}
	return " "
}

// cell returns a new cell.
func (e *notebookEditor) cell(kind, id, metadata, source, indent string, lines bool) string {
	inner := indent + e.step()
	members := []string{`"cell_type": ` + jsonedit.Quote(kind)}
	if kind == "code" {
		members = append(members, `"execution_count": null`)
	}
	if id != "" {
		members = append(members, `"id": `+jsonedit.Quote(id))
	}
	members = append(members, `"metadata": `+metadata)
	if kind == "code" {
		members = append(members, `"outputs": []`)
	}
	members = append(members, `"source": `+e.listed(source, inner, lines))
	if !lines {
		return "{" + strings.Join(members, ", ") + "}"
	}
	eol := e.eol()
	return "{" + eol + inner + strings.Join(members, ","+eol+inner) + eol + indent + "}"
}

// insert adds a cell before the one with an index.
func (e *notebookEditor) insert(at int, in cellEdit) ([]jsonedit.Edit, error) {
	id := ""
	if e.book.Minor >= 5 || slices.ContainsFunc(e.book.Cells, func(c cell) bool { return c.ID != "" }) {
		id = e.freshID(at, *in.Source)
	}
	if len(e.cells) == 0 {
		span := e.doc.At(e.list)
		line := e.text[:span.From]
		begin := strings.LastIndexByte(string(line), '\n') + 1
		indent := string(line[begin:])
		indent = indent[:len(indent)-len(strings.TrimLeft(indent, " \t"))]
		if begin == 0 {
			return []jsonedit.Edit{{Span: span, Text: "[" + e.cell(in.Type, id, "{}", *in.Source, "", false) + "]"}}, nil
		}
		inner := indent + e.step()
		return []jsonedit.Edit{{Span: span, Text: "[" + e.eol() + inner + e.cell(in.Type, id, "{}", *in.Source, inner, true) + e.eol() + indent + "]"}}, nil
	}
	beside := e.cells[max(at-1, 0)]
	span := e.doc.At(beside)
	indent, lines := e.indentOf(span.From)
	text, apart := e.cell(in.Type, id, "{}", *in.Source, indent, lines), " "
	if lines {
		apart = e.eol() + indent
	}
	if at == 0 {
		return []jsonedit.Edit{{Span: jsonedit.Span{From: span.From, To: span.From}, Text: text + "," + apart}}, nil
	}
	return []jsonedit.Edit{{Span: jsonedit.Span{From: span.To, To: span.To}, Text: "," + apart + text}}, nil
}

// freshID returns an id that no cell has. The same edit of the same notebook gives the same.
func (e *notebookEditor) freshID(at int, source string) string {
	for i := 0; ; i++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", at, i, source))
		id := hex.EncodeToString(sum[:4])
		if !slices.ContainsFunc(e.book.Cells, func(c cell) bool { return c.ID == id }) {
			return id
		}
	}
}

// remove deletes a cell with the comma beside it.
func (e *notebookEditor) remove(at int) []jsonedit.Edit {
	span := e.doc.At(e.cells[at])
	switch {
	case len(e.cells) == 1:
		span = e.doc.At(e.list)
		return []jsonedit.Edit{{Span: span, Text: "[]"}}
	case at == 0:
		span.To = e.doc.At(e.cells[1]).From
	default:
		span.From = e.doc.At(e.cells[at-1]).To
	}
	return []jsonedit.Edit{{Span: span}}
}
