package lsp

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestOccurrences(t *testing.T) {
	tests := []struct {
		line, name string
		want       []int
	}{
		{"foo(foo_bar, foo)", "foo", []int{0, 13}}, {"foobar", "foo", []int{0}}, {"x.foo = é_foo", "foo", []int{2}},
		{"👋 foo", "foo", []int{5}}, {"none", "foo", nil}, {"", "", nil}, {"a->b", "->", []int{1}}, {"$foo", "$foo", []int{0}}, {"aaa", "a", []int{0, 1, 2}},
	}
	for _, test := range tests {
		if got := occurrences(test.line, test.name); !slices.Equal(got, test.want) {
			t.Errorf("%q in %q: %v, want %v", test.name, test.line, got, test.want)
		}
	}
	if got := nearestTo("é foo, foo", []int{3, 8}, 8); got != 8 {
		t.Error(got)
	}
}

func TestApplyEdits(t *testing.T) {
	at := func(l1, c1, l2, c2 uint32, text string) textEdit {
		return textEdit{span{position{l1, c1}, position{l2, c2}}, text}
	}
	tests := map[string]struct {
		content string
		edits   []textEdit
		want    string
		err     error
	}{
		"none":          {"a\n", nil, "a\n", nil},
		"two, reversed": {"a b\nc\n", []textEdit{at(1, 0, 1, 1, "Z"), at(0, 2, 0, 3, "Y")}, "a Y\nZ\n", nil},
		"emoji":         {"👋 b\n", []textEdit{at(0, 3, 0, 4, "c")}, "👋 c\n", nil},
		"within emoji":  {"👋b\n", []textEdit{at(0, 1, 0, 2, "")}, "b\n", nil},
		"lines":         {"a\nb\nc\n", []textEdit{at(0, 1, 2, 0, "-")}, "a-c\n", nil},
		"whole":         {"a\nb", []textEdit{at(0, 0, 1, 1, "x")}, "x", nil},
		"at the end":    {"a\n", []textEdit{at(1, 0, 1, 0, "b\n")}, "a\nb\n", nil},
		"beyond a line": {"a\nb\n", []textEdit{at(0, 4_000_000_000, 0, 4_000_000_000, "x")}, "ax\nb\n", nil},
		"outside":       {"a\n", []textEdit{at(2, 0, 2, 0, "x")}, "", errOutside},
		"backwards":     {"abc", []textEdit{at(0, 2, 0, 1, "x")}, "", errOutside},
		"overlap":       {"abc", []textEdit{at(0, 0, 0, 2, "x"), at(0, 1, 0, 3, "y")}, "", errOverlap},
		"two inserts":   {"ab", []textEdit{at(0, 1, 0, 1, "x"), at(0, 1, 0, 1, "y")}, "axyb", nil},
		"carriage":      {"a\r\nb\r\n", []textEdit{at(1, 0, 1, 1, "c")}, "a\r\nc\r\n", nil},
	}
	for name, test := range tests {
		got, err := applyEdits([]byte(test.content), test.edits)
		if !errors.Is(err, test.err) || err == nil && string(got) != test.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func FuzzPositions(f *testing.F) {
	f.Add("a👋🏽é\xffb", 3, uint32(2))
	f.Add("", 0, uint32(9))
	f.Fuzz(func(t *testing.T, line string, at int, units uint32) {
		b := byteAt(line, units)
		if b < 0 || b > len(line) || columnAt(line, units) > utf8.RuneCountInString(line)+1 {
			t.Fatalf("byte %d of %d", b, len(line))
		}
		if valid := strings.ToValidUTF8(line, "?"); at >= 0 && at <= len(valid) && (at == len(valid) || utf8.RuneStart(valid[at])) {
			n := utf16At(valid, at)
			if want := len(utf16.Encode([]rune(valid[:at]))); int(n) != want {
				t.Fatalf("%d units, want %d", n, want)
			}
			if back := byteAt(valid, n); back != at {
				t.Fatalf("%d, want %d", back, at)
			}
		}
	})
}

func FuzzApplyEdits(f *testing.F) {
	f.Add([]byte("a\nb👋\n"), uint32(0), uint32(1), uint32(1), uint32(2), "x", uint32(1), uint32(3))
	f.Fuzz(func(t *testing.T, content []byte, l1, c1, l2, c2 uint32, text string, l3, c3 uint32) {
		got, err := applyEdits(content, []textEdit{{span{position{l1, c1}, position{l2, c2}}, text}, {span{position{l3, c3}, position{l3, c3}}, text}})
		if err == nil && len(got) > len(content)+2*len(text) {
			t.Fatalf("%d bytes of %d", len(got), len(content))
		}
	})
}

func TestPathsOfURIs(t *testing.T) {
	if runtime.GOOS == "windows" {
		if path, ok := pathOf("file:///c%3A/a%20b.go"); !ok || path != `c:\a b.go` {
			t.Error(path, ok)
		}
		return
	}
	for _, path := range []string{"/a/b.go", "/a b/é#?%.go", "/"} {
		if got, ok := pathOf(uriOf(path)); !ok || got != path {
			t.Errorf("%q: %q, %v", path, got, ok)
		}
	}
	for _, uri := range []string{"", "a.go", "file:a.go", "file://host/a", "https://x/a", "jdt://x", "file:///a%00b", "%zz", "untitled:1"} {
		if got, ok := pathOf(uri); ok {
			t.Errorf("%q is %q", uri, got)
		}
	}
	if got, ok := pathOf("file:///a/../../b"); !ok || got != "/b" {
		t.Error(got, ok)
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`[{"uri":"file:///a","range":{"start":{"line":1}}}]`))
	f.Add([]byte(`{"targetUri":"x"}`))
	f.Add([]byte(`[[["a"]],{"value":"b"},"c"]`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, _ := locationsOf(raw)
		sorted(list)
		hoverText(raw)
		for _, l := range list {
			pathOf(l.URI)
		}
	})
}
