package textarea

import (
	"fmt"
	"strings"
	"testing"
)

// searchOf returns a search with prompts, the newest first.
func searchOf(texts ...string) *Search {
	s := NewSearch()
	for i, text := range texts {
		s.Add([]Past{{Text: text, Where: fmt.Sprint(i)}}, i == len(texts)-1)
	}
	return s
}

func found(s *Search) string {
	var all []string
	n, _ := s.Count()
	for i := range n {
		all = append(all, s.Match(i).Text)
	}
	return strings.Join(all, "|")
}

func TestSearchFindsTheNewestFirst(t *testing.T) {
	s := searchOf("fix the Test", "write a test", "fix the Test", " ", "größe ÄNDERN", "run it")
	for _, c := range []struct{ query, want string }{
		{"", "fix the Test|write a test|größe ÄNDERN|run it"}, {"t", "fix the Test|write a test|run it"}, {"te", "fix the Test|write a test"}, {"test fi", "fix the Test"},
		{"Test", "fix the Test"}, {"änd GRÖ", ""}, {"änd grö", "größe ÄNDERN"}, {"zz", ""}, {"it", "write a test|run it"},
	} {
		s.SetQuery(c.query)
		if got := found(s); got != c.want {
			t.Errorf("%q: %s, want %s", c.query, got, c.want)
		}
	}
	if got := fmt.Sprint(s.Spans("write it")); got != "[[2 4]]" {
		t.Error(got)
	}
}

func TestSearchKeepsWhatIsSelectedWhileItMatches(t *testing.T) {
	s := searchOf("aa", "ab", "abc", "b")
	selected := func() string {
		p, _, ok := s.Selected()
		return fmt.Sprint(p.Text, " ", ok)
	}
	s.SetQuery("a")
	s.Older()
	s.Older()
	if s.Older() || selected() != "abc true" {
		t.Error(selected())
	}
	if s.SetQuery("ab"); selected() != "abc true" {
		t.Error(selected())
	}
	if !s.Newer() || s.Newer() || selected() != "ab true" {
		t.Error(selected())
	}
	if s.SetQuery("x"); selected() != " false" {
		t.Error(selected())
	}
}

// A search holds at most maxPast prompts.
func TestSearchIsBounded(t *testing.T) {
	past := make([]Past, maxPast+10)
	for i := range past {
		past[i].Text = fmt.Sprint("prompt ", i)
	}
	s := NewSearch()
	s.Add(past, false)
	s.SetQuery("prompt")
	if n, all := s.Count(); n != maxPast || all {
		t.Errorf("%d match, all: %v", n, all)
	}
}
