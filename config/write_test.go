package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// writer returns a writer of a file with a text.
func writer(t *testing.T, text string) Writer {
	t.Helper()
	return Writer{File: write(t, text), Lock: filepath.Join(t.TempDir(), "state", "config.lock")}
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A change touches the key and nothing else: comments, order, indentation, quotes and line endings stay.
func TestSetChangesOneKey(t *testing.T) {
	for name, c := range map[string]struct{ before, key, value, after string }{
		"replaced":              {"# mine\nmodel: a # why\ntheme: dark\n", "model", "claude-opus-4.6", "# mine\nmodel: claude-opus-4.6 # why\ntheme: dark\n"},
		"added at the end":      {"# mine\nmodel: a\n\n# end\n", "theme", "dark", "# mine\nmodel: a\n\n# end\ntheme: dark\n"},
		"empty file":            {"", "theme", "dark", "theme: dark\n"},
		"only comments":         {"# nothing yet\n", "ui.keys", "vim", "# nothing yet\nui:\n  keys: vim\n"},
		"no last line ending":   {"model: a", "theme", "dark", "model: a\ntheme: dark\n"},
		"crlf":                  {"model: a\r\ntheme: x # y\r\n", "theme", "dark", "model: a\r\ntheme: dark # y\r\n"},
		"crlf, added":           {"model: a\r\n", "ui.keys", "vim", "model: a\r\nui:\r\n  keys: vim\r\n"},
		"new section":           {"model: a\n", "ui.mouse", "false", "model: a\nui:\n  mouse: false\n"},
		"in a section":          {"ui:\n    # bell\n    notify: bell # loud\n\n# next\nmodel: a\n", "ui.keys", "vim", "ui:\n    # bell\n    notify: bell # loud\n    keys: vim\n\n# next\nmodel: a\n"},
		"behind a list":         {"ui:\n  bindings:\n    - key: ctrl+e\n      action: editor\nmodel: a\n", "ui.keys", "vim", "ui:\n  keys: vim\n  bindings:\n    - key: ctrl+e\n      action: editor\nmodel: a\n"},
		"in an empty section":   {"ui: # later\nmodel: a\n", "ui.keys", "vim", "ui: # later\n  keys: vim\nmodel: a\n"},
		"double quotes stay":    {"model: \"a \\\" b\" # why\n", "model", "c", "model: \"c\" # why\n"},
		"single quotes stay":    {"'model'  :  'it''s'  # why\n", "model", "don't", "'model'  :  'don''t'  # why\n"},
		"quotes where needed":   {"model: a\n", "model", "true", "model: \"true\"\n"},
		"number as a string":    {"model: a\n", "model", "1.50", "model: \"1.50\"\n"},
		"hash in a value":       {"model: a#b # c\n", "model", "x #y", "model: \"x #y\" # c\n"},
		"text of other letters": {"model: ä # ö\n", "model", "日本", "model: \"日本\" # ö\n"},
		"tab behind the colon":  {"model:\ta\t# c\n", "model", "b", "model:\tb\t# c\n"},
		"marks of a document":   {"%YAML 1.1\n---\nmodel: a\n", "model", "b", "%YAML 1.1\n---\nmodel: b\n"},
		"byte order mark":       {"\uFEFFmodel: a\ntheme: dark\n", "model", "b", "\uFEFFmodel: b\ntheme: dark\n"},
		"indented":              {"  model: a\n", "theme", "dark", "  model: a\n  theme: dark\n"},
		"a list on one line":    {"add_dirs: [a, 'b]', \"c\\\"]\"] # d\n", "add_dirs", "x", "add_dirs: [\"x\"] # d\n"},
		"duration":              {"ui: \n  notify_after: 5s\n", "ui.notify_after", "1m30s", "ui: \n  notify_after: 1m30s\n"},
		"same value":            {"model: 'a'\n", "model", "a", "model: 'a'\n"},
		"removed":               {"# mine\nmodel: a # why\ntheme: dark\n", "model", "", "# mine\ntheme: dark\n"},
		"removed from section":  {"ui:\n  keys: vim\n  # c\nmodel: a", "ui.keys", "", "ui:\n  # c\nmodel: a"},
		"removed at the end":    {"model: a\ntheme: dark", "theme", "", "model: a\n"},
		"nothing to remove":     {"ui:\n", "ui.keys", "", "ui:\n"},
		"block text before":     {"model: |-\n  a\n\n  b\ntheme: x\n", "theme", "dark", "model: |-\n  a\n\n  b\ntheme: dark\n"},
	} {
		w := writer(t, c.before)
		if err := w.Set(c.key, c.value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := content(t, w.File); got != c.after {
			t.Errorf("%s: got\n%q, want\n%q", name, got, c.after)
		}
	}
}

// What cannot be changed for certain is refused with its line, and so is a file with a mistake. The file stays as it is.
func TestSetRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, key, value, want string }{
		"flow mapping":      {"{model: a}\n", "theme", "dark", ":1: theme: it is written in a way"},
		"flow section":      {"model: a\nui: {keys: vim}\n", "ui.keys", "emacs", ":2: ui.keys: it is written in a way"},
		"anchor":            {"model: &m a\n", "model", "b", ":1: model: it is written"},
		"alias":             {"model: &m a\neffort: *m\n", "effort", "b", ":2: effort: expected a string"},
		"tag":               {"model: !!str a\n", "model", "b", ":1: model: it is written"},
		"block text":        {"theme: dark\nmodel: |\n  a\n", "model", "b", ":2: model: it is written"},
		"several lines":     {"model: a\n  b\n", "model", "b", ":1: model: it is written"},
		"quotes on lines":   {"model: \"a\n  b\"\n", "model", "", ":1: model: it is written"},
		"value below":       {"model:\n  a\n", "model", "b", ":2: model: it is written"},
		"block list":        {"add_dirs:\n  - a\n", "add_dirs", "b", ":2: add_dirs: it is written"},
		"documents":         {"model: a\n---\nmodel: b\n", "model", "c", ":2: model: the file has several documents"},
		"end of a document": {"model: a\n...\n", "theme", "dark", "it is written in a way"},
		"kept line ending":  {"model: |\n  a", "theme", "dark", "it is written in a way"},
		"question mark":     {"? model\n: a\n", "model", "b", ":2: model: it is written"},
		"broken":            {"model: a\ntheme: [\n", "model", "b", "config.yaml: line 2"},
		"tab":               {"ui:\n\tkeys: vim\n", "model", "b", "config.yaml: line 2"},
		"unknown key":       {"model: a\nmoddel: b\n", "model", "b", ":2: moddel: unknown key"},
		"twice":             {"model: a\nmodel: b\n", "model", "c", ":2: model: already set on line 1"},
		"a list":            {"- a\n", "model", "c", ":1: expected keys"},
		"latin 1":           {"# \xe4\nmodel: a\n", "model", "b", "config.yaml"},
		"utf-16":            {"\xff\xfem\x00o\x00d\x00e\x00l\x00:\x00 \x00a\x00\n\x00", "model", "b", "not UTF-8"},
		"no such key":       {"model: a\n", "nothing", "b", "nothing: unknown key"},
		"no such value":     {"model: a\n", "screen", "wide", `screen: "wide" is not one of alt, inline, plain`},
		"objects":           {"", "ui.bindings", "ctrl+e=editor", "edit the file"},
		"old line ends":     {"model: a\rtheme: b\r", "theme", "dark", "it is written in a way"},
	} {
		w := writer(t, c.text)
		err := w.Set(c.key, c.value)
		var own *Error
		if err == nil || !errors.As(err, &own) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if got := content(t, w.File); got != c.text {
			t.Errorf("%s: the file became %q", name, got)
		}
	}
}

