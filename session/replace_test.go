package session

import "testing"

// A reader whose log was replaced gets all of the new events, once, and then what follows.
func TestReplacedLog(t *testing.T) {
	var l Log
	l.Add(PartDelta{Part: "p", Text: "old"})
	woken := 0
	_, r := l.Read(func(bool) { woken++ })
	l.Add(PartDelta{Part: "p", Text: " more"})
	l.Replace([]Event{Notice{Text: "a"}, PartDelta{Part: "q", Text: "new"}})
	events, anew := r.Next()
	if !anew || len(events) != 2 || woken != 2 {
		t.Errorf("%v, %v, woken %d times", events, anew, woken)
	}
	l.Add(PartDelta{Part: "q", Text: "er"})
	events, anew = r.Next()
	if d, is := events[0].(PartDelta); anew || len(events) != 1 || !is || d.Text != "er" {
		t.Errorf("%v, %v", events, anew)
	}
	if all := l.All(); len(all) != 2 || all[1].(PartDelta).Text != "newer" {
		t.Errorf("%v", all)
	}
}
