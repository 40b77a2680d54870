package listing

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session/edits"
)

// Called returns what a row is called in a sentence, such as "turn 2", "retry.go" or "retry.go in turn 2".
func (n Names) Called(r Row) string {
	turn := ""
	switch {
	case r.Number > 0:
		turn = "turn " + human.Number(r.Number)
	case r.Path == "":
		turn = "changes outside of turns"
	}
	switch {
	case r.Path == "":
		return turn
	case turn == "":
		return n.Short(r.Path)
	}
	return n.Short(r.Path) + " in " + turn
}

// Sorted are the files of a plan by what stands against it.
type Sorted struct {
	Free    []edits.PlanFile // nothing
	Losing  []edits.PlanFile // something would be lost
	Refused []edits.PlanFile // they stay as they are
}

// Sort sorts the files of a plan.
func Sort(p edits.Plan) (s Sorted) {
	for _, f := range p.Files {
		switch {
		case f.Refused != "":
			s.Refused = append(s.Refused, f)
		case len(f.Lost) > 0:
			s.Losing = append(s.Losing, f)
		default:
			s.Free = append(s.Free, f)
		}
	}
	return s
}

// Verb returns what a step does, such as "undo".
func Verb(k edits.StepKind) string { return string(k) }

// Verbing returns what a step is doing, such as "undoing".
func Verbing(k edits.StepKind) string {
	if k == edits.StepRedo {
		return "bringing back"
	}
	return string(k) + "ing"
}

// Asks returns the title and the explanation of the question whether to carry out a plan that loses or refuses something.
// called is what the plan is about, back how its losses are brought back, such as "r brings it back".
func (s Sorted) Asks(k edits.StepKind, called, back string) (title, text string) {
	title = strings.ToUpper(Verb(k)[:1]) + Verb(k)[1:] + " " + called + "?"
	all := len(s.Free) + len(s.Losing) + len(s.Refused)
	var parts []string
	if n := len(s.Losing); n > 0 {
		what := human.Count(n, "file has", "files have")
		if all > n {
			what = fmt.Sprintf("%d of its %d files %s", n, all, map[bool]string{true: "has", false: "have"}[n == 1])
		}
		parts = append(parts, strings.ToUpper(what[:1])+what[1:]+" other changes that would be lost: "+back+".")
	}
	if n := len(s.Refused); n > 0 {
		parts = append(parts, human.Count(n, "file stays as it is", "files stay as they are")+", as said below.")
	}
	return title, strings.Join(parts, " ")
}

// Nothing returns what to report if a plan has no files.
func Nothing(k edits.StepKind, called string) string {
	if k == edits.StepRedo {
		return "Nothing of " + called + " was undone."
	}
	return "Nothing of " + called + " is left to undo."
}

// Done returns what to report of a step: what was done, and what was left with the first reason. back is how it is taken back.
// warn reports that something was left.
func (n Names) Done(k edits.StepKind, out edits.Outcome, called string, back func(files int) string) (text string, warn bool) {
	verb := "Undid "
	if k == edits.StepRedo {
		verb = "Brought back "
	}
	var parts []string
	switch len(out.Done) {
	case 0:
	case 1:
		what := n.Short(out.Done[0])
		if strings.HasPrefix(called, "turn ") {
			what += " in " + called
		} else if called != "" {
			what = called
		}
		parts = append(parts, verb+what+"."+back(1))
	default:
		what := human.Number(len(out.Done)) + " files"
		if called != "" {
			what += " of " + called
		}
		parts = append(parts, verb+what+"."+back(len(out.Done)))
	}
	left := make([]string, 0, len(out.Left))
	for p := range out.Left {
		left = append(left, p)
	}
	slices.Sort(left)
	if len(left) > 0 {
		first := n.Short(left[0]) + " stays as it is: " + out.Left[left[0]]
		if len(left) > 1 {
			first = human.Number(len(left)) + " files stay as they are. " + first
		}
		parts = append(parts, first)
	}
	if len(parts) == 0 {
		parts = append(parts, "Nothing was changed.")
	}
	return strings.Join(parts, " "), len(left) > 0
}

// AcceptedNote returns what to report after so many files were accepted.
func AcceptedNote(files int, called string) string {
	switch files {
	case 0:
		return "Nothing of " + called + " is left to accept."
	case 1:
		return "Accepted " + called + "."
	}
	return "Accepted " + human.Number(files) + " files of " + called + "."
}
