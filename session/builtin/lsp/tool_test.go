package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/builtin/tool/tooltest"
	"parley/session/permission"
)

func TestQuestions(t *testing.T) {
	b := newBench(t, "good", patient, map[string]string{"a.fk": "👋 def one\nuse one two\n", "b.fk": "one x one\n\nbad\n", "c.fk": "def two\n", "n.txt": ""})
	tests := []struct {
		in   tooltest.Obj
		ok   bool
		want string
	}{
		{tooltest.Obj{"operation": "definition", "file_path": "b.fk", "line": 1, "symbol": "one"}, true, "a.fk:1:7: 👋 def one\n"},
		{tooltest.Obj{"operation": "definition", "file_path": "a.fk", "symbol": "two"}, true, "c.fk:1:5: def two\n"},
		{tooltest.Obj{"operation": "definition", "file_path": "b.fk", "symbol": "bad"}, true, "No definitions found.\n"},
		{tooltest.Obj{"operation": "references", "file_path": "a.fk", "line": 2, "symbol": "one"}, true,
			"a.fk:1:7: 👋 def one\na.fk:2:5: use one two\nb.fk:1:1: one x one\nb.fk:1:7: one x one\n"},
		{tooltest.Obj{"operation": "hover", "file_path": "a.fk", "symbol": "one"}, true, "about one\n\ndef\n"},
		{tooltest.Obj{"operation": "symbols", "file_path": "a.fk"}, true, "1: function outer\n1:   symbol in ner d\n"},
		{tooltest.Obj{"operation": "workspace_symbols", "query": "two"}, true, "a.fk:2:9: function two (box)\nc.fk:1:5: function two (box)\n"},
		{tooltest.Obj{"operation": "diagnostics", "file_path": "b.fk"}, true, "b.fk:3:1: bad is wrong [7]\n"},
		{tooltest.Obj{"operation": "diagnostics", "file_path": "c.fk"}, true, "No errors or warnings.\n"},
		{tooltest.Obj{"operation": "diagnostics"}, true, "b.fk:3:1: bad is wrong [7]\n"},
		{tooltest.Obj{"operation": "implementation", "file_path": "a.fk", "symbol": "one"}, false, "fake cannot do implementation. Use Grep and Read."},
		{tooltest.Obj{"operation": "definition", "file_path": "b.fk", "line": 2, "symbol": "one"}, false,
			`Line 2 of b.fk does not contain "one"; these lines do: 1. The line is: `},
		{tooltest.Obj{"operation": "definition", "file_path": "b.fk", "line": 9, "symbol": "one"}, false, "b.fk has only 4 lines."},
		{tooltest.Obj{"operation": "definition", "file_path": "b.fk", "symbol": "three"}, false,
			`"three" does not occur in b.fk. Give the name exactly as the file has it.`},
		{tooltest.Obj{"operation": "symbols", "file_path": "no.fk"}, false, "no.fk does not exist. Find the file with Glob."},
		{tooltest.Obj{"operation": "symbols", "file_path": "."}, false, ". is a directory. Give the path of a file."},
		{tooltest.Obj{"operation": "symbols", "file_path": "n.txt"}, false, "No language server is installed for .txt files. Use Grep and Read."},
		{tooltest.Obj{"operation": "symbols"}, false, "symbols needs file_path."},
		{tooltest.Obj{"operation": "hover", "file_path": "a.fk"}, false, "hover needs symbol, the name as it stands on the line."},
		{tooltest.Obj{"operation": "workspace_symbols"}, false, "workspace_symbols needs query, a part of a symbol's name."},
		{tooltest.Obj{"operation": "fly"}, false, `There is no operation "fly". There are: definition, diagnostics, hover, implementation, references, symbols, workspace_symbols.`},
		{tooltest.Obj{"operation": "symbols", "file_path": "\x00"}, false, `"\x00" is not a path.`},
	}
	for _, test := range tests {
		got := b.ask(test.in)
		if (got.How == session.ToolOK) != test.ok || got.Result.Text != test.want {
			t.Errorf("%v: %s\n%s", test.in, got.How, got.Result.Text)
		}
	}
	outside := filepath.Join(t.TempDir(), "x.fk")
	if got := b.ask(tooltest.Obj{"operation": "symbols", "file_path": outside}).Result.Text; got != outside+" does not exist. Find the file with Glob." {
		t.Error(got)
	}
}

