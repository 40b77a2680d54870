package lists

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/keymap"
	"parley/ui/md"
	"parley/ui/picker"
	"parley/ui/style"
)

// all returns a list of every kind, with texts that would drive a terminal.
func all(t *testing.T) []List {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	const bad = "a\x1b[2J\nb"
	model := session.Model{ID: "m-1", Name: bad, Vendor: bad, Efforts: []string{"low", bad}, ContextWindow: 200_000, Price: &session.Price{Input: 1, Output: 2.5}}
	turn := &session.Turn{ID: "t1", Prompt: session.Prompt{Text: bad}}
	return []List{
		Models{All: []session.Model{model}}, Efforts{Model: &model, ID: bad},
		Modes{Problem: func(session.Mode) string { return bad }}, Bypass{},
		Sessions{All: []session.Meta{{ID: "s1", Title: bad, First: bad, Agent: bad, Model: bad, Branch: bad, Dir: bad}}, Dir: bad, Forks: true},
		Turns{Points: []chat.ForkPoint{{Turn: turn, Answered: true}}},
		Queue{Prompts: []session.Prompt{{ID: "p1", Text: bad}}},
		Agents{All: []session.AgentInfo{{Name: bad, Version: bad, About: bad, Missing: bad}}, Now: bad},
		Children{All: []Child{{ID: "c1", Name: "name", Depth: 2}}},
		Palette{Commands: keymap.Commands, Keys: keys},
		Notices{All: []Notice{{Text: "text", Do: ShowItem{3}}}},
		Code{Blocks: []md.CodeBlock{{Text: "\nx := 1" + "\x1b[2J", Lang: "go"}}},
		Offer{chat.RuntimeOffer{Title: bad, Bytes: 77_100_000}},
		Usage{Lines: [][2]string{{"This session", strings.Repeat("word ", 40)}}, Width: 30},
	}
}

func TestRowsAreVisibleAndChoosable(t *testing.T) {
	for _, l := range all(t) {
		rows := l.Rows()
		if len(rows) == 0 {
			t.Errorf("%T has no rows", l)
		}
		seen := map[string]bool{}
		for _, r := range rows {
			if seen[r.ID] {
				t.Errorf("%T: two rows are %q", l, r.ID)
			}
			seen[r.ID] = true
			text := strings.Join(append(r.Cells, r.Group, r.Off, r.Also), "")
			if strings.ContainsAny(text, "\x1b\n") {
				t.Errorf("%T: %q drives the terminal", l, text)
			}
			l.Choose(r.ID)
		}
		if o := l.Options(); o.Title == "" || strings.ContainsAny(o.Title+o.Right+o.None, "\x1b\n") {
			t.Errorf("%T: %+v", l, o)
		}
	}
}

func TestChoices(t *testing.T) {
	var got []Action
	for _, l := range all(t) {
		got = append(got, l.Choose(l.Rows()[0].ID))
	}
	keys := all(t)[9].(Palette)
	want := []Action{SetModel{"m-1"}, SetEffort{""}, SetMode{Mode: session.Modes[0]}, nil, Resume{"s1"}, ForkAfter{"t1"}, Reclaim{"p1"},
		StartWith{"a\x1b[2J\nb"}, OpenChild{"c1"}, RunCommand{"model"}, ShowItem{3}, Copy{"code", "\nx := 1\x1b[2J"}, Install{}, nil}
	for i, a := range want {
		if got[i] != a {
			t.Errorf("%T: %#v, want %#v", all(t)[i], got[i], a)
		}
	}
	if a := (Bypass{}).Choose("yes"); a != (SetMode{session.ModeBypass, true}) {
		t.Errorf("%#v", a)
	}
	if a := (Offer{}).Choose("no"); a != nil {
		t.Errorf("%#v", a)
	}
	rows := keys.Rows()
	if _, is := keys.Choose(rows[len(rows)-1].ID).(Do); !is {
		t.Error("a key does nothing")
	}
}

func TestModelsOfAVendorStandTogether(t *testing.T) {
	l := Models{All: []session.Model{{ID: "a1", Vendor: "A"}, {ID: "b1", Vendor: "B"}, {ID: "a2", Vendor: "A", Default: true}}}
	if got := ids(l.Rows()); got != "a1 a2* b1" {
		t.Errorf("%q", got)
	}
	l.Now = "b1"
	if got := ids(l.Rows()); got != "a1 a2 b1*" {
		t.Errorf("%q", got)
	}
}

func TestSessionsOfTheDirectoryComeFirst(t *testing.T) {
	l := Sessions{All: []session.Meta{{ID: "x", Dir: "/x", Agent: "one"}, {ID: "here", Dir: "/d", Agent: "two"}}, Dir: "/d", Now: "here"}
	if got := ids(l.Rows()); got != "here* x" {
		t.Errorf("%q", got)
	}
	if got := l.Options().Right; got != "2 sessions · 2 agents" {
		t.Errorf("%q", got)
	}
}

func TestAForkBeginsAtATurnWithAnAnswer(t *testing.T) {
	turn := func(id string, answered bool) chat.ForkPoint {
		return chat.ForkPoint{Turn: &session.Turn{ID: session.TurnID(id)}, Answered: answered}
	}
	l := Turns{Points: []chat.ForkPoint{turn("3", false), turn("2", true), turn("1", true)}}
	for at, want := range map[session.TurnID]session.TurnID{"": "2", "1": "1", "3": "2", "gone": "2"} {
		if got := l.First(at); got != want {
			t.Errorf("%q: %q", at, got)
		}
	}
	if got := (Turns{Points: l.Points[:1]}).First(""); got != "3" {
		t.Errorf("%q", got)
	}
}

func TestNoticesBeginWithTheNewest(t *testing.T) {
	now := time.Unix(1000, 0)
	l := Notices{At: now, All: []Notice{{At: now.Add(-time.Hour), Text: "old"}, {At: now, Text: "new", Warn: true, Do: RepeatNotice{1}}}}
	rows := l.Rows()
	if rows[0].Cells[0] != "! new" || rows[1].Cells[0] != "  old" || l.Choose(rows[0].ID) != (RepeatNotice{1}) {
		t.Errorf("%v", rows)
	}
	if got := l.Preview(rows[0], style.Measure{}, 20); len(got) != 1 || got[0] != "new" {
		t.Errorf("%q", got)
	}
}

// ids returns the ids of rows, with a star at the one in use.
func ids(rows []picker.Row) string {
	var all []string
	for _, r := range rows {
		if r.Mark {
			r.ID += "*"
		}
		all = append(all, r.ID)
	}
	return strings.Join(all, " ")
}
