package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session/changes"
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
	Free    []changes.PlanFile // nothing
	Losing  []changes.PlanFile // something would be lost
	Refused []changes.PlanFile // they stay as they are
}

// Sort sorts the files of a plan.
func Sort(p changes.Plan) (s Sorted) {
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
func Verb(k changes.StepKind) string { return string(k) }

// Verbing returns what a step is doing, such as "undoing".
func Verbing(k changes.StepKind) string {
	if k == changes.StepRedo {
		return "bringing back"
	}
	return string(k) + "ing"
}

// Asks returns the title and the explanation of the question whether to carry out a plan that loses or refuses something.
// called is what the plan is about, back how its losses are brought back, such as "r brings them back".
func (s Sorted) Asks(k changes.StepKind, called, back string) (title, text string) {
	title = strings.ToUpper(Verb(k)[:1]) + Verb(k)[1:] + " " + called + "?"
	all := len(s.Free) + len(s.Losing) + len(s.Refused)
	var parts []string
	if n := len(s.Losing); n > 0 {
		what := human.Count(n, "file", "files")
		if all > n {
			what = fmt.Sprintf("%d of %d files", n, all)
		}
		has := " have"
		if n == 1 {
			has = " has"
		}
		parts = append(parts, what+has+" other changes, which this would lose ("+back+").")
	}
	if n := len(s.Refused); n > 0 {
		parts = append(parts, human.Count(n, "file stays as it is", "files stay as they are")+".")
	}
	return title, strings.Join(parts, " ")
}

// Choice is an answer to the question.
type Choice struct {
	Text string
	Does bool // it carries out the plan
	Lose bool // with what that loses
}

// Choices returns the answers to the question. The first one does nothing.
func (s Sorted) Choices(k changes.StepKind) []Choice {
	all := []Choice{{Text: "leave everything as it is"}}
	free, losing := len(s.Free), len(s.Losing)
	switch {
	case free == 0:
	case losing > 0:
		all = append(all, Choice{Text: fmt.Sprintf("%s the %d without other changes", Verb(k), free), Does: true})
	case free == 1:
		all = append(all, Choice{Text: Verb(k) + " the other file", Does: true})
	default:
		all = append(all, Choice{Text: fmt.Sprintf("%s the other %d files", Verb(k), free), Does: true})
	}
	switch {
	case losing == 0:
	case free+losing == 1:
		all = append(all, Choice{Text: Verb(k) + " it, and lose what is shown", Does: true, Lose: true})
	default:
		all = append(all, Choice{Text: fmt.Sprintf("%s all %d, and lose what is shown", Verb(k), free+losing), Does: true, Lose: true})
	}
	return all
}

// Takes returns the function for Apply that accepts the losses of a plan if lose is set.
func (s Sorted) Takes(lose bool) func(path string) bool {
	losing := map[string]bool{}
	for _, f := range s.Losing {
		losing[f.Path] = lose
	}
	return func(path string) bool { return losing[path] }
}

// Clear reports whether a plan has files, and nothing stands against any of them.
func (s Sorted) Clear() bool { return len(s.Free) > 0 && len(s.Losing)+len(s.Refused) == 0 }

// LostBy returns who made what would be lost, with the number of the turn if an agent did. all are the changes of the log.
func (n Names) LostBy(l changes.Loss, all []changes.Change) string {
	for _, c := range all {
		if c.ID != l.Change || l.Change == 0 {
			continue
		}
		if number, _ := n.Turn(c.Turn); number > 0 {
			return "turn " + human.Number(number) + " (" + cmp.Or(c.Command, c.Tool) + ")"
		}
	}
	return l.By
}

// Nothing returns what to report if a plan has no files.
func Nothing(k changes.StepKind, called string) string {
	if k == changes.StepRedo {
		return "Nothing of " + called + " was undone."
	}
	return "Nothing of " + called + " is left to undo."
}

// Done returns what to report of a step: what was done, and what was left with the first reason. back is how it is taken back.
// warn reports that something was left.
func (n Names) Done(k changes.StepKind, out changes.Outcome, called string, back func(files int) string) (text string, warn bool) {
	verb := "Undid "
	if k == changes.StepRedo {
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
		first := n.Short(left[0]) + " stays as it is: " + Clause(out.Left[left[0]])
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

// Clause returns a sentence as it follows a colon.
func Clause(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(next) { // an abbreviation
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// AcceptedNote returns what to report after so many files were accepted.
func AcceptedNote(files int, called string) string {
	switch files {
	case 0:
		return "Nothing of " + called + " is left to keep."
	case 1:
		return "Kept " + called + "."
	}
	return "Kept " + human.Number(files) + " files of " + called + "."
}
