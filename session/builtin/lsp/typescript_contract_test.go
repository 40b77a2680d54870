//go:build contract

package lsp

import (
	"context"
	"testing"

	"parley/session/builtin/lsp/lsptest"
	"parley/session/builtin/tool/tooltest"
)

func TestContractTypeScript(t *testing.T) {
	greet := "export function hello(name: string): string {\n  return 'hello ' + name\n}\n"
	use := "import { hello } from './greet'\n\nconst s = '👩‍🚀'; export const said: string = hello(s)\n"
	p := newProject(t, lsptest.TypeScript(t), map[string]string{"tsconfig.json": `{"compilerOptions":{"strict":true,"lib":["es5"],"types":[],"module":"commonjs"}}`,
		"src/greet.ts": greet, "src/use.ts": use})

	n := p.edit("src/use.ts", "import { hello } from './greet'\n\nconst s = '👩‍🚀'; export const said: number = hello(s)\n")
	p.expect("the note", n.Text, "typescript-language-server reports 1 new error", "src/use.ts:3:31: Type 'string' is not assignable to type 'number'. [2322]")
	n = p.edit("src/use.ts", use)
	p.expect("the note of the mend", n.Text, "1 earlier error is gone")
	if n = p.edit("src/use.ts", use+"\nexport const more = said\n"); n.Text != "" {
		t.Errorf("a harmless edit has a note: %s", n.Text)
	}
	p.expect("definition", p.ask(tooltest.Obj{"operation": "definition", "file_path": "src/use.ts", "line": 3, "symbol": "hello"}),
		"src/greet.ts:1:17: export function hello(name: string)")
	p.expect("references", p.ask(tooltest.Obj{"operation": "references", "file_path": "src/greet.ts", "symbol": "hello"}),
		"src/greet.ts:1:17:", "src/use.ts:1:10:", "src/use.ts:3:46:")
	p.expect("hover", p.ask(tooltest.Obj{"operation": "hover", "file_path": "src/use.ts", "line": 3, "symbol": "hello"}), "hello(name: string): string")
	p.expect("symbols", p.ask(tooltest.Obj{"operation": "symbols", "file_path": "src/greet.ts"}), "1: function hello")
	p.expect("workspace symbols", p.ask(tooltest.Obj{"operation": "workspace_symbols", "query": "hello"}), "src/greet.ts:1:")
	p.Run(p.p.Tools(context.Background())[1], tooltest.Obj{"file_path": "src/use.ts", "line": 3, "symbol": "hello", "new_name": "hallo"})
	p.expect("the renamed uses", p.Content("src/use.ts"), "import { hallo }", "const s = '👩‍🚀'; export const said: string = hallo(s)")
	p.expect("the renamed declaration", p.Content("src/greet.ts"), "export function hallo(name")
	p.Run(p.p.Tools(context.Background())[1], tooltest.Obj{"file_path": "src/use.ts", "line": 3, "symbol": "hallo", "new_name": "hello"})
	p.kill()
	p.expect("definition after a crash", p.ask(tooltest.Obj{"operation": "definition", "file_path": "src/use.ts", "line": 3, "symbol": "hello"}), "src/greet.ts:1:17")
}
