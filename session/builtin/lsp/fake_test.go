package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"parley/internal/jsonrpc"
)

// fake is a language server for lines of words. A word that begins with "bad" is an error, "warn" a warning; "def NAME"
// defines a name. Its script says what is wrong with it.
type fake struct {
	script string
	conn   *jsonrpc.Conn
	root   string

	mu   sync.Mutex
	docs map[string]string // by path
}

// serve runs a fake on the standard streams until its input ends, and returns the exit code.
func serve(script string) int {
	switch script {
	case "dies":
		fmt.Fprintln(os.Stderr, "first line\nthe fake has no license")
		return 3
	case "half":
		_, _ = io.WriteString(os.Stdout, "Content-Length: 100\r\n\r\n{\"jsonrpc\"")
		return 0
	case "noise":
		_, _ = io.WriteString(os.Stdout, "Loading...\n\n")
	case "huge":
		_, _ = io.WriteString(os.Stdout, "Content-Length: 99999999999\r\n\r\n")
	}
	f := &fake{script: script, docs: map[string]string{}}
	started := make(chan struct{})
	f.conn = jsonrpc.New(os.Stdin, os.Stdout, jsonrpc.Options{
		Handle: func(ctx context.Context, method string, p json.RawMessage) (any, error) {
			<-started
			return f.handle(ctx, method, p)
		},
		Notified: func(method string, p json.RawMessage) { <-started; f.notified(method, p) }})
	close(started)
	<-f.conn.Done()
	return 0
}

