package keymap

import (
	"slices"
	"strings"
	"testing"
)

// TestKeyTable keeps the help honest: no key does two things at once, and everything has a name and is explained.
func TestKeyTable(t *testing.T) {
	seen, names := map[string]bool{}, map[string]bool{}
	km, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bindings {
		if b.Name == "" || names[b.Name] || b.Help == "" || b.Group == "" {
			t.Errorf("%q (%v) has no name of its own, or is not explained", b.Name, b.Keys)
		}
		names[b.Name] = true
		if (b.edit == nil) == (b.Act == None) {
			t.Errorf("%s does nothing, or two things", b.Name)
		}
		for _, k := range b.Keys {
			if name, err := keyName(k); k != "?" && (err != nil || name != k) {
				t.Errorf("%s: %s is read as %q, %v", b.Name, k, name, err)
			}
			if b.Empty { // otherwise the field's
				if got := km.Acts[k]; got.Act != b.Act || !got.Empty || !strings.Contains(b.Name, got.Command) {
					t.Errorf("%s does %+v", k, got)
				}
				continue
			}
			if seen[k] {
				t.Errorf("%s is bound twice", k)
			}
			seen[k] = true
			if b.edit != nil && km.Edits[k] == nil || b.edit == nil && km.Acts[k].Act != b.Act {
				t.Errorf("%s does not do what the table says", k)
			}
		}
	}
	md := Markdown()
	for _, c := range Commands {
		if !strings.Contains(md, "`"+c.Usage()+"`") {
			t.Errorf("the documentation lacks %s", c.Usage())
		}
	}
}

func TestUserKeys(t *testing.T) {
	km, err := New([]UserBinding{{"Shift+Ctrl+K", "model", ""}})
	if err == nil || km.Acts["ctrl+shift+k"].Act != None {
		t.Errorf("an action that is not there: %v", err)
	}
	km, err = New([]UserBinding{{"Shift+Ctrl+K", "/model", "f:1"}, {"ctrl+g", "palette", "f:2"}, {"ctrl+t", "none", "f:3"},
		{"ctrl+k", "editor", "f:4"}, {"ctrl+x", "newline", "f:5"}})
	if err != nil {
		t.Fatal(err)
	}
	if b := km.Acts["ctrl+shift+k"]; b.Act != RunCommand || b.Command != "model" {
		t.Errorf("a command: %+v", b)
	}
	if km.Acts["ctrl+g"].Command != "palette" || km.Acts["ctrl+t"].Act != None || km.Acts["ctrl+k"].Act != Editor ||
		km.Edits["ctrl+k"] != nil || km.Edits["ctrl+x"] == nil || km.Acts["ctrl+x"].Act != None {
		t.Errorf("keys do not do what was asked for: %+v", km.Acts)
	}
	if len(km.Notes) != 2 || !strings.Contains(km.Notes[1], "f:5: ctrl+x was the key of open, which has none now") {
		t.Errorf("what has no key left: %q", km.Notes)
	}
	if km.KeyOf("palette") != "alt+x" || km.Key(Editor) != "ctrl+k" || km.Key(Tasks) != "" {
		t.Errorf("hints name %q, %q, %q", km.KeyOf("palette"), km.Key(Editor), km.Key(Tasks))
	}
}

// Rows that were renamed can still be bound by their old names.
func TestOldNames(t *testing.T) {
	for old, want := range map[string]Bound{"jobs": {RunCommand, "background", false}, "background": {Background, "to-background", false},
		"browse": {RunCommand, "browse", false}, "changes": {RunCommand, "changes", false}, "palette": {RunCommand, "palette", false},
		"palette-empty": {RunCommand, "palette", false}, "help": {RunCommand, "help", false}, "help-empty": {RunCommand, "help", false},
		"/changes": {RunCommand, "changes", false}} {
		km, err := New([]UserBinding{{"f9", old, ""}})
		if err != nil || km.Acts["f9"] != want {
			t.Errorf("%s: %+v, %v", old, km.Acts["f9"], err)
		}
		listed := 0
		for _, b := range km.Rows {
			if slices.Contains(b.Keys, "f9") {
				listed++
			}
		}
		if listed != 1 {
			t.Errorf("%s: %d rows have the key", old, listed)
		}
	}
}

func TestWrongUserKeys(t *testing.T) {
	for _, tt := range []struct{ key, action, want string }{
		{"ctrl+c", "send", "cannot be bound"}, {"esc", "send", "cannot be bound"}, {"x", "send", "is written into the prompt"},
		{"shift+x", "send", "is written into the prompt"}, {"ctrl+i", "send", "as tab"}, {"cmd+k", "send", "unknown modifier cmd"},
		{"ctrl+banana", "send", "is not a key"}, {"", "send", "no key is named"}, {"f5", "sned", "there is no action \"sned\""},
		{"f5", "/nonsense", "no command /nonsense"},
	} {
		err := Check([]UserBinding{{tt.key, tt.action, "c.yaml:7"}})
		if err == nil || !strings.HasPrefix(err.Error(), "c.yaml:7: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %s: %v, want %q", tt.key, tt.action, err, tt.want)
		}
	}
	err := Check([]UserBinding{{"f5", "send", "c.yaml:7"}, {"F5", "editor", "c.yaml:9"}})
	if err == nil || !strings.Contains(err.Error(), "c.yaml:9: f5 is bound twice: to send (c.yaml:7) and to editor") {
		t.Errorf("a key bound twice: %v", err)
	}
}

func TestParseCommand(t *testing.T) {
	for _, tt := range []struct {
		text, name, args string
		ok               bool
	}{
		{"/help", "help", "", true},
		{"  /export  a b.md ", "export", "a b.md", true},
		{"/", "", "", true},
		{"//help", "", "", false},
		{"/etc/hosts is a file", "", "", false},
		{"help", "", "", false},
		{"/help\nme", "", "", false},
	} {
		name, args, ok := ParseCommand(tt.text)
		if name != tt.name || args != tt.args || ok != tt.ok {
			t.Errorf("parseCommand(%q) = %q, %q, %v", tt.text, name, args, ok)
		}
	}
}