// A missing file is made with its directory for the user alone, a link stays a link, and permissions stay.
func TestSetKeepsTheFileWhereItIs(t *testing.T) {
	w := Writer{File: filepath.Join(t.TempDir(), "a", "b", "config.yaml"), Lock: filepath.Join(t.TempDir(), "lock")}
	if err := w.Set("ui.keys", "vim"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(w.File); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the new file: %v %v", info, err)
	}
	real := write(t, "model: a\n")
	if err := os.Chmod(real, 0o644); err != nil {
		t.Fatal(err)
	}
	w.File = filepath.Join(t.TempDir(), "config.yaml")
	if err := os.Symlink(real, w.File); err != nil {
		t.Fatal(err)
	}
	if err := w.Set("model", "b"); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(w.File); to != real {
		t.Errorf("the link: %q %v", to, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o644 || content(t, real) != "model: b\n" {
		t.Errorf("what the link leads to: %v %v %q", info, err, content(t, real))
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if err := w.Set("model", "c"); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a link to nothing: %v", err)
	}
}

// What the user may not write stays as it is, with a reason.
func TestSetRespectsPermissions(t *testing.T) {
	w := writer(t, "model: a\n")
	if err := os.Chmod(w.File, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := w.Set("model", "b"); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a read-only file: %v", err)
	}
	w.File = t.TempDir()
	if err := w.Set("model", "b"); err == nil || !strings.Contains(err.Error(), "it is not a file") {
		t.Errorf("a directory: %v", err)
	}
	w.File = filepath.Join(write(t, ""), "config.yaml")
	if err := w.Set("model", "b"); err == nil {
		t.Error("a file was made below a file")
	}
}

// Several writers lose nothing of each other.
func TestSettersTakeTurns(t *testing.T) {
	w := writer(t, "# mine\n")
	keys := []string{"model", "effort", "theme", "editor", "ui.keys", "ui.mouse", "ui.title", "cloud.list"}
	values := []string{"m", "high", "dark", "vi", "vim", "false", "false", "false"}
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			if err := w.Set(keys[i], values[i]); err != nil {
				t.Errorf("%s: %v", keys[i], err)
			}
		})
	}
	all.Wait()
	c, err := Load(Source{File: w.File})
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		for _, v := range c.Values {
			if v.Key.Name == key && fmt.Sprint(v.Value) != values[i] {
				t.Errorf("%s is %v", key, v.Value)
			}
		}
	}
	left, _ := os.ReadDir(filepath.Dir(w.File))
	if len(left) != 1 {
		t.Errorf("files were left: %v", left)
	}
}

