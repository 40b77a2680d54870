package lsp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/session/builtin/files"
	"parley/session/builtin/tool"
	"parley/session/permission"
	"parley/session/toolview"
)

const (
	// maxRenamed bounds the files that a rename changes, maxEdits the places in them together.
	maxRenamed = 300
	maxEdits   = 20_000
	// maxName bounds a new name, in bytes.
	maxName = 200
)

// renameTool renames a symbol in all files.
func (p *Pool) renameTool() *tool.Tool {
	return &tool.Tool{Name: "Rename", Kind: toolview.Edit, Prepare: p.prepareRename,
		Description: "Renames a symbol everywhere in the project through its language server: its declaration and all uses, in all " +
			"files, at once or not at all. Better than Edit for names. Does not rename files.",
		Schema: `{"type":"object","properties":{` + placeSchema + `,"new_name":{"type":"string","description":"The new name"}},` +
			`"required":["file_path","symbol","new_name"],"additionalProperties":false}`}
}

func (p *Pool) prepareRename(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		question
		NewName string `json:"new_name"`
	}
	if err := tool.DecodeInput(input, &in, "file_path", "symbol", "new_name"); err != nil {
		return nil, err
	}
	switch {
	case in.Symbol == "":
		return nil, tool.Errorf("symbol is empty. Give the name as it stands on the line.")
	case in.NewName == "" || len(in.NewName) > maxName || !utf8.ValidString(in.NewName) || strings.ContainsFunc(in.NewName, unicode.IsControl):
		return nil, tool.Errorf("%q is not a name.", cut(in.NewName, 60))
	case in.NewName == in.Symbol:
		return nil, tool.Errorf("new_name is the name that the symbol has; there is nothing to rename.")
	}
	at, err := w.Place(in.Path)
	if err != nil {
		return nil, err
	}
	return files.Replace(w, at, func(ctx context.Context) ([]files.Content, error) {
		return p.rename(ctx, w, in.question, at, in.NewName)
	}), nil
}

// rename returns what a rename would change, the file of the call first. Errors are for the model.
func (p *Pool) rename(ctx context.Context, w *tool.Workspace, q question, at tool.Place, name string) ([]files.Content, error) {
	c, content, err := p.opened(ctx, w, at)
	if err != nil {
		return nil, err
	}
	if err := c.lacks("renameProvider", "rename"); err != nil {
		return nil, err
	}
	pos, err := q.position(w, at, content)
	if err != nil {
		return nil, err
	}
	var edit *workspaceEdit
	params := struct {
		positionParams
		NewName string `json:"newName"`
	}{positionParams{documentID{URI: uriOf(at.Real)}, pos}, name}
	if err := c.call(ctx, "textDocument/rename", params, &edit); err != nil {
		return nil, err
	}
	changes, err := edit.byFile(c.spec.Name)
	if err != nil {
		return nil, err
	}
	var out []files.Content
	for path, edits := range changes {
		one, err := p.renamed(ctx, w, c, q.Symbol, path, edits)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(one.Before, one.After) {
			out = append(out, one)
		}
	}
	first := func(f files.Content) int {
		if f.At.Real == at.Real {
			return 0
		}
		return 1
	}
	slices.SortFunc(out, func(a, b files.Content) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(a.At.Path, b.At.Path))
	})
	if len(out) == 0 || first(out[0]) != 0 {
		return nil, tool.Errorf("%s would not change %q in %s. Use Edit.", c.spec.Name, cut(q.Symbol, 100), w.Short(at.Path))
	}
	out[0].At = at
	return out, nil
}

// byFile returns the changes of a workspace edit by paths as the server writes them. Only texts may change.
func (e *workspaceEdit) byFile(server string) (map[string][]textEdit, error) {
	all := map[string][]textEdit{}
	total := 0
	add := func(uri string, edits []textEdit) error {
		path, ok := pathOf(uri)
		if !ok {
			return tool.Errorf("%s would change %s, which is not a file. Nothing was changed.", server, cut(uri, 200))
		}
		if total += len(edits); total > maxEdits {
			return tool.Errorf("%s would change more than %d places. Nothing was changed.", server, maxEdits)
		}
		all[path] = append(all[path], edits...)
		return nil
	}
	if e == nil {
		return all, nil
	}
	for uri, edits := range e.Changes {
		if err := add(uri, edits); err != nil {
			return nil, err
		}
	}
	for _, d := range e.DocumentChanges {
		if d.Kind != "" {
			return nil, tool.Errorf("%s would %s files for this name. Nothing was changed; move the file with Bash, then mend the names.",
				server, cut(d.Kind, 20))
		}
		if err := add(d.TextDocument.URI, d.Edits); err != nil {
			return nil, err
		}
	}
	if len(all) > maxRenamed {
		return nil, tool.Errorf("%s would change %d files, more than %d. Nothing was changed.", server, len(all), maxRenamed)
	}
	return all, nil
}

// renamed returns the new content of one file. What a server may not change is an error, and so is a place that no longer has
// the name: the server's view of the file is old.
func (p *Pool) renamed(ctx context.Context, w *tool.Workspace, c *client, symbol, path string, edits []textEdit) (files.Content, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || p.tops().of(real) == "" {
		return files.Content{}, tool.Errorf("%s would change %s, which is outside of the session's directories. Nothing was changed.", c.spec.Name, w.Short(path))
	}
	shown := p.tops().display(real)
	if p.w.Hidden != nil {
		if rules := p.w.Hidden(ctx); rules != nil && rules(shown, real) == permission.Deny {
			return files.Content{}, tool.Errorf("%s would change a file that a rule of the user hides. Nothing was changed.", c.spec.Name)
		}
	}
	at, err := w.Place(shown)
	if err != nil {
		return files.Content{}, err
	}
	before, _, err := w.Read(ctx, at)
	if err != nil {
		return files.Content{}, err
	}
	after, err := applyEdits(before, edits)
	if err != nil {
		return files.Content{}, tool.Errorf("%s gave a change of %s that cannot be made: %v. Nothing was changed.", c.spec.Name, w.Short(shown), err)
	}
	for _, e := range edits {
		if old := textAt(before, e.Range); !strings.Contains(old, symbol) && !strings.Contains(symbol, old) {
			return files.Content{}, tool.Errorf("%s knows an older content of %s. Nothing was changed; try again.", c.spec.Name, w.Short(shown))
		}
	}
	return files.Content{At: at, Before: before, After: after}, nil
}

// textAt returns the text of a range that lies within the content and one line, "" for another.
func textAt(content []byte, r span) string {
	lines := linesOf(content)
	if uint64(r.Start.Line) >= uint64(len(lines)) || r.Start.Line != r.End.Line {
		return ""
	}
	line := lines[r.Start.Line]
	from, to := byteAt(line, r.Start.Character), byteAt(line, r.End.Character)
	return line[from:max(from, to)]
}
