package compose

import (
	"fmt"
	"strings"
	"testing"
)

// prompts returns a reader of prompts, the newest first, and how many it has read.
func prompts(texts ...string) (next func() (Past, bool), read *int) {
	read = new(int)
	return func() (Past, bool) {
		if *read >= len(texts) {
			return Past{}, false
		}
		*read++
		return Past{Text: texts[*read-1], Where: fmt.Sprint(*read)}, true
	}, read
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
	next, _ := prompts("fix the Test", "write a test", "fix the Test", " ", "größe ÄNDERN", "run it")
	s := NewSearch(next)
	if !s.Step(100) {
		t.Error("not all read")
	}
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
	next, _ := prompts("aa", "ab", "abc", "b")
	s := NewSearch(next)
	s.Step(10)
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

func TestSearchReadsOnlyWhatItNeeds(t *testing.T) {
	texts := make([]string, 10_000)
	for i := range texts {
		texts[i] = fmt.Sprint("prompt ", i)
	}
	next, read := prompts(texts...)
	s := NewSearch(next)
	if s.Step(50); *read != 50 {
		t.Errorf("%d read", *read)
	}
	s.SetQuery("prompt 4000")
	if n, all := s.Count(); n != 0 || all {
		t.Errorf("%d, %v", n, all)
	}
	s.SetQuery("prompt 49")
	if s.Older(); *read < 150 || *read > 250 {
		t.Errorf("%d read", *read)
	}
}