// A question is about what is on disk, also where another program has changed it.
func TestQuestionsSeeTheDisk(t *testing.T) {
	b := newBench(t, "good", patient, map[string]string{"a.fk": "def one\n", "b.fk": "one\n"})
	in := tooltest.Obj{"operation": "definition", "file_path": "b.fk", "symbol": "one"}
	b.expect("before", b.ask(in).Result.Text, "a.fk:1:5: def one\n")
	b.Write("a.fk", "\n\ndef one\n")
	b.Write("b.fk", "x one\n")
	b.p.Touched()
	b.expect("after", b.ask(in).Result.Text, "a.fk:3:5: def one\n")
	b.Write("b.fk", "bad one\n")
	b.expect("errors", b.ask(tooltest.Obj{"operation": "diagnostics"}).Result.Text, "b.fk:1:1: bad is wrong [7]\n")
}

// What rules hide is in no result: neither lines, nor names, nor what a hover says of it.
func TestHiddenFilesAreLeftOut(t *testing.T) {
	b := newBench(t, "good", patient, map[string]string{"a.fk": "one\nsecret\n", "hidden.fk": "def secret\nbad\n", "open.fk": "def one\n"})
	b.W.Hidden = func(context.Context) func(path, real string) permission.Ruling {
		return func(path, _ string) permission.Ruling {
			if filepath.Base(path) == "hidden.fk" {
				return permission.Deny
			}
			return permission.Allow
		}
	}
	got := b.ask(tooltest.Obj{"operation": "references", "file_path": "a.fk", "symbol": "secret"}).Result.Text
	b.expect("references", got, "a.fk:2:1: secret\n(left out 1 place in files that may not be read without asking)\n")
	got = b.ask(tooltest.Obj{"operation": "hover", "file_path": "a.fk", "symbol": "secret"}).Result.Text
	b.expect("hover", got, "The symbol is defined in a file that may not be read without asking.")
	got = b.ask(tooltest.Obj{"operation": "workspace_symbols", "query": "secret"}).Result.Text
	if strings.Contains(got, "hidden.fk") {
		t.Error(got)
	}
	n := b.edit("hidden.fk", "def secret\nbad\nbad2\n")
	if strings.Contains(n.Text, "bad") {
		t.Error(n.Text)
	}
}

func TestTheToolNeedsAServerForTheProject(t *testing.T) {
	b := newBench(t, "good", patient, map[string]string{"a.txt": "", "node_modules/m/a.fk": "", ".git/a.fk": "", "a/b/c/d/e/f/g.fk": ""})
	if tools := b.p.Tools(context.Background()); tools != nil {
		t.Errorf("%d tools", len(tools))
	}
	b.Write("src/a.fk", "")
	if tools := b.p.Tools(context.Background()); len(tools) == 0 {
		t.Error("no tools")
	}
}

func TestACancelledQuestion(t *testing.T) {
	brief := patient
	brief.Leave = time.Millisecond
	b := newBench(t, "mute", brief, map[string]string{"a.fk": "one\n"})
	ctx, cancel := context.WithCancel(context.Background())
	tools := b.p.Tools(ctx)
	go func() {
		for len(b.p.running()) == 0 {
			b.p.Touched() // the start is another goroutine's
		}
		cancel()
	}()
	got := b.RunRaw(ctx, tools[0], []byte(`{"operation":"hover","file_path":"a.fk","symbol":"one"}`))
	if got.How != session.ToolCancelled {
		t.Errorf("%+v", got)
	}
}

// Without a line, a symbol is the one of the code and not of the comment above it, unless only comments have it.
func TestSymbolBelowItsComment(t *testing.T) {
	b := tooltest.New(t, nil)
	content := []byte("// Hello greets.\n/* Hello */\nfunc Hello() {}\n# Bye\n")
	for symbol, want := range map[string]position{"Hello": {2, 5}, "Bye": {3, 2}} {
		if got, err := (question{Symbol: symbol}).position(b.W, tool.Place{Path: "a"}, content); err != nil || got != want {
			t.Errorf("%s: %+v, %v", symbol, got, err)
		}
	}
}
