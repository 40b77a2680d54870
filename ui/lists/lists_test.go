package lists

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
	model := session.Model{ID: "m-1", Name: bad, Vendor: bad, Efforts: []string{"low", bad}, Category: bad, Notes: []string{bad}, Unusable: bad, ContextWindow: 200_000, Price: &session.Price{Input: 1, Output: 2.5}}
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
			text := strings.Join(append(append(r.Cells, r.About...), r.Group, r.Off, r.Also), "")
			if strings.ContainsAny(text, "\x1b\n") {
				t.Errorf("%T: %q drives the terminal", l, text)
			}
			l.Choose(r.ID)
		}
		if o := l.Options(); o.Title == "" || strings.ContainsAny(o.Title+o.Right+o.None, "\x1b\n") {
			t.Errorf("%T: %+v", l, o)
		} else if !strings.HasSuffix(o.Keys, "esc goes back") {
			t.Errorf("%T: the keys are %q", l, o.Keys)
		}
	}
}

// No list is wider or higher than the window, and the description of no command is cut.
func TestListsFitTheWindow(t *testing.T) {
	for _, l := range all(t) {
		for _, size := range [][2]int{{40, 12}, {50, 20}, {60, 24}, {80, 24}, {100, 30}, {120, 40}, {240, 50}} {
			look := &style.Look{Measure: style.Measure{Method: ansi.WcWidth}, Now: time.Now, Width: size[0], Height: size[1]}
			p := picker.New(look, l.Options())
			p.SetSize(size[0], size[1])
			p.SetRows(l.Rows())
			for range l.Rows() {
				rows, _, _ := p.Rows(size[0], size[1], "")
				if len(rows) != size[1] {
					t.Fatalf("%T at %v: %d rows", l, size, len(rows))
				}
				for _, row := range rows {
					if _, palette := l.(Palette); look.Measure.Width(row) > size[0] || palette && strings.Contains(row, "…") {
						t.Errorf("%T at %v: %q", l, size, row)
					}
				}
				if !strings.Contains(rows[len(rows)-1], "esc") {
					t.Errorf("%T at %v: the keys are %q", l, size, rows[len(rows)-1])
				}
				p.Update(tea.KeyPressMsg{Code: tea.KeyDown})
			}
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

func TestSessionsStandByDirectoryAndDay(t *testing.T) {
	now := time.Date(2026, 3, 12, 9, 0, 0, 0, time.FixedZone("", 3600)) // a Thursday
	at := func(id session.ID, dir string, month time.Month, day, hour int) session.Meta {
		return session.Meta{ID: id, Dir: dir, Agent: string(id[:1]), Title: "t", Updated: time.Date(2026, month, day, hour, 0, 0, 0, now.Location()).UTC()}
	}
	l := Sessions{Dir: "/home/a/d", Home: "/home/a", Now: "a", At: now, All: []session.Meta{
		at("future", "/home/a/d", 3, 12, 10), at("x", "/x", 3, 12, 8), at("a", "/home/a/d", 3, 12, 0), at("b", "/home/a/d", 3, 11, 23), at("y", "/home/a/y", 3, 11, 8),
		at("c", "/home/a/d", 3, 9, 0), at("d", "/home/a/d", 3, 8, 23), at("z", "/x", 3, 2, 0), at("e", "/home/a/d", 2, 28, 0), at("n", "", 1, 1, 0),
	}}
	var got []string
	for _, r := range l.Rows() {
		got = append(got, r.Group+": "+r.ID)
	}
	want := []string{"~/d · today: future", "~/d · today: a", "~/d · yesterday: b", "~/d · this week: c", "~/d · this month: d", "~/d · older: e",
		"/x: x", "/x: z", "~/y: y", "elsewhere: n"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if r := l.Rows()[7]; r.Also != " /x" || !l.Rows()[1].Mark {
		t.Errorf("%+v", r)
	}
	if got := l.Options().Right; got != "10 sessions · 10 agents" {
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
	if got := rows[0].About; len(got) != 1 || got[0] != "new" {
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
