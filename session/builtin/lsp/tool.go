package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// question is the input of the tools.
type question struct {
	Operation string `json:"operation"`
	Path      string `json:"file_path"`
	Line      int    `json:"line"`
	Symbol    string `json:"symbol"`
	Column    int    `json:"column"`
	Query     string `json:"query"`
}

// operations are those of the tool LSP, with whether they need a file and a symbol in it.
var operations = map[string]struct{ file, symbol bool }{
	"diagnostics": {false, false}, "definition": {true, true}, "references": {true, true}, "implementation": {true, true},
	"hover": {true, true}, "symbols": {true, false}, "workspace_symbols": {false, false},
}

const lspAbout = "Asks the project's language server, which knows the code better than a text search does. Operations: " +
	"diagnostics (errors and warnings of file_path, or all known ones without it), definition, references, implementation and " +
	"hover (of symbol on line of file_path), symbols (outline of file_path), workspace_symbols (symbols of the whole project " +
	"that match query). Give the line as Read numbers it and the name of the symbol as it stands there. Results are " +
	"path:line:column. Errors that an edit causes are in the result of the edit without asking."

const placeSchema = `"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
	`"line":{"type":"integer","description":"Line of the symbol, from 1; without it, the first line of the file that has the symbol outside of a comment"},` +
	`"symbol":{"type":"string","description":"Name of the symbol as it stands on the line"},` +
	`"column":{"type":"integer","description":"Column in characters, from 1, if the line has the symbol several times"}`

// Tools returns the tools of the pool, or none if no server is installed for the languages of the session's directories. It
// looks at a bounded part of the directories.
func (p *Pool) Tools(ctx context.Context) []*tool.Tool {
	if p == nil || len(p.servers) == 0 || !p.offered(ctx) {
		return nil
	}
	return []*tool.Tool{{
		Name: "LSP", Kind: toolview.Search, Description: lspAbout, Prepare: p.prepareLSP,
		Schema: `{"type":"object","properties":{` +
			`"operation":{"type":"string","enum":["diagnostics","definition","references","implementation","hover","symbols","workspace_symbols"]},` +
			placeSchema + `,"query":{"type":"string","description":"What workspace_symbols looks for: a part of a name"}},` +
			`"required":["operation"],"additionalProperties":false}`}, p.renameTool()}
}

const (
	// maxEntries and maxDepth bound the look at a directory for its languages.
	maxEntries = 2000
	maxDepth   = 4
)

// offered reports whether a server is installed for a language of the session's directories.
func (p *Pool) offered(ctx context.Context) bool { return p.someFile(ctx) != "" }

// someFile returns a file of the session's directories that has a server, "" for none among those that are looked at.
func (p *Pool) someFile(ctx context.Context) string {
	found, none := "", map[string]bool{} // extensions without a server
	for _, dir := range p.w.Tops() {
		seen := 0
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if seen++; seen > maxEntries || found != "" || ctx.Err() != nil {
				return filepath.SkipAll
			}
			rel, _ := filepath.Rel(dir, path) // path is below dir
			ext := filepath.Ext(path)
			switch {
			case err != nil:
				return nil // a directory that cannot be read has no files for a server
			case d.IsDir() && path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" ||
				strings.Count(rel, string(filepath.Separator)) >= maxDepth):
				return filepath.SkipDir
			case !d.Type().IsRegular() || none[ext]:
				return nil
			}
			if s, _, _ := p.serverFor(realPath(path)); s != nil {
				found = path
			} else {
				none[ext] = true
			}
			return nil
		})
	}
	return found
}

func (p *Pool) prepareLSP(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var q question
	if err := tool.DecodeInput(input, &q, "operation"); err != nil {
		return nil, err
	}
	needs, ok := operations[q.Operation]
	switch {
	case !ok:
		return nil, tool.Errorf("There is no operation %q. There are: definition, diagnostics, hover, implementation, references, symbols, workspace_symbols.", cut(q.Operation, 60))
	case needs.file && q.Path == "":
		return nil, tool.Errorf("%s needs file_path.", q.Operation)
	case needs.symbol && q.Symbol == "":
		return nil, tool.Errorf("%s needs symbol, the name as it stands on the line.", q.Operation)
	case q.Operation == "workspace_symbols" && q.Query == "":
		return nil, tool.Errorf("workspace_symbols needs query, a part of a symbol's name.")
	}
	path := q.Path
	if path == "" {
		path = w.Dir
	}
	at, err := w.Place(path)
	if err != nil {
		return nil, err
	}
	return &tool.Job{Ask: session.PermissionAsk{Path: at.Path}, Place: at, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		r, err := p.ask(ctx, w, q, at)
		switch {
		case ctx.Err() != nil:
			return tool.Cancelled
		case err != nil:
			return tool.Failed("%s", err)
		}
		return tool.Outcome{How: session.ToolOK, Result: r}
	}}, nil
}

// ask answers a question. Errors are for the model.
func (p *Pool) ask(ctx context.Context, w *tool.Workspace, q question, at tool.Place) (session.ToolResult, error) {
	if q.Operation == "diagnostics" && q.Path == "" {
		return p.diagnosticsOfAll(ctx), nil
	}
	if q.Operation == "workspace_symbols" {
		return p.workspaceSymbols(ctx, q)
	}
	c, content, err := p.opened(ctx, w, at)
	if err != nil {
		return session.ToolResult{}, err
	}
	switch q.Operation {
	case "diagnostics":
		return p.diagnosticsOf(ctx, c, at), nil
	case "symbols":
		return p.symbols(ctx, c, at)
	}
	pos, err := q.position(w, at, content)
	if err != nil {
		return session.ToolResult{}, err
	}
	if q.Operation == "hover" {
		return p.hover(ctx, c, at, pos)
	}
	return p.places(ctx, c, q, at, pos)
}

// opened returns the server of a file, which has its content and that of everything else that has changed.
func (p *Pool) opened(ctx context.Context, w *tool.Workspace, at tool.Place) (*client, []byte, error) {
	if at.Err != nil {
		return nil, nil, tool.Errorf("%s cannot be read: %v", w.Short(at.Path), tool.Cause(at.Err))
	}
	if info, err := os.Lstat(at.Real); err != nil {
		return nil, nil, tool.Errorf("%s does not exist. Find the file with Glob.", w.Short(at.Path))
	} else if info.IsDir() {
		return nil, nil, tool.Errorf("%s is a directory. Give the path of a file.", w.Short(at.Path))
	}
	c, _ := p.clientFor(at.Real)
	if c == nil {
		return nil, nil, p.noServer(w, at)
	}
	bounded, cancel := context.WithTimeout(ctx, p.o.Bounds.Call)
	defer cancel()
	err := c.await(bounded)
	if err == nil {
		err = c.take(bounded)
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, nil, tool.Errorf("%s is still starting. Use Grep, or try again later.", c.spec.Name)
	case err != nil:
		return nil, nil, tool.Errorf("%s could not be started: %s. Use Grep and Read instead.", c.spec.Name, cut(err.Error(), 300))
	}
	defer c.giveBack()
	first := c.docs.looked.IsZero()
	c.refresh(ctx)
	if _, _, err := c.fromDisk(ctx, at.Real); err != nil {
		return nil, nil, tool.Errorf("%s cannot be given to %s: %v", w.Short(at.Path), c.spec.Name, tool.Cause(err))
	}
	if first {
		bounded, cancel := context.WithTimeout(ctx, p.o.Bounds.Load)
		defer cancel()
		if c.settle(bounded, c.board.waitFrom()) {
			c.news.base(c.board.all(), nil)
		}
	}
	content, _, err := readDocument(ctx, at.Real)
	if err != nil {
		err = tool.Errorf("%s cannot be read: %v", w.Short(at.Path), tool.Cause(err))
	}
	return c, content, err
}

// noServer returns why a file has no server.
func (p *Pool) noServer(w *tool.Workspace, at tool.Place) error {
	if p.tops().of(at.Real) == "" {
		return tool.Errorf("%s is outside of the session's directories, where no language server runs. Use Grep and Read.", w.Short(at.Path))
	}
	if s, _, _ := p.serverFor(at.Real); s != nil {
		return tool.Errorf("%s does not run any more in this session. Use Grep and Read.", s.Name)
	}
	return tool.Errorf("No language server is installed for %s files. Use Grep and Read.", cut(filepath.Ext(at.Path), 20))
}

// position returns where the symbol of a question is. Errors are for the model.
func (q question) position(w *tool.Workspace, at tool.Place, content []byte) (position, error) {
	lines := linesOf(content)
	if q.Line > 0 {
		if q.Line > len(lines) {
			return position{}, tool.Errorf("%s has only %d lines.", w.Short(at.Path), len(lines))
		}
		line := lines[q.Line-1]
		if found := occurrences(line, q.Symbol); len(found) > 0 {
			return position{uint32(q.Line - 1), utf16At(line, nearestTo(line, found, q.Column))}, nil
		}
	}
	var has []string
	var remark *position // the first place, in a line that is a comment
	for i, line := range lines {
		found := occurrences(line, q.Symbol)
		if len(found) == 0 {
			continue
		}
		if q.Line <= 0 {
			here := position{uint32(i), utf16At(line, nearestTo(line, found, q.Column))}
			if !isRemark(line) {
				return here, nil
			}
			if remark == nil {
				remark = &here
			}
			continue
		}
		if has = append(has, fmt.Sprint(i+1)); len(has) == 10 {
			break
		}
	}
	if remark != nil {
		return *remark, nil
	}
	if len(has) == 0 {
		return position{}, tool.Errorf("%q does not occur in %s. Give the name exactly as the file has it.", cut(q.Symbol, 100), w.Short(at.Path))
	}
	return position{}, tool.Errorf("Line %d of %s does not contain %q; these lines do: %s. The line is: %s", q.Line, w.Short(at.Path),
		cut(q.Symbol, 100), strings.Join(has, ", "), cut(strings.TrimSpace(lines[q.Line-1]), 200))
}

// isRemark reports whether a line begins like a comment of a common language. Servers know no symbol there.
func isRemark(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"//", "#", "/*", "*", "--", "<!--", `"""`} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}
