package scroll

import (
	"fmt"
	"testing"
)

// TestBookmarkComesBack goes elsewhere, inserts items above, and returns to the same row.
func TestBookmarkComesBack(t *testing.T) {
	var pages []Item
	for i := range 50 {
		pages = append(pages, &page{key: fmt.Sprint("p", i), trace: Trace{Rows: []Row{{Text: fmt.Sprint("a", i), Join: "\n"}, {Text: fmt.Sprint("b", i), Join: "\n"}}}})
	}
	l := New(10)
	l.SetSize(40, 10)
	l.Append(pages...)
	l.Frame()
	end := l.Bookmark()
	l.Scroll(-31)
	want := l.Frame()[0]
	here := l.Bookmark()
	l.Top()
	l.Frame()
	l.Insert(1, &page{key: "new", trace: Trace{Rows: []Row{{Text: "new", Join: "\n"}}}})
	l.Return(here)
	if got := l.Frame()[0]; got != want {
		t.Errorf("came back to %q, was at %q", got, want)
	}
	l.Return(end)
	if l.Frame(); !l.Following() {
		t.Error("the end is not followed again")
	}
}

// TestWalkIsBounded walks within a bound, and finds the same matches in the end.
func TestWalkIsBounded(t *testing.T) {
	words := make([]string, 1000)
	for i := range words {
		words[i] = "a word and another"
	}
	words[3] = "here"
	l, _, asked := library(words...)
	f := NewFinder(l)
	f.SetQuery("here")
	calls := 0
	for {
		before := *asked
		found, ok, more := f.Walk(-1, 1000)
		if *asked-before > 30 {
			t.Fatalf("%d items in one walk", *asked-before)
		}
		if calls++; more {
			if _, is := f.Current(); is {
				t.Fatal("there is a match before one was found")
			}
			continue
		}
		if !ok || found.Item != 3 {
			t.Errorf("found %+v, %v", found, ok)
		}
		break
	}
	if calls < 30 {
		t.Errorf("%d walks", calls)
	}
	if _, ok, more := f.Walk(1, 10); more || ok {
		for more {
			_, ok, more = f.Walk(1, 1000)
		}
		if !ok {
			t.Error("the only match is not its own next one")
		}
	}
	for !f.Step(1000) {
	}
	if n, all := f.Count(); n != 1 || !all {
		t.Errorf("%d matches, %v", n, all)
	}
}

func TestPlaceOfAMatch(t *testing.T) {
	l, _ := shown(answer())
	f := NewFinder(l)
	f.SetQuery("three-four")
	row, marks := f.Place(0, 0, reading)
	if got := fmt.Sprint(row, marks); got != "2 [{10 16} {2 6}]" {
		t.Error(got)
	}
	if row, marks := f.Place(0, 1, reading); row != 0 || marks != nil {
		t.Errorf("a match that is not there is at %d %v", row, marks)
	}
}
