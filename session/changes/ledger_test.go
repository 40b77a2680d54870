package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes/snapshot"
)

// fold returns the ledger of lines.
func fold(lines ...line) *ledger {
	g := newLedger()
	for _, l := range lines {
		g.add(l)
	}
	return g
}

// st is the state of a file with a content, "-" for nothing.
func st(content string) snapshot.State {
	if content == "-" {
		return snapshot.State{Kind: snapshot.None}
	}
	sum := sha256.Sum256([]byte(content))
	return snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: int64(len(content)), Sum: hex.EncodeToString(sum[:])}
}

// script makes the lines of a log from words:
//
//	c1 t1 f A B    change 1 of turn t1 made file f from A into B
//	ok 1 2         changes 1 and 2 are accepted
//	undo f B A 1   a step takes change 1 back
//	redo1 f A B 1  a step redoes step 1 and brings change 1 back
//
// A step that ends in "killed" has no mark and no end, one that ends in "left" an end alone.
func script(t *testing.T, rows ...string) []line {
	t.Helper()
	var lines []line
	steps := 0
	for _, row := range rows {
		w := strings.Fields(row)
		ids := func(words []string) (out []ChangeID) {
			for _, w := range words {
				var n int
				if _, err := fmt.Sscan(w, &n); err == nil {
					out = append(out, ChangeID(n))
				}
			}
			return out
		}
		switch {
		case w[0] == "ok":
			steps++
			lines = append(lines, line{Step: &step{ID: steps, Kind: StepAccept, Changes: ids(w[1:])}})
		case strings.HasPrefix(w[0], "c"):
			var n int
			fmt.Sscanf(w[0], "c%d", &n)
			lines = append(lines, line{Change: &Change{ID: ChangeID(n), Turn: session.TurnID(w[1]), Tool: "Edit", Path: "/" + w[2],
				Before: st(w[3]), After: st(w[4])}})
		default:
			steps++
			s := step{ID: steps, Kind: StepUndo}
			f := stepFile{Path: "/" + w[1], From: st(w[2]), To: st(w[3])}
			if again, ok := strings.CutPrefix(w[0], "redo"); ok {
				s.Kind = StepRedo
				fmt.Sscan(again, &f.Redoes)
				var back []string
				for i, word := range w {
					if word == "back" {
						w, back = w[:i], w[i+1:]
						break
					}
				}
				f.Again, f.Back = ids(w[4:]), ids(back)
			} else {
				f.Back = ids(w[4:])
			}
			s.Files = []stepFile{f}
			lines = append(lines, line{Step: &s})
			switch w[len(w)-1] {
			case "killed":
			case "left":
				lines = append(lines, line{End: &end{Step: steps}})
			default:
				lines = append(lines, line{Mark: &mark{Step: steps, Fate: done}}, line{End: &end{Step: steps}})
			}
		}
	}
	return lines
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []string
		want string // statuses in the order of the changes
		open int
	}{
		{"nothing", nil, "", 0},
		{"two files", []string{"c1 t1 f A B", "c2 t1 g - B"}, "open open", 2},
		{"twice the same file", []string{"c1 t1 f A B", "c2 t1 f B C"}, "open open", 1},
		{"accepted", []string{"c1 t1 f A B", "c2 t1 g - B", "ok 1"}, "accepted open", 1},
		{"undone", []string{"c1 t1 f A B", "undo f B A 1"}, "undone", 0},
		{"undone after it was accepted", []string{"c1 t1 f A B", "ok 1", "undo f B A 1"}, "undone", 0},
		{"accepting what is undone has no effect", []string{"c1 t1 f A B", "undo f B A 1", "ok 1", "redo1 f A B 1"}, "open", 1},
		{"redone", []string{"c1 t1 f A B", "undo f B A 1", "redo1 f A B 1"}, "open", 1},
		{"redone as it was accepted", []string{"c1 t1 f A B", "ok 1", "undo f B A 1", "redo2 f A B 1"}, "accepted", 0},
		{"undone once more", []string{"c1 t1 f A B", "undo f B A 1", "redo1 f A B 1", "undo f B A 1"}, "undone", 0},
		{"a step that is running", []string{"c1 t1 f A B", "undo f B A 1 killed"}, "open", 1},
		{"a step that left the file alone", []string{"c1 t1 f A B", "undo f B A 1 left"}, "open", 1},
		{"an id twice", []string{"c1 t1 f A B", "c1 t1 g A B"}, "open", 1},
		{"a step of a change that is missing", []string{"c2 t1 f A B", "undo f B A 1 2"}, "undone", 0},
		{"a step of another file's change", []string{"c1 t1 f A B", "undo g B A 1"}, "open", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := fold(script(t, c.rows...)...)
			var got []string
			for _, ch := range g.all() {
				got = append(got, string(ch.Status))
			}
			if have := strings.Join(got, " "); have != c.want {
				t.Errorf("statuses: %s, want %s", have, c.want)
			}
			if g.unaccepted() != c.open {
				t.Errorf("%d files are not accepted, want %d", g.unaccepted(), c.open)
			}
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  []string
		kind  StepKind
		scope Scope
		now   string
		want  string // To, changes, losses
	}{
		{"one", []string{"c1 t1 f A B"}, StepUndo, Scope{}, "B", "A [1]"},
		{"a chain", []string{"c1 t1 f A B", "c2 t2 f B C"}, StepUndo, Scope{}, "C", "A [1 2]"},
		{"its end", []string{"c1 t1 f A B", "c2 t2 f B C"}, StepUndo, Scope{Turn: "t2"}, "C", "B [2]"},
		{"its beginning", []string{"c1 t1 f A B", "c2 t2 f B C"}, StepUndo, Scope{Turn: "t1"}, "C",
			"A [1 2] a later turn (Edit): B C"},
		{"the user wrote after", []string{"c1 t1 f A B"}, StepUndo, Scope{}, "X", "A [1] you, or another program: B X"},
		{"the user wrote between", []string{"c1 t1 f A B", "c2 t2 f X C"}, StepUndo, Scope{}, "C",
			"A [1 2] you, or another program: B X"},
		{"the user wrote before", []string{"c1 t1 f A B", "c2 t2 f X C"}, StepUndo, Scope{Turn: "t2"}, "C", "X [2]"},
		{"the user undid it", []string{"c1 t1 f A B"}, StepUndo, Scope{}, "A", "A [1]"},
		{"the user removed it", []string{"c1 t1 f A B"}, StepUndo, Scope{}, "-", "A [1] you, or another program: B -"},
		{"created", []string{"c1 t1 f - B"}, StepUndo, Scope{}, "B", "- [1]"},
		{"removed", []string{"c1 t1 f A -"}, StepUndo, Scope{}, "-", "A [1]"},
		{"accepted ones stay", []string{"c1 t1 f A B", "ok 1", "c2 t1 f B C"}, StepUndo, Scope{OnlyOpen: true}, "C", "B [2]"},
		{"an accepted one after", []string{"c1 t1 f A B", "c2 t1 f B C", "ok 2"}, StepUndo, Scope{OnlyOpen: true}, "C",
			"A [1 2] the same turn (Edit): B C"},
		{"undone ones are over", []string{"c1 t1 f A B", "undo f B A 1"}, StepUndo, Scope{}, "A", "none"},
		{"after an undo", []string{"c1 t1 f A B", "undo f B A 1", "c2 t2 f A C"}, StepUndo, Scope{}, "C", "A [2]"},
		{"another path", []string{"c1 t1 f A B"}, StepUndo, Scope{Paths: []string{"/g"}}, "B", "none"},
		{"below a directory", []string{"c1 t1 d/f A B"}, StepUndo, Scope{Paths: []string{"/d"}}, "B", "A [1]"},
		{"beside a directory", []string{"c1 t1 dd/f A B"}, StepUndo, Scope{Paths: []string{"/d"}}, "B", "none"},
		{"one of its changes", []string{"c1 t1 f A B", "c2 t1 f B C"}, StepUndo, Scope{Changes: []ChangeID{2}}, "C", "B [2]"},

		{"nothing to redo", []string{"c1 t1 f A B"}, StepRedo, Scope{}, "B", "none"},
		{"redo", []string{"c1 t1 f A B", "undo f B A 1"}, StepRedo, Scope{}, "A", "B [1]"},
		{"redo what the user had written", []string{"c1 t1 f A B", "undo f X A 1"}, StepRedo, Scope{}, "A", "X [1]"},
		{"redo of another turn", []string{"c1 t1 f A B", "undo f B A 1"}, StepRedo, Scope{Turn: "t2"}, "A", "none"},
		{"the user wrote since", []string{"c1 t1 f A B", "undo f B A 1"}, StepRedo, Scope{}, "X",
			"B [1] you, or another program: A X"},
		{"an agent wrote since", []string{"c1 t1 f A B", "undo f B A 1", "c2 t2 f A C"}, StepRedo, Scope{}, "C",
			"B [1] a later turn (Edit): A C"},
		{"both wrote since", []string{"c1 t1 f A B", "undo f B A 1", "c2 t2 f X C"}, StepRedo, Scope{}, "Y",
			"B [1] you, or another program: A X; a later turn (Edit): X C; you, or another program: C Y"},
		{"redone already", []string{"c1 t1 f A B", "undo f B A 1", "redo1 f A B 1"}, StepRedo, Scope{}, "B", "none"},
		{"undone in two steps", []string{"c1 t1 f A B", "c2 t2 f B C", "undo f C B 2", "undo f B A 1"}, StepRedo, Scope{}, "A", "B [1]"},
		{"then the other", []string{"c1 t1 f A B", "c2 t2 f B C", "undo f C B 2", "undo f B A 1", "redo2 f A B 1"}, StepRedo, Scope{}, "B",
			"C [2]"},
		{"a redo that lost something", []string{"c1 t1 f A B", "undo f B A 1", "c2 t2 f A C", "redo1 f C B 1 back 2"}, StepRedo, Scope{},
			"B", "C [2]"},
		{"and back", []string{"c1 t1 f A B", "undo f B A 1", "c2 t2 f A C", "redo1 f C B 1 back 2", "redo2 f B C 2 back 1"}, StepRedo,
			Scope{Turn: "t1"}, "C", "B [1] a later turn (Edit): A C"},
		{"an older step", []string{"c1 t1 f A B", "undo f B A 1", "c2 t2 f A C", "undo f C A 2", "redo1 f A B 1"}, StepRedo, Scope{}, "B",
			"C [2] an earlier turn (Edit): A B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := fold(script(t, c.rows...)...)
			plan := g.planUndo
			if c.kind == StepRedo {
				plan = g.planRedo
			}
			got := "none"
			for _, tr := range g.tracks {
				if p, ok := plan(tr, c.scope); ok {
					got = described(p.against(st(c.now), nil, nil))
				}
			}
			if got != c.want {
				t.Errorf("plan: %s\nwant: %s", got, c.want)
			}
		})
	}
}

// letter returns the content of a state of a test.
func letter(s snapshot.State) string {
	for _, c := range []string{"-", "A", "B", "C", "D", "X", "Y"} {
		if s.Same(st(c)) {
			return c
		}
	}
	return "?"
}

// octalMode returns the mode that chmod would set.
func octalMode(bits uint32) fs.FileMode {
	m := fs.FileMode(bits & 0o777)
	if bits&0o4000 != 0 {
		m |= fs.ModeSetuid
	}
	return m
}

// described returns a plan for a file in words.
func described(f PlanFile) string {
	if f.Refused != "" {
		return f.Refused
	}
	out := fmt.Sprintf("%s %v", letter(f.To), f.Changes)
	for i, l := range f.Lost {
		out += map[bool]string{true: " ", false: "; "}[i == 0] + l.By + ": " + letter(l.From) + " " + letter(l.To)
	}
	return out
}
