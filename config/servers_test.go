package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLanguageServers(t *testing.T) {
	file := write(t, "builtin:\n  lsp_servers:\n    - {name: rust-analyzer}\n    - {name: pyright, off: true}\n"+
		"    - name: mine\n      command: [mine, --stdio]\n      extensions: [.mine]\n      roots: [mine.toml]\n")
	c, err := Load(Source{File: file})
	if err != nil {
		t.Fatal(err)
	}
	want := []LanguageServer{{Name: "rust-analyzer"}, {Name: "pyright", Off: true},
		{Name: "mine", Command: []string{"mine", "--stdio"}, Extensions: []string{".mine"}, Roots: []string{"mine.toml"}}}
	if diff := cmp.Diff(want, c.Builtin.LSPServers); diff != "" || !c.Builtin.LSP {
		t.Error(diff)
	}
	again := write(t, string(c.Show()))
	if c, err := Load(Source{File: again}); err != nil || cmp.Diff(want, c.Builtin.LSPServers) != "" {
		t.Errorf("what is shown is not valid: %v", err)
	}
	c, err = Load(Source{File: file, Environ: []string{"PARLEY_BUILTIN_LSP_SERVERS=zls=on" + listSeparator + "gopls=off", "PARLEY_BUILTIN_LSP=off"}})
	if err != nil || cmp.Diff([]LanguageServer{{Name: "zls"}, {Name: "gopls", Off: true}}, c.Builtin.LSPServers) != "" || c.Builtin.LSP {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestWrongLanguageServers(t *testing.T) {
	for in, want := range map[string]string{
		"mine":                                 "expected a list of objects",
		"[mine]":                               "expected an object such as",
		"[{}]":                                 "name is required",
		"[{name: []}]":                         "name: expected a string, not a list",
		"[{name: a, name: b}]":                 "name is set twice",
		"[{name: a, of: true}]":                `unknown key "of"`,
		"[{name: a, off: 1}]":                  "off: expected true or false",
		"[{name: a, command: a b}]":            "command: expected a list of strings",
		"[{name: a, command: []}]":             "command: expected a list of strings",
		"[{name: a, command: [./a]}]":          "neither the name of a program on PATH nor an absolute path",
		"[{name: a, extensions: [go]}]":        `"go" is not a file extension such as .go`,
		"[{name: a, roots: [a/b]}]":            `"a/b" is not the name of a file`,
		"[{name: a, extensions: [.a, {}]}]":    "extensions: expected a list of strings",
		"[{name: a, roots: [\"\"]}, {off: 1}]": "is not the name of a file",
	} {
		_, err := Load(Source{File: write(t, "builtin:\n  lsp_servers: "+in+"\n")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", in, err)
		}
	}
	if _, err := Load(Source{File: write(t, ""), Environ: []string{"PARLEY_BUILTIN_LSP_SERVERS=gopls"}}); err == nil ||
		!strings.Contains(err.Error(), "such as rust-analyzer=on") {
		t.Error(err)
	}
}
