//go:build contract

package lsp

import (
	"context"
	"strings"
	"testing"

	"parley/session/builtin/lsp/lsptest"
	"parley/session/builtin/tool/tooltest"
)

const goMain = `package main

import "example.com/m/greet"

func main() {
	println("👋🏽", greet.Hello("x"), greet.Hello("y"))
}
`

const goGreet = `// Package greet greets.
package greet

// Hello greets someone.
func Hello(name string) string { return "hello " + name }

type Greeter interface{ Greet() string }

type Person struct{ name string }

func (p Person) Greet() string { return Hello(p.name) }
`

func TestContractGopls(t *testing.T) {
	p := newProject(t, lsptest.Gopls(t), map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "main.go": goMain, "greet/greet.go": goGreet})

	n := p.edit("greet/greet.go", strings.Replace(goGreet, "func Hello(name string)", "func Hello(name, how string)", 1))
	p.expect("the note", n.Text, "gopls reports 3 new errors", "greet/greet.go:11:", "main.go:6:", "not enough arguments")
	if n.Summary != "3 errors" {
		t.Errorf("%q", n.Summary)
	}
	n = p.edit("greet/greet.go", goGreet)
	p.expect("the note of the mend", n.Text, "3 earlier errors are gone")
	if n = p.edit("greet/greet.go", goGreet+"\n// More.\n"); n.Text != "" {
		t.Errorf("a harmless edit has a note: %s", n.Text)
	}

	p.expect("definition", p.ask(tooltest.Obj{"operation": "definition", "file_path": "main.go", "line": 6, "symbol": "Hello", "column": 39}),
		"greet/greet.go:5:6: func Hello(name string) string")
	p.expect("references", p.ask(tooltest.Obj{"operation": "references", "file_path": "greet/greet.go", "line": 5, "symbol": "Hello"}),
		"greet/greet.go:5:6:", "greet/greet.go:11:41:", "main.go:6:22:", "main.go:6:40:")
	p.expect("hover", p.ask(tooltest.Obj{"operation": "hover", "file_path": "main.go", "symbol": "Hello"}), "func greet.Hello(name string) string", "greets someone")
	p.expect("symbols", p.ask(tooltest.Obj{"operation": "symbols", "file_path": "greet/greet.go"}), "5: function Hello", "9: struct Person", "interface Greeter")
	p.expect("workspace symbols", p.ask(tooltest.Obj{"operation": "workspace_symbols", "query": "Greeter"}), "greet/greet.go:7:6: interface")
	p.expect("implementation", p.ask(tooltest.Obj{"operation": "implementation", "file_path": "greet/greet.go", "symbol": "Greeter"}), "greet/greet.go:9:6: type Person")
	p.expect("diagnostics", p.ask(tooltest.Obj{"operation": "diagnostics"}), "No errors or warnings.")

	before := p.Content("main.go")
	if got := p.Run(p.p.Tools(context.Background())[1], tooltest.Obj{"file_path": "main.go", "line": 6, "symbol": "Hello", "new_name": "Salute"}); len(got.Edits) != 2 {
		t.Errorf("%+v", got)
	}
	p.expect("the renamed uses", p.Content("main.go"), strings.ReplaceAll(before, "Hello", "Salute"))
	p.expect("the renamed declaration", p.Content("greet/greet.go"), "func Salute(name string)", "return Salute(p.name)")
	p.Run(p.p.Tools(context.Background())[1], tooltest.Obj{"file_path": "main.go", "line": 6, "symbol": "Salute", "new_name": "Hello"})
	p.expect("renamed back", p.Content("main.go"), before)

	p.kill()
	p.expect("definition after a crash", p.ask(tooltest.Obj{"operation": "definition", "file_path": "main.go", "line": 6, "symbol": "Hello"}), "greet/greet.go:5:6")

	// A command changes a file that is not open: a checkout.
	p.Write("greet/more.go", "package greet\n\nfunc More() int { return Less }\n")
	p.p.Touched()
	got := ""
	for range 20 { // nothing says when a busy machine has looked at a file that is not open
		if got = p.ask(tooltest.Obj{"operation": "diagnostics"}); strings.Contains(got, "more.go") {
			break
		}
	}
	p.expect("diagnostics after a command", got, "greet/more.go:3:26: undefined: Less")
}
