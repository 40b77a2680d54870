package search

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linesOf returns the matching lines as the finder and as the regular expression alone have them.
func linesOf(t *testing.T, pattern string, fold bool, text []byte) (got, want []string) {
	t.Helper()
	m, err := newMatcher(pattern, fold, false)
	if err != nil {
		return nil, nil
	}
	f := m.finder()
	f.begin()
	for from := 0; ; {
		start, end, after, ok := f.line(text, from)
		if !ok {
			break
		}
		got = append(got, string(text[start:end]))
		from = after
	}
	if fold {
		pattern = "(?i)" + pattern
	}
	re := regexp.MustCompile(pattern)
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSuffix(bytes.TrimSuffix(line, newline), []byte("\r")); re.Match(line) {
			want = append(want, string(line))
		}
	}
	return got, want
}

var finderText = []byte("foo\nBAR kiss\r\n\nK\u212a \u017fs\nb\xffar\nfoobar12\n\ttail üx Ü\nend")

var finderPatterns = []string{"foo", "^$", "kiss", "s+", "[fb]oo|bar", `\bbar\b`, "ü", "[^a-z]", ".", "x*", "(foo)?bar", "a{2,3}", `\d\d$`, "fo{1,2}b", `[[:upper:]]+`, `\x{FFFD}`,
	"(?i:b)ar", "k", "[k-s]{2}", "u|ü|end", `\s`, `^\t`, `tail|end|foo|bar|kiss|x|y`, `[a-z]+\d`, `\pL\d`, "", "$", "(", "[ü-ÿ]", "b.r", `\W+x`}

// A finder skips lines by what each match has; it finds the same lines as the expression alone.
func TestFinderSkipsNoMatch(t *testing.T) {
	for _, pattern := range finderPatterns {
		for _, fold := range []bool{false, true} {
			if got, want := linesOf(t, pattern, fold, finderText); !slices.Equal(got, want) {
				t.Errorf("%q, fold %v: %q, want %q", pattern, fold, got, want)
			}
		}
	}
}

func FuzzFinder(f *testing.F) {
	for _, p := range finderPatterns {
		f.Add(p, false, finderText)
		f.Add(p, true, finderText)
	}
	f.Fuzz(func(t *testing.T, pattern string, fold bool, text []byte) {
		if len(pattern) > 200 || len(text) > 5000 || strings.Contains(pattern, "(?") {
			return
		}
		if got, want := linesOf(t, pattern, fold, text); !slices.Equal(got, want) {
			t.Errorf("%q, fold %v, %q: %q, want %q", pattern, fold, text, got, want)
		}
	})
}

// What every match contains is read from the expression.
func TestLiterals(t *testing.T) {
	for pattern, want := range map[string]string{
		"foo": "foo plain", "foo|bar": "bar|foo plain", `func \w+Test\(`: "func  ", "(?i)todo": "todo fold", "[tT]odo": "todo fold", "a.c": "",
		"(foo|ba[rz])+x": "bar|baz|foo ", `\bfoo\b`: "foo ", "^foo": "foo ", "fo+bar": "bar ", "foo?": "fo|foo plain", "(?i)kelvin": "elvin fold",
		"x*": "", "[a-z]+": "", "(abc|d.)": "", "ab{2}c": "abbc plain", "colou?r": "color|colour plain",
	} {
		m, err := newMatcher(pattern, false, false)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if m.need != nil {
			got = strings.Join(m.need, "|") + " "
		}
		if m.fold && m.need != nil {
			got += "fold"
		}
		if m.plain {
			got += "plain"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}

// Lines without a candidate are never judged by the regular expression.
func TestFewLinesAreJudged(t *testing.T) {
	text := []byte(strings.Repeat("nothing is here, but many words\n", 10_000) + "the needle2 is here\n")
	for pattern, most := range map[string]int{`needle\d`: 1, `[a-z]+\d is`: 1, `(?i)NEEDLE\d`: 1, `\d`: 1, "needle": 0} {
		m, err := newMatcher(pattern, false, false)
		if err != nil {
			t.Fatal(err)
		}
		f := m.finder()
		f.begin()
		if _, _, _, ok := f.line(text, 0); !ok || f.judged > most {
			t.Errorf("%q: found %v, %d lines judged", pattern, ok, f.judged)
		}
	}
}
