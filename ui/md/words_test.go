package md

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// marked writes a line with its spans in brackets.
func marked(line string, list []extent) string {
	var b strings.Builder
	at := 0
	for _, s := range list {
		b.WriteString(line[at:s.from] + "[" + line[s.from:s.to] + "]")
		at = s.to
	}
	return b.String() + line[at:]
}

func TestChangedWords(t *testing.T) {
	for _, tt := range []struct {
		before, after, old, new string
		alike                   bool
	}{
		{"same", "same", "same", "same", true},
		{"a := get(x)", "a := put(x)", "a := [get](x)", "a := [put](x)", true},
		{"func run(ctx)", "func run(ctx, name)", "func run(ctx)", "func run(ctx[, name])", true},
		{"one two three four", "one 2 3 four", "one [two three] four", "one [2 3] four", true},
		{"\tif err != nil {", "\tif err == nil {", "\tif err [!]= nil {", "\tif err [=]= nil {", true},
		{"return a", "", "return a", "", false},
		{"alpha beta", "gamma delta", "alpha beta", "gamma delta", false},
		{"naïve café", "naïve thé", "naïve [café]", "naïve [thé]", true},
		{"漢字 alpha", "漢語 alpha", "[漢字] alpha", "[漢語] alpha", true},
		{strings.Repeat("a ", 500), strings.Repeat("b ", 500), strings.Repeat("a ", 500), strings.Repeat("b ", 500), false},
	} {
		old, new, alike := changedWords(tt.before, tt.after)
		if alike != tt.alike || marked(tt.before, old) != tt.old || marked(tt.after, new) != tt.new {
			t.Errorf("%q %q: %q, %q, %v", tt.before, tt.after, marked(tt.before, old), marked(tt.after, new), alike)
		}
	}
}

// FuzzChangedWords checks that what is left without the changed words is the same on both sides.
func FuzzChangedWords(f *testing.F) {
	f.Add("a := get(x)", "a := put(x, y)")
	f.Add("x  y", "x z y")
	f.Fuzz(func(t *testing.T, before, after string) {
		if !utf8.ValidString(before) || !utf8.ValidString(after) {
			return
		}
		old, new, alike := changedWords(before, after)
		if !alike {
			return
		}
		rest := func(line string, list []extent) string {
			var b strings.Builder
			at := 0
			for _, s := range list {
				if s.from < at || s.to <= s.from || s.to > len(line) {
					t.Fatalf("%q: %v", line, list)
				}
				b.WriteString(line[at:s.from])
				at = s.to
			}
			return strings.Join(strings.Fields(b.String()+line[at:]), "")
		}
		if a, b := rest(before, old), rest(after, new); a != b {
			t.Fatalf("%q and %q keep %q and %q", before, after, a, b)
		}
	})
}
