package words

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestSearch finds words across pieces, in any case, with the passages around them.
func TestSearch(t *testing.T) {
	type piece struct {
		prompt, goesOn bool
		text           string
	}
	long := strings.Repeat("filler words ", 6000)
	for name, c := range map[string]struct {
		query, known string
		pieces       []piece
		want         string // the passages, "" if it is not found
	}{
		"a word in an answer":         {"jitter", "", []piece{{false, false, "Add some Jitter to it."}}, "Add some Jitter to it."},
		"split between pieces":        {"jitter", "", []piece{{false, false, "Add jit"}, {false, true, "ter to it."}}, "Add jitter to it."},
		"not across texts":            {"jitter", "", []piece{{false, false, "Add jit"}, {false, false, "ter to it."}}, ""},
		"not from prompt to answer":   {"jitter", "", []piece{{true, false, "jit"}, {false, true, "ter"}}, ""},
		"every word":                  {"jitter retry", "", []piece{{true, false, "why does the retry fail"}, {false, false, "no jitter"}}, "> why does the retry fail|no jitter"},
		"one is missing":              {"jitter nope", "", []piece{{false, false, "no jitter"}}, ""},
		"one is known":                {"jitter Upload", "The upload", []piece{{false, false, "no jitter"}}, "no jitter"},
		"words beside each other":     {"no jitter", "", []piece{{false, false, "no jitter"}}, "no jitter"},
		"letters of several bytes":    {"ÄRGER", "", []piece{{false, false, "Nur Ärger damit"}}, "Nur Ärger damit"},
		"letters that change size":    {"ärger", "", []piece{{false, false, "İİ Nur Ärger"}}, "ii nur ärger"},
		"line breaks become spaces":   {"jitter", "", []piece{{false, false, "a\n\n\tjitter"}}, "a jitter"},
		"where large texts are split": {"needle", "", []piece{{false, false, long[:searchAt-3] + "nee"}, {false, true, "dle " + long}}, "needle"},
		"whole words around it":       {"needle", "", []piece{{false, false, long + "needle " + long}}, "… filler words filler words filler words filler words filler words filler words needle filler words"},
	} {
		s := New(strings.Fields(c.query)).Search(c.known)
		for _, p := range c.pieces {
			if !s.Add(p.prompt, p.goesOn, []byte(p.text)) {
				break
			}
		}
		passages, ok := s.Found()
		var got []string
		for _, p := range passages {
			if p.Prompt {
				p.Text = "> " + p.Text
			}
			got = append(got, p.Text)
		}
		if all := strings.Join(got, "|"); ok != (c.want != "") || ok && !strings.Contains(all, c.want) {
			t.Errorf("%s: %v %q, want %q", name, ok, all, c.want)
		}
		if len(s.text) > searchAt+keep {
			t.Errorf("%s: %d bytes are held", name, len(s.text))
		}
	}
	if New([]string{" \t", ""}) != nil {
		t.Error("no word is a query")
	}
}

func TestLikely(t *testing.T) {
	for query, lines := range map[string]map[string]bool{
		"jitter": {`{"text":"Some JITTER"}`: true, `{"text":"jitt er"}`: false},
		`a"b`:    {`{"text":"a\"b"}`: true},
		"ärger":  {`{"text":"\u00c4rger"}`: true},
	} {
		for line, want := range lines {
			if got := New(strings.Fields(query)).Search().Likely([]byte(line)); got != want {
				t.Errorf("%s in %s: %v", query, line, got)
			}
		}
	}
}

// TestLines passes on lines of any length but the longest, also an incomplete last one.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	text := "a\n" + long + "\n\n" + strings.Repeat("y", maxLine+9) + "\nb"
	var got []int
	read, err := Lines(t.Context(), strings.NewReader(text), func(line []byte) bool { got = append(got, len(line)); return true })
	if err != nil || int(read) != len(text) || len(got) != 4 || got[0] != 1 || got[1] != len(long) || got[2] != 0 || got[3] != 1 {
		t.Errorf("%d of %d bytes, lines %v, %v", read, len(text), got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Lines(ctx, strings.NewReader(strings.Repeat("z\n", 2<<20)), func([]byte) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on: %v", err)
	}
}

// TestPhrases finds the words of a phrase one behind the other, whatever white space stands between them, and lines that may have it by
// its longest word.
func TestPhrases(t *testing.T) {
	for text, want := range map[string]string{
		"the Upload \n\t test fails": "the Upload test fails", "upload of a test": "", "an uploadtest": "", "İ Upload test": "i upload test",
	} {
		for at := range len(text) {
			s := New([]string{"Upload  TEST"}).Search()
			s.Add(false, false, []byte(text[:at]))
			s.Add(false, true, []byte(text[at:]))
			all, ok := s.Found()
			if ok != (want != "") || ok && all[0].Text != want {
				t.Errorf("%q cut at %d: %v, %+v", text, at, ok, all)
			}
		}
	}
	s := New([]string{"upload test"}).Search()
	if !s.Likely([]byte(`{"text":"upload\ntest"}`)) || s.Likely([]byte(`{"text":"a test"}`)) {
		t.Error("a line is likely by the longest word of a phrase")
	}
}
