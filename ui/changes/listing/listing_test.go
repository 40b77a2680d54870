package listing

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// text returns the state of a file with a content.
func text(s string) snapshot.State {
	if s == "" {
		return snapshot.State{Kind: snapshot.None}
	}
	return snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: int64(len(s)), Sum: s}
}

var names = Names{Dir: "/src", Home: "/home/ada", Child: func(id session.ChildID) string { return "explorer" },
	Turn: func(id session.TurnID) (int, string) {
		return map[session.TurnID]int{"one": 1, "two": 2}[id], "prompt of " + string(id)
	}}

func change(id int, turn, path, from, to string, status changes.Status) changes.Change {
	return changes.Change{ID: changes.ChangeID(id), Turn: session.TurnID(turn), Path: path, Before: text(from), After: text(to), Status: status}
}

func TestRowsByTurnAndByFile(t *testing.T) {
	all := []changes.Change{
		change(1, "one", "/src/b.go", "", "x", changes.Accepted), change(2, "one", "/src/a.go", "1", "2", changes.Open), change(3, "two", "/src/a.go", "2", "3", changes.Undone),
		change(4, "two", "/src/a.go", "3", "4", changes.Undone), change(5, "", "/etc/x", "a", "b", changes.Open),
	}
	all[4].Command = "make\nall"
	show := func(rows []Row) string {
		var out []string
		for _, r := range rows {
			s := names.Called(r) + "=" + string(r.Status())
			if r.Under {
				s = "-" + s
			}
			if r.By != "" {
				s += " by " + r.By
			}
			out = append(out, s)
		}
		return strings.Join(out, "; ")
	}
	if got, want := show(ByTurn(all, names)), "changes outside of turns=open; -/etc/x=open by $ make all; turn 2=undone; -a.go in turn 2=undone; turn 1=open; "+
		"-b.go in turn 1=accepted; -a.go in turn 1=open"; got != want {
		t.Errorf("by turn:\n%s, want\n%s", got, want)
	}
	if got, want := show(ByFile(all, names)), "/etc/x=open by $ make all; a.go=open; -a.go in turn 2=undone; -a.go in turn 1=open; b.go=accepted"; got != want {
		t.Errorf("by file:\n%s, want\n%s", got, want)
	}
	if n := Unaccepted(all); n != 2 {
		t.Errorf("%d files are not accepted", n)
	}
	if rows := ByTurn(nil, names); len(rows) != 0 {
		t.Errorf("nothing has %d rows", len(rows))
	}
}

// A row shows what its own changes did: what someone else wrote between is in no difference, except in the net one.
func TestSpans(t *testing.T) {
	all := []changes.Change{change(1, "one", "/src/a", "1", "2", changes.Open), change(2, "one", "/src/b", "x", "y", changes.Open), change(3, "one", "/src/a", "2", "3", changes.Open),
		change(4, "one", "/src/a", "mine", "4", changes.Open), change(5, "one", "/src/a", "4", "5", changes.Undone)}
	show := func(r Row) string {
		var out []string
		for _, s := range r.Spans() {
			out = append(out, s.Path+":"+s.From.Sum+">"+s.To.Sum)
		}
		return strings.Join(out, " ")
	}
	if got := show(ByTurn(all, names)[0]); got != "/src/a:1>3 /src/a:mine>4 /src/b:x>y" {
		t.Errorf("the turn shows %s", got)
	}
	if got := show(ByFile(all, names)[0]); got != "/src/a:1>4" {
		t.Errorf("the file shows %s", got)
	}
	undone := []changes.Change{change(1, "one", "/src/a", "1", "2", changes.Undone), change(2, "one", "/src/a", "2", "3", changes.Undone)}
	if got := show(ByTurn(undone, names)[1]); got != "/src/a:1>3" {
		t.Errorf("what is undone shows %s", got)
	}
}

func TestWords(t *testing.T) {
	plan := changes.Plan{Kind: changes.StepUndo, Files: []changes.PlanFile{{Path: "/src/a", Lost: []changes.Loss{{By: "you"}}}, {Path: "/src/b"}, {Path: "/src/c", Refused: "It is gone."}}}
	s := Sort(plan)
	if title, text := s.Asks(plan.Kind, "turn 2", "r brings them back"); title != "Undo turn 2?" ||
		text != "1 of 3 files has other changes, which this would lose (r brings them back). 1 file stays as it is." {
		t.Errorf("asks %q, %q", title, text)
	}
	choices := s.Choices(plan.Kind)
	if len(choices) != 3 || choices[0].Does || choices[1].Lose || !choices[2].Lose || choices[2].Text != "undo all 2, and lose what is shown" {
		t.Errorf("choices: %+v", choices)
	}
	if takes := s.Takes(true); !takes("/src/a") || takes("/src/b") || s.Takes(false)("/src/a") || s.Clear() {
		t.Error("losses are accepted where they should not be, or the other way round")
	}
	back := func(int) string { return " r brings it back." }
	for _, tt := range []struct {
		out    changes.Outcome
		called string
		want   string
		warn   bool
	}{
		{changes.Outcome{Done: []string{"/src/a"}}, "turn 2", "Undid a in turn 2. r brings it back.", false},
		{changes.Outcome{Done: []string{"/src/a"}}, "a in turn 2", "Undid a in turn 2. r brings it back.", false},
		{changes.Outcome{Done: []string{"/src/a", "/src/b"}, Left: map[string]string{"/src/c": "It is gone."}}, "turn 2",
			"Undid 2 files of turn 2. r brings it back. c stays as it is: it is gone.", true},
		{changes.Outcome{}, "turn 2", "Nothing was changed.", false},
	} {
		if got, warn := names.Done(changes.StepUndo, tt.out, tt.called, back); got != tt.want || warn != tt.warn {
			t.Errorf("%+v: %q, %v", tt.out, got, warn)
		}
	}
	if got := Clause("TLS failed."); got != "TLS failed." {
		t.Errorf("a clause: %q", got)
	}
}
