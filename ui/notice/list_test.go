package notice

import (
	"testing"
	"time"

	"parley/ui/list/listtest"
	"parley/ui/panel"
)

func TestList(t *testing.T) {
	listtest.Check(t, listtest.Case{Source: List{All: []Said{{Text: "text", Do: panel.ShowItem{Item: 3}}}}, First: panel.ShowItem{Item: 3}})
}

func TestNoticesBeginWithTheNewest(t *testing.T) {
	now := time.Unix(1000, 0)
	l := List{At: now, All: []Said{{At: now.Add(-time.Hour), Text: "old"}, {At: now, Text: "new", Warn: true, Do: panel.Repeat{Index: 1}}}}
	rows := l.Rows()
	if rows[0].Cells[0] != "! new" || rows[1].Cells[0] != "  old" || l.Choose(rows[0].ID) != (panel.Repeat{Index: 1}) {
		t.Errorf("%v", rows)
	}
	if got := rows[0].About; len(got) != 1 || got[0] != "new" {
		t.Errorf("%q", got)
	}
}