func (f *fake) handle(ctx context.Context, method string, raw json.RawMessage) (any, error) {
	var p struct {
		RootPath     string     `json:"rootPath"`
		TextDocument documentID `json:"textDocument"`
		Position     position   `json:"position"`
		NewName      string     `json:"newName"`
		Query        string     `json:"query"`
	}
	_ = json.Unmarshal(raw, &p)
	path, _ := pathOf(p.TextDocument.URI)
	if f.script == "silent" || f.script == "mute" && method != "initialize" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	switch method {
	case "initialize":
		f.root = p.RootPath
		return map[string]any{"capabilities": map[string]any{"definitionProvider": true, "referencesProvider": map[string]any{}, "hoverProvider": true,
			"documentSymbolProvider": true, "workspaceSymbolProvider": true, "renameProvider": true}}, nil
	case "shutdown":
		return nil, nil
	case "textDocument/definition":
		return f.definition(path, p.Position), nil
	case "textDocument/references":
		return f.uses(f.word(path, p.Position)), nil
	case "textDocument/hover":
		return map[string]any{"contents": []any{"about " + f.word(path, p.Position), map[string]string{"language": "fk", "value": "def"}}}, nil
	case "textDocument/documentSymbol":
		return []symbol{{Name: "outer", Kind: 12, SelectionRange: &span{}, Children: []symbol{{Name: "in\nner", Kind: 99, Detail: "d", SelectionRange: &span{}}}}}, nil
	case "workspace/symbol":
		var out []symbol
		for _, l := range append(f.uses(p.Query), location{URI: "file:///usr/lib/other.fk"}) {
			out = append(out, symbol{Name: p.Query, Kind: 12, Location: &l, ContainerName: "box"})
		}
		return out, nil
	case "textDocument/rename":
		return f.rename(f.word(path, p.Position), p.NewName), nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no " + method}
}

func (f *fake) notified(method string, raw json.RawMessage) {
	var p struct {
		TextDocument struct {
			URI     string
			Text    string
			Version int
		} `json:"textDocument"`
		ContentChanges []struct{ Text string } `json:"contentChanges"`
		Changes        []fileEvent             `json:"changes"`
	}
	_ = json.Unmarshal(raw, &p)
	path, _ := pathOf(p.TextDocument.URI)
	switch method {
	case "exit":
		os.Exit(0)
	case "textDocument/didOpen":
		f.change(path, p.TextDocument.Text, p.TextDocument.Version)
	case "textDocument/didChange":
		f.change(path, p.ContentChanges[0].Text, p.TextDocument.Version)
	}
}

// change takes the content of a document and publishes what is wrong in it and, elsewhere, that "main" is not defined.
func (f *fake) change(path, text string, version int) {
	if f.script == "mute" {
		return
	}
	f.mu.Lock()
	f.docs[path] = text
	f.mu.Unlock()
	list := []map[string]any{}
	for n, line := range strings.Split(text, "\n") {
		for _, word := range strings.Fields(line) {
			at := position{uint32(n), utf16At(line, strings.Index(line, word))}
			for prefix, s := range map[string]int{"bad": 1, "warn": 2} {
				if strings.HasPrefix(word, prefix) {
					list = append(list, map[string]any{"range": span{at, at}, "severity": s, "message": word + "\nis wrong", "code": 7})
				}
			}
			if word == "die" {
				os.Exit(1)
			}
		}
	}
	if f.script == "hostile" {
		f.hostile(path)
	}
	f.publish(path, version, list)
	elsewhere := []map[string]any{}
	if strings.Contains(text, "breaks") {
		elsewhere = append(elsewhere, map[string]any{"message": "broken by another", "severity": 1})
	}
	f.publish(filepath.Join(f.root, "other.fk"), 0, elsewhere)
}

func (f *fake) publish(path string, version int, list []map[string]any) {
	p := map[string]any{"uri": uriOf(path), "diagnostics": list}
	if version > 0 {
		p["version"] = version
	}
	_ = f.conn.Notify("textDocument/publishDiagnostics", p)
}

// hostile floods the client, and reports what it answers to requests that would change something.
func (f *fake) hostile(path string) {
	for i := range maxFiles + 100 {
		f.publish(filepath.Join(f.root, fmt.Sprint("f", i, ".fk")), 0, []map[string]any{{"message": strings.Repeat("flood ", 100), "severity": 1,
			"range": map[string]any{"start": map[string]any{"line": 4000000000, "character": 4000000000}}}})
	}
	f.publish("/etc/passwd", 0, []map[string]any{{"message": "outside", "severity": 1}})
	_ = f.conn.Notify("textDocument/publishDiagnostics", map[string]any{"uri": 5, "diagnostics": "no"})
	_ = f.conn.Notify("$/progress", map[string]any{"token": 1, "value": "no"})
	go func() {
		var edit struct{ Applied bool }
		var show struct{ Success bool }
		errs := []error{
			f.conn.Call(context.Background(), "workspace/applyEdit", map[string]any{"edit": map[string]any{"changes": map[string]any{
				uriOf(path): []textEdit{{NewText: "pwned"}}}}}, &edit),
			f.conn.Call(context.Background(), "window/showDocument", map[string]any{"uri": "https://example.com", "external": true}, &show)}
		unknown := f.conn.Call(context.Background(), "workspace/executeEverything", nil, nil)
		_ = os.WriteFile(filepath.Join(f.root, "answers"), fmt.Appendf(nil, "%v %v %v %v", edit.Applied, show.Success, errs, unknown != nil), 0o600)
		f.publish(path, 0, []map[string]any{{"message": "badly asked", "severity": 1}})
	}()
}

func (f *fake) word(path string, at position) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	lines := strings.Split(f.docs[path], "\n")
	if int(at.Line) >= len(lines) {
		return ""
	}
	fields := strings.Fields(lines[at.Line][byteAt(lines[at.Line], at.Character):])
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// uses returns where a word stands in the files below the root.
func (f *fake) uses(word string) []location {
	var out []location
	paths, _ := filepath.Glob(filepath.Join(f.root, "*.fk"))
	for _, path := range paths {
		content, _ := os.ReadFile(path)
		for n, line := range strings.Split(string(content), "\n") {
			for _, at := range occurrences(line, word) {
				from := position{uint32(n), utf16At(line, at)}
				out = append(out, location{uriOf(path), span{from, position{from.Line, utf16At(line, at+len(word))}}})
			}
		}
	}
	return out
}

func (f *fake) definition(path string, at position) any {
	word := f.word(path, at)
	if f.script == "hostile" {
		far := span{Start: position{4_000_000_000, 4_000_000_000}}
		return []any{location{URI: "file:///etc/passwd"}, location{URI: "https://example.com/x.fk"}, location{URI: uriOf(path), Range: far},
			location{URI: uriOf(path), Range: span{Start: position{0, 4_000_000_000}}}, location{URI: uriOf(filepath.Join(f.root, "../outside.fk"))},
			location{URI: uriOf(filepath.Join(f.root, "link.fk"))}, location{}}
	}
	for _, l := range f.uses("def " + word) {
		l.Range.Start.Character += 4
		return map[string]any{"targetUri": l.URI, "targetRange": l.Range, "targetSelectionRange": l.Range}
	}
	return nil
}

func (f *fake) rename(word, to string) any {
	changes := map[string][]textEdit{}
	for _, l := range f.uses(word) {
		changes[l.URI] = append(changes[l.URI], textEdit{l.Range, to})
	}
	switch f.script {
	case "hostile":
		changes["file:///etc/passwd"] = []textEdit{{NewText: "pwned"}}
	case "overlap":
		for uri := range changes {
			changes[uri] = append(changes[uri], changes[uri]...)
		}
	case "moves":
		return map[string]any{"documentChanges": []any{map[string]any{"kind": "rename", "oldUri": uriOf(f.root + "/a.fk"), "newUri": uriOf(f.root + "/b.fk")}}}
	}
	return map[string]any{"changes": changes}
}
