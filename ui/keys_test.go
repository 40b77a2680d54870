package ui

import (
	"strings"
	"testing"
)

// TestKeyTable keeps the help honest: no key does two things at once, and everything has a name and is explained.
func TestKeyTable(t *testing.T) {
	seen, names := map[string]bool{}, map[string]bool{}
	km, err := newKeymap(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bindings {
		if b.name == "" || names[b.name] || b.help == "" || b.group == "" {
			t.Errorf("%q (%v) has no name of its own, or is not explained", b.name, b.keys)
		}
		names[b.name] = true
		if (b.edit == nil) == (b.act == actNone) {
			t.Errorf("%s does nothing, or two things", b.name)
		}
		for _, k := range b.keys {
			if name, err := keyName(k); k != "?" && (err != nil || name != k) {
				t.Errorf("%s: %s is read as %q, %v", b.name, k, name, err)
			}
			if b.empty { // otherwise the field's
				if got := km.acts[k]; got != (bound{b.act, b.name, true}) {
					t.Errorf("%s does %+v", k, got)
				}
				continue
			}
			if seen[k] {
				t.Errorf("%s is bound twice", k)
			}
			seen[k] = true
			if b.edit != nil && km.edits[k] == nil || b.edit == nil && km.acts[k].act != b.act {
				t.Errorf("%s does not do what the table says", k)
			}
		}
	}
	md := KeysMarkdown()
	for _, c := range commands {
		if !strings.Contains(md, "`"+c.usage()+"`") {
			t.Errorf("the documentation lacks %s", c.usage())
		}
	}
}

func TestUserKeys(t *testing.T) {
	km, err := newKeymap([]KeyBinding{{"Shift+Ctrl+K", "model", ""}})
	if err == nil || km.acts["ctrl+shift+k"].act != actNone {
		t.Errorf("an action that is not there: %v", err)
	}
	km, err = newKeymap([]KeyBinding{{"Shift+Ctrl+K", "/model", "f:1"}, {"ctrl+g", "palette", "f:2"}, {"ctrl+t", "none", "f:3"},
		{"ctrl+k", "editor", "f:4"}, {"ctrl+x", "newline", "f:5"}})
	if err != nil {
		t.Fatal(err)
	}
	if b := km.acts["ctrl+shift+k"]; b.act != actCommand || b.command != "model" {
		t.Errorf("a command: %+v", b)
	}
	if km.acts["ctrl+g"].act != actPalette || km.acts["ctrl+t"].act != actNone || km.acts["ctrl+k"].act != actEditor ||
		km.edits["ctrl+k"] != nil || km.edits["ctrl+x"] == nil || km.acts["ctrl+x"].act != actNone {
		t.Errorf("keys do not do what was asked for: %+v", km.acts)
	}
	if len(km.notes) != 2 || !strings.Contains(km.notes[1], "f:5: ctrl+x was the key of open, which has none now") {
		t.Errorf("what has no key left: %q", km.notes)
	}
	if km.key(actPalette) != "alt+x" || km.key(actEditor) != "ctrl+k" || km.key(actTasks) != "" {
		t.Errorf("hints name %q, %q, %q", km.key(actPalette), km.key(actEditor), km.key(actTasks))
	}
}

func TestWrongUserKeys(t *testing.T) {
	for _, tt := range []struct{ key, action, want string }{
		{"ctrl+c", "send", "cannot be bound"}, {"esc", "send", "cannot be bound"}, {"x", "send", "is written into the prompt"},
		{"shift+x", "send", "is written into the prompt"}, {"ctrl+i", "send", "as tab"}, {"cmd+k", "send", "cmd is none of"},
		{"ctrl+banana", "send", "is no key"}, {"", "send", "no key is named"}, {"f5", "sned", "there is no action \"sned\""},
		{"f5", "/nonsense", "no command /nonsense"},
	} {
		err := CheckKeys([]KeyBinding{{tt.key, tt.action, "c.yaml:7"}})
		if err == nil || !strings.HasPrefix(err.Error(), "c.yaml:7: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %s: %v, want %q", tt.key, tt.action, err, tt.want)
		}
	}
	err := CheckKeys([]KeyBinding{{"f5", "send", "c.yaml:7"}, {"F5", "editor", "c.yaml:9"}})
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
		name, args, ok := parseCommand(tt.text)
		if name != tt.name || args != tt.args || ok != tt.ok {
			t.Errorf("parseCommand(%q) = %q, %q, %v", tt.text, name, args, ok)
		}
	}
}
