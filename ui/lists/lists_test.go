package lists

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/keymap"
	"parley/ui/list/listtest"
	"parley/ui/md"
	"parley/ui/panel"
)

func TestLists(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	const bad = listtest.Bad
	palette := Palette{Commands: keymap.Commands, Keys: keys}
	listtest.Check(t, listtest.Case{Source: Queue{Prompts: []session.Prompt{{ID: "p1", Text: bad}}}, First: panel.Reclaim{ID: "p1"}},
		listtest.Case{Source: Children{All: []Child{{ID: "c1", Name: "name", Depth: 2}}}, First: panel.OpenChild{ID: "c1"}},
		listtest.Case{Source: palette, First: panel.Command{Name: "model"}, Whole: true},
		listtest.Case{Source: Notices{All: []Notice{{Text: "text", Do: panel.ShowItem{Item: 3}}}}, First: panel.ShowItem{Item: 3}},
		listtest.Case{Source: Code{Blocks: []md.CodeBlock{{Text: "\nx := 1" + "\x1b[2J", Lang: "go"}}}, First: panel.Copy{What: "code", Text: "\nx := 1\x1b[2J"}},
		listtest.Case{Source: Offer{chat.RuntimeOffer{Title: bad, Bytes: 77_100_000}}, First: panel.Install{}},
		listtest.Case{Source: Usage{Lines: [][2]string{{"This session", strings.Repeat("word ", 40)}}, Width: 30}})
	if a := (Offer{}).Choose("no"); a != nil {
		t.Errorf("%#v", a)
	}
	rows := palette.Rows()
	if _, is := palette.Choose(rows[len(rows)-1].ID).(panel.Key); !is {
		t.Error("a key does nothing")
	}
}

func TestNoticesBeginWithTheNewest(t *testing.T) {
	now := time.Unix(1000, 0)
	l := Notices{At: now, All: []Notice{{At: now.Add(-time.Hour), Text: "old"}, {At: now, Text: "new", Warn: true, Do: panel.Repeat{Index: 1}}}}
	rows := l.Rows()
	if rows[0].Cells[0] != "! new" || rows[1].Cells[0] != "  old" || l.Choose(rows[0].ID) != (panel.Repeat{Index: 1}) {
		t.Errorf("%v", rows)
	}
	if got := rows[0].About; len(got) != 1 || got[0] != "new" {
		t.Errorf("%q", got)
	}
}