// Whatever the file and the value are, a change is refused or changes its key alone: all lines but one are the same bytes.
func FuzzSet(f *testing.F) {
	f.Add("# c\nmodel: a # b\nui:\n  keys: vim\n\n  mouse: true\n", "theme", "dark")
	f.Add("ui:\r\n    notify: 'be''ll' #\r\n", "ui.keys", "vim")
	f.Add("model: \"a\\\"b\"\nadd_dirs: [a, \"]\"]", "model", "x: y #z")
	f.Add("\uFEFFmodel: é\ntheme: |\n  a\n", "model", "")
	f.Add("ui: &a\n  keys: vim\n---\n", "ui.keys", "emacs")
	f.Fuzz(func(t *testing.T, text, name, value string) {
		key, ok := keyByName(name)
		if !ok {
			return
		}
		e := edit{name: "f", key: key, remove: value == ""}
		var err error
		if e.value, err = key.parse(value); err != nil || key.Type == Bindings || key.Type == Servers {
			return
		}
		next, err := e.apply([]byte(text))
		if err != nil {
			return
		}
		before, _ := checkFile("f", []byte(text))
		after, err := checkFile("f", next)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, next, err)
		}
		was, is := meaning(before), meaning(after)
		got, set := is[name]
		if set == e.remove || set && !reflect.DeepEqual(got, e.value) {
			t.Fatalf("%q became %q: %s is %v", text, next, name, got)
		}
		delete(was, name)
		delete(is, name)
		if !reflect.DeepEqual(was, is) {
			t.Fatalf("%q became %q: %v became %v", text, next, was, is)
		}
		a, b := bytes.SplitAfter([]byte(text), []byte("\n")), bytes.SplitAfter(next, []byte("\n"))
		for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
			a, b = a[1:], b[1:]
		}
		for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
			a, b = a[:len(a)-1], b[:len(b)-1]
		}
		if len(a) > 1 || len(b) > 3 { // a last line without an end, a section and its key
			t.Fatalf("%q became %q: more than a line changed", text, next)
		}
	})
}
