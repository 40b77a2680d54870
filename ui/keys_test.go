package ui

import (
	"strings"
	"testing"
)

// TestKeyTable keeps the help honest: no key does two things, and every key it names does something.
func TestKeyTable(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range bindings {
		for _, k := range b.keys {
			if seen[k] {
				t.Errorf("%s is bound twice", k)
			}
			seen[k] = true
			if b.composer && composerKeys[k] == nil && k != "/" {
				t.Errorf("%s is said to be the composer's, which does not know it", k)
			}
			if !b.composer && chatKeys[k] != b.act {
				t.Errorf("%s does not do what the table says", k)
			}
		}
		if b.help == "" || b.group == "" {
			t.Errorf("%v is not explained", b.keys)
		}
	}
	md := KeysMarkdown()
	for _, c := range commands {
		if !strings.Contains(md, "`"+c.usage()+"`") {
			t.Errorf("the documentation lacks %s", c.usage())
		}
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
