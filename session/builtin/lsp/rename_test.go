package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/builtin/tool/tooltest"
	"parley/session/permission"
)

func (b *bench) rename(in tooltest.Obj) tool.Outcome {
	b.t.Helper()
	return b.Run(b.p.Tools(context.Background())[1], in)
}

var renameFiles = map[string]string{"a.fk": "👋 def one 👋 one\n", "b.fk": "one\r\none\r\n", "c.fk": "two\n"}

func TestRename(t *testing.T) {
	b := newBench(t, "good", patient, renameFiles)
	in := []byte(`{"file_path":"b.fk","line":1,"symbol":"one","new_name":"zwei"}`)
	j, err := b.p.Tools(context.Background())[1].Prepare(b.W, in)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Look(context.Background()); err != nil {
		t.Fatal(err)
	}
	// The user sees every change before it is made.
	if len(j.More) != 1 || j.More[0].Path != filepath.Join(b.W.Dir, "a.fk") || j.Ask.Edit == nil || len(j.Ask.More) != 1 ||
		!strings.Contains(j.Ask.More[0].Patch, "+👋 def zwei 👋 zwei") {
		t.Errorf("%+v", j)
	}
	out := j.Run(context.Background(), "c", func(string) {})
	if out.How != session.ToolOK || len(out.Edits) != 2 {
		t.Errorf("%+v", out)
	}
	b.expect("a", b.Content("a.fk"), "👋 def zwei 👋 zwei\n")
	b.expect("b", b.Content("b.fk"), "zwei\r\nzwei\r\n")
	b.expect("c", b.Content("c.fk"), "two\n")
}

// All files change or none does.
func TestARenameThatCannotBeMadeChangesNothing(t *testing.T) {
	tests := map[string]struct {
		script string
		in     tooltest.Obj
		want   string
	}{
		"outside": {"hostile", tooltest.Obj{"file_path": "b.fk", "symbol": "one", "new_name": "x"}, "outside of the session's directories. Nothing was changed."},
		"overlap": {"overlap", tooltest.Obj{"file_path": "b.fk", "symbol": "one", "new_name": "x"}, "changes overlap. Nothing was changed."},
		"moves":   {"moves", tooltest.Obj{"file_path": "b.fk", "symbol": "one", "new_name": "x"}, "would rename files for this name."},
		"hidden":  {"good", tooltest.Obj{"file_path": "b.fk", "symbol": "one", "new_name": "x"}, "a file that a rule of the user hides"},
		"no name": {"good", tooltest.Obj{"file_path": "b.fk", "symbol": "one", "new_name": "x\ny"}, "is not a name."},
		"same":    {"good", tooltest.Obj{"file_path": "b.fk", "symbol": "one", "new_name": "one"}, "nothing to rename."},
		"missing": {"good", tooltest.Obj{"file_path": "b.fk", "symbol": "six", "new_name": "x"}, `"six" does not occur in b.fk.`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, test.script, patient, renameFiles)
			if name == "hidden" {
				b.W.Hidden = func(context.Context) func(path, real string) permission.Ruling {
					return func(path, _ string) permission.Ruling {
						if filepath.Base(path) == "a.fk" {
							return permission.Deny
						}
						return permission.Allow
					}
				}
			}
			if got := b.rename(test.in); got.How != session.ToolFailed || !strings.Contains(got.Result.Text, test.want) {
				t.Errorf("%s: %s", got.How, got.Result.Text)
			}
			for file, want := range renameFiles {
				b.expect(file, b.Content(file), want)
			}
		})
	}
}
