package queue

import (
	"testing"

	"parley/session"
	"parley/ui/list"
	"parley/ui/list/listtest"
	"parley/ui/panel"
)

func TestList(t *testing.T) {
	l := List{Prompts: []session.Prompt{{ID: "p1", Text: listtest.Bad}}}
	listtest.Check(t, listtest.Case{Source: l, First: panel.Reclaim{ID: "p1"}})
	row := l.Rows()[0]
	if e := l.Do(list.Moved{Row: row, By: -1}); e != (panel.Move{ID: "p1", By: -1}) {
		t.Errorf("%#v", e)
	}
	if e := l.Do(list.Dropped{Row: row}); e != (panel.Drop{ID: "p1"}) {
		t.Errorf("%#v", e)
	}
}
