package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestBindings(t *testing.T) {
	file := write(t, "ui:\n  keys: vim\n  bindings:\n    - key: ctrl+e\n      action: editor\n    - {key: f5, action: /model}\n")
	c, err := Load(Source{File: file})
	if err != nil {
		t.Fatal(err)
	}
	want := []Binding{{"ctrl+e", "editor", file + ":4"}, {"f5", "/model", file + ":6"}}
	if !reflect.DeepEqual(c.UI.Bindings, want) || c.UI.Keys != "vim" {
		t.Errorf("%+v", c.UI)
	}
	again, err := Load(Source{File: write(t, string(c.Show()))})
	if err != nil || len(again.UI.Bindings) != 2 || again.UI.Bindings[1].Action != "/model" {
		t.Errorf("what show prints: %v, %+v\n%s", err, again, c.Show())
	}
	c, err = Load(Source{File: file, Environ: []string{"PARLEY_UI_BINDINGS=f6=send" + listSeparator + "f7=none"}})
	want = []Binding{{"f6", "send", "PARLEY_UI_BINDINGS"}, {"f7", "none", "PARLEY_UI_BINDINGS"}}
	if err != nil || !reflect.DeepEqual(c.UI.Bindings, want) {
		t.Errorf("from the environment: %v, %+v", err, c.UI.Bindings)
	}
	if _, err = Load(Source{Environ: []string{"PARLEY_UI_BINDINGS=f6"}}); err == nil || !strings.Contains(err.Error(), "ctrl+e=editor") {
		t.Errorf("half a binding: %v", err)
	}
}

func TestMistakesInBindings(t *testing.T) {
	for _, tt := range []struct{ text, line, want string }{
		{"ui:\n  bindings: ctrl+e\n", ":2", "expected a list of objects"},
		{"ui:\n  bindings:\n    - ctrl+e\n", ":3", "expected an object"},
		{"ui:\n  bindings:\n    - key: f5\n", ":3", "both required"},
		{"ui:\n  bindings:\n    - key: f5\n      does: send\n", ":4", "unknown key \"does\""},
		{"ui:\n  bindings:\n    - key: [f5]\n      action: send\n", ":3", "expected a string, not a list"},
		{"ui:\n  bindings:\n    - key:\n      action: send\n", ":3", "expected a string, not nothing"},
	} {
		_, err := Load(Source{File: write(t, tt.text)})
		if err == nil || !strings.Contains(err.Error(), tt.line) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s and %q", tt.text, err, tt.line, tt.want)
		}
	}
}
