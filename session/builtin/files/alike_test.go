package files

import (
	"strings"
	"testing"
)

// A text that is not there word for word is found where it can mean one place only, and what it shares with the new one stays.
func TestReplaceAlike(t *testing.T) {
	const tabs = "func f() {\n\tif x {\n\t\ty()\n\t}\n}\n"
	for name, tc := range map[string]struct{ content, old, new, want string }{
		"quotes":       {"say “hello” — now\n", `say "hello" - now`, `say "bye" - now`, "say “bye” — now\n"},
		"a blank":      {"a\u00a0b c\n", "a b c", "a b d", "a\u00a0b d\n"},
		"two places":   {"‘a’ ‘a’\n", "'a'", "'b'", ""},
		"less deep":    {tabs, "if x {\n\ty()\n}", "if z {\n\ty()\n\tw()\n}", "func f() {\n\tif z {\n\t\ty()\n\t\tw()\n\t}\n}\n"},
		"blanks":       {tabs, "    if x {\n        y()\n    }\n", "    if x {\n        y()\n        if q {\n            z()\n        }\n    }\n", "func f() {\n\tif x {\n\t\ty()\n\t\tif q {\n\t\t\tz()\n\t\t}\n\t}\n}\n"},
		"too deep":     {"a:\n  b: 1\n  c: 2\n", "      b: 1\n      c: 2", "      b: 1\n    d: 3\n      c: 2", "a:\n  b: 1\nd: 3\n  c: 2\n"},
		"contradicts":  {"  a\n    b\n", " a\n b", " a\n c", ""},
		"twice":        {"  a()\n\n    a()\n", "\ta()", "\tb()", ""},
		"at its end":   {"foo   \nbar\n", "foo\nbar\n", "foo\nbaz\n", "foo\nbaz\n"},
		"removed":      {"x\n\tgone()\ny\n", "  gone()\n", "", "x\ny\n"},
		"no line end":  {"x\n\tlast()", "  last()", "  other()", "x\n\tother()"},
		"carriage":     {"x\r\n\tone()\r\n\ttwo()\r\n", "  one()\n  two()", "  one()\n  three()", "x\r\n\tone()\r\n\tthree()\r\n"},
		"empty line":   {"\ta\n\n\tb\n", "a\n\nb", "a\n\nc", "\ta\n\n\tc\n"},
		"only blanks":  {"a\n\n\nb\n", "  ", "c", ""},
		"not the same": {"\tfoo(1)\n", "foo(2)", "foo(3)", ""},
		"not UTF-8":    {"\xff “a”\n", `"a"`, `"b"`, ""},
	} {
		got, err := replace(tc.content, tc.old, tc.new, false)
		if (err == nil) != (tc.want != "") || err == nil && got != tc.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if strings.Contains(tc.content, tc.old) {
			t.Errorf("%s: it is there word for word", name)
		}
	}
}

// What cannot be seen is shown.
func TestWhiteSpaceIsShown(t *testing.T) {
	for content, want := range map[string]string{
		"a  b\nx\na  b\n": "Line 1 is\na··b\nwhere old_string has\na·b\n",
		"a\tb\n":          "a→b", "a\u2028b\nc\n": "aU+2028b",
	} {
		_, err := replace(content, "a b", "c", false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// Whatever is replaced, no other line of the file changes.
func FuzzReplaceAlike(f *testing.F) {
	f.Add("a\n\tb\n\t\tc\n", "  b\n    c", "  b\n    d")
	f.Add("“a”\n", `"a"`, "b")
	f.Fuzz(func(t *testing.T, content, old, new string) {
		if old == "" || strings.Contains(old, "\r") || strings.Contains(content, old) {
			return // not for this
		}
		after, ok := replaceAlike(content, old, new)
		if !ok {
			return
		}
		n := strings.Count(old, "\n") + 1
		lines, now := strings.Split(content, "\n"), strings.Split(after, "\n")
		front := 0
		for front < min(len(lines), len(now)) && lines[front] == now[front] {
			front++
		}
		back := 0
		for back < min(len(lines), len(now))-front && lines[len(lines)-1-back] == now[len(now)-1-back] {
			back++
		}
		if len(lines)-front-back > n {
			t.Errorf("%q of %d lines changed %d in %q: %q", old, n, len(lines)-front-back, content, after)
		}
	})
}
