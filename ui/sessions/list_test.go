package sessions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/list/listtest"
	"parley/ui/panel"
	"parley/ui/style"
)

func TestLists(t *testing.T) {
	const bad = listtest.Bad
	turn := &session.Turn{ID: "t1", Prompt: session.Prompt{Text: bad}}
	listtest.Check(t,
		listtest.Case{Source: Sessions{All: []session.Meta{{ID: "s1", Title: bad, First: bad, Agent: bad, Model: bad, Branch: bad, Dir: bad}}, Dir: bad},
			First: panel.Resume{ID: "s1"}},
		listtest.Case{Source: Turns{Points: []core.ForkPoint{{Turn: turn, Answered: true}}}, First: panel.Fork{After: "t1"}},
		listtest.Case{Source: Agents{All: []session.AgentInfo{{Name: bad, Version: bad, About: bad, Missing: bad}}, Now: bad}, First: panel.Begin{Agent: bad}})
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

// Pinned sessions of the directory come first, tags stand behind titles, and archived ones are shown once something is looked for.
func TestSortedSessions(t *testing.T) {
	now := time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)
	l := Sessions{Dir: "/d", At: now, Look: &style.Look{Now: time.Now, Width: 80, Height: 24}, All: []session.Meta{
		{ID: "new", Dir: "/d", Title: "one", Updated: now}, {ID: "pin", Dir: "/d", Title: "two", Tags: []string{"infra", "up\x1b[2J"}, Pinned: true, Updated: now.Add(-99 * time.Hour)},
		{ID: "old", Dir: "/d", Title: "three", Archived: true, Updated: now.Add(-time.Hour)},
	}}
	rows := l.Rows()
	if r := rows[0]; r.ID != "pin" || r.Group != "/d · pinned" || r.Cells[0] != "two #infra #"+style.VisibleLine("up\x1b[2J") {
		t.Errorf("%+v", r)
	}
	l.Dir = "/elsewhere"
	if r := l.Rows()[1]; r.ID != "pin" || r.Note != "pinned" {
		t.Errorf("%+v", r)
	}
	l.Dir = "/d"
	for typed, want := range map[string]string{"": "pin new", "one": "new", "three": "old", "is:archived": "old", "tag:inf": "pin", "is:pinned one": ""} {
		shown, _, _ := list.Open(l.Look, l, typed).Found()
		var got []string
		for _, r := range shown {
			got = append(got, r.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

func TestAForkBeginsAtATurnWithAnAnswer(t *testing.T) {
	turn := func(id string, answered bool) core.ForkPoint {
		return core.ForkPoint{Turn: &session.Turn{ID: session.TurnID(id)}, Answered: answered}
	}
	l := Turns{Points: []core.ForkPoint{turn("3", false), turn("2", true), turn("1", true)}}
	for at, want := range map[session.TurnID]session.TurnID{"": "2", "1": "1", "3": "2", "gone": "2"} {
		if got := l.First(at); got != want {
			t.Errorf("%q: %q", at, got)
		}
	}
	if got := (Turns{Points: l.Points[:1]}).First(""); got != "3" {
		t.Errorf("%q", got)
	}
}

// TestPreviewBeginsWithTheFirstPrompt puts the first prompt before the end of a session, once.
func TestPreviewBeginsWithTheFirstPrompt(t *testing.T) {
	look := &style.Look{Width: 20}
	l := Sessions{All: []session.Meta{{ID: "a", First: "Why does the upload test flake on the slow machine?"}, {ID: "b", First: "Short one"}, {ID: "c"}}}
	for _, c := range []struct{ id, rows, want string }{
		{"a", "> go on|| It is done.", "> Why does the|  upload test flake … / > go on|| It is done."},
		{"b", "> go on|| It is done.", "> Short one / > go on|| It is done."},
		{"b", "> Short one|| It is done.", "> Short one /  It is done."},
		{"b", "> Short one", "> Short one / "},
		{"c", "> go on", " / > go on"},
	} {
		lead, rest := l.lead(c.id, strings.Split(c.rows, "|"), look)
		if got := strings.Join(lead, "|") + " / " + strings.Join(rest, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
	}
}

// Columns that say the same in every row stand in the headings, and are found still; those that differ stay.
func TestEqualColumnsStandInTheHeading(t *testing.T) {
	now := time.Now()
	l := Sessions{Dir: "/a", At: now, All: []session.Meta{
		{ID: "1", Agent: "builtin", Dir: "/a", Model: "m1", Branch: "main", First: "one", Updated: now},
		{ID: "2", Agent: "builtin", Dir: "/b", Model: "m2", Branch: "main", First: "two", Updated: now},
	}}
	rows := l.Rows()
	if r := rows[0]; r.Group != "/a · today · parley, main" || r.Cells[1] != "" || r.Cells[2] != "m1" || r.Cells[3] != "" || !strings.Contains(r.Also, "main") {
		t.Errorf("%+v", r)
	}
	if l.All = l.All[:1]; l.Rows()[0].Cells[3] != "main" {
		t.Errorf("a single row: %+v", l.Rows()[0])
	}
}

// A preview shows a long line of code by its beginning.
func TestPreviewsCutCode(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, true, nil), Width: 20}
	got := whole([]string{"> go", "  func long(n int) (", "↪ int, error) {", "↪ return", "  done"}, look)
	if len(got) != 3 || !strings.HasPrefix(got[1], "  func long(n int") || !strings.HasSuffix(got[1], "…") || got[2] != "  done" {
		t.Errorf("%q", got)
	}
}
