package index

import (
	"strings"
	"testing"
	"unicode"
)

func TestVocabulary(t *testing.T) {
	var v vocabulary
	for text, want := range map[string]string{"": "", " ,.": "", "a": "a ", "The cat, the CAT; x_1 x": "the cat x 1 ", "Ärger ärger\nÄ": "ärger ä ", "a,b": "a b ",
		"\xff\xfe z": "\ufffd\ufffd z ", strings.Repeat("word ", 500): "word "} {
		if got := string(v.of([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzVocabulary finds the same words as a reader that goes letter by letter, each once and in their order.
func FuzzVocabulary(f *testing.F) {
	for _, s := range []string{"", "a b a", "x_y.z", "Ünï cödé", "tail", " lead", "\x00\x80"} {
		f.Add(s)
	}
	var v vocabulary
	f.Fuzz(func(t *testing.T, text string) {
		var want []string
		seen := map[string]bool{}
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return r < 0x80 && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			if !seen[word] {
				seen[word] = true
				want = append(want, word)
			}
		}
		if got := strings.TrimSuffix(string(v.of([]byte(text))), " "); got != strings.Join(want, " ") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}
