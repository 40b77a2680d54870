package changes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/ui/md/cells"
)

// Step prints what a step does to files.
type Step struct {
	*Session
	Plan  changes.Plan
	diffs []session.FileEdit   // of each file, from what stands there to what will
	lost  [][]session.FileEdit // of each file, what each loss changed
}

// Compare returns the step of a plan, with the states of the plan compared.
func (s *Session) Compare(ctx context.Context, plan changes.Plan) (*Step, error) {
	p := &Step{Session: s, Plan: plan}
	for _, f := range p.Plan.Files {
		var lost []session.FileEdit
		now, err := s.kept(ctx, f)
		if err != nil {
			return nil, err
		}
		kept := func(st snapshot.State) snapshot.State {
			if st.Same(now) {
				return now
			}
			return st
		}
		d, err := s.compare(ctx, f.Path, kept(f.From), kept(f.To))
		if err != nil {
			return nil, err
		}
		for _, loss := range f.Lost {
			e, err := s.compare(ctx, f.Path, kept(loss.From), kept(loss.To))
			if err != nil {
				return nil, err
			}
			lost = append(lost, e)
		}
		p.diffs, p.lost = append(p.diffs, d), append(p.lost, lost)
	}
	return p, nil
}

// compare compares two states of a file. One whose content cannot be read has a note.
func (s *Session) compare(ctx context.Context, path string, from, to snapshot.State) (session.FileEdit, error) {
	e, err := s.Log.Diff(ctx, path, from, to)
	if err == nil || ctx.Err() != nil {
		return e, err
	}
	return session.FileEdit{Path: path, Note: "can't be compared: " + session.ProblemOf(err, time.Now()).What}, nil
}

// kept returns what stands at a file of a plan, with its content kept if it differs from what is planned: a plan only looks at
// the file.
func (s *Session) kept(ctx context.Context, f changes.PlanFile) (snapshot.State, error) {
	if f.From.Kind != snapshot.File || f.From.Sum == "" || f.From.Same(f.To) {
		return f.From, nil
	}
	now, err := s.Store.Take(ctx, f.Path)
	if ctx.Err() == nil && err != nil {
		return f.From, nil // the step finds out about it
	}
	return now, err
}

// Willing returns how many files the step can write, and in how many of them something is lost.
func (p *Step) Willing() (files, losing int) {
	for _, f := range p.Plan.Files {
		if f.Refused != "" {
			continue
		}
		files++
		if len(f.Lost) > 0 {
			losing++
		}
	}
	return files, losing
}

// action is the effect of a step on a file.
func action(f changes.PlanFile) string {
	switch {
	case f.Refused != "":
		return "leave"
	case f.From.Same(f.To):
		return "keep"
	case f.To.Kind == snapshot.None:
		return "remove"
	case f.From.Kind == snapshot.None:
		return "create"
	}
	return "write"
}

// actionNames name the actions for people.
var actionNames = map[string]string{"leave": "leave alone", "keep": "as it is", "remove": "remove", "create": "bring back", "write": "restore"}

// maxTitle bounds the title of the session, in columns.
const maxTitle = 60

// Print prints the plan: a row for each file, and below what would be lost.
func (p *Step) Print() error {
	out := p.Out
	l := output.List{Most: output.MaxMessage, Plain: [][]string{}, Columns: []output.Column{{Head: " ", Style: planStyle}, {Head: "FILE", Wraps: true}, {Head: "STEP"},
		{Head: "LINES", Style: output.Quiet}, {Head: "NOTE", Wraps: true, Below: true, Style: output.Quiet}}}
	for i, f := range p.Plan.Files {
		mark, note := " ", p.diffs[i].Note
		switch {
		case f.Refused != "":
			mark, note = "!", f.Refused
		case len(f.Lost) > 0:
			mark, note = "!", "loses changes by "+p.losers(f)
		}
		row := []string{mark, p.Name(f.Path), actionNames[action(f)], lineCounts(p.diffs[i]), note}
		l.Rows = append(l.Rows, row)
		l.Plain = append(l.Plain, []string{action(f), f.Path, row[3], note})
	}
	if out.Terminal() == nil {
		return out.List(l)
	}
	head := fmt.Sprintf("Session %.8s", p.ID)
	if p.Title != "" {
		head += ": " + cells.Truncate(cells.OneLine(p.Title), maxTitle, "…", cells.WcWidth)
	}
	if err := out.Canvas().Print([]string{output.Bold.Render(cells.OneLine(head)), ""}); err != nil {
		return err
	}
	if err := out.List(l); err != nil {
		return err
	}
	return out.Canvas().Print(p.lostLines())
}

func planStyle(string) lipgloss.Style { return output.Warn }

// lineCounts returns the numbers of lines, such as "+3 -1".
func lineCounts(e session.FileEdit) string {
	var parts []string
	if e.Added > 0 {
		parts = append(parts, fmt.Sprintf("+%d", e.Added))
	}
	if e.Removed > 0 {
		parts = append(parts, fmt.Sprintf("-%d", e.Removed))
	}
	return strings.Join(parts, " ")
}

// losers names who made what a step loses, each once.
func (p *Step) losers(f changes.PlanFile) string {
	var by []string
	for _, loss := range f.Lost {
		if name := p.loser(loss); !slices.Contains(by, name) {
			by = append(by, name)
		}
	}
	return strings.Join(by, "; ")
}

// loser names who made a difference that a step loses.
func (p *Step) loser(l changes.Loss) string {
	for _, c := range p.All {
		if l.Change != 0 && c.ID == l.Change {
			return p.maker(c)
		}
	}
	return l.By
}

// maxLost bounds the lines that show what one file loses.
const maxLost = 60

// lostLines draws what the step would lose.
func (p *Step) lostLines() (lines []string) {
	for i, f := range p.Plan.Files {
		if f.Refused != "" {
			continue
		}
		for j, loss := range f.Lost {
			if lines == nil {
				lines = append(lines, "", output.Bold.Render("What would be lost"))
			}
			head := p.Name(f.Path) + ": changed by " + p.loser(loss)
			if !loss.At.IsZero() {
				head += ", " + human.Ago(time.Since(loss.At))
			}
			lines = append(lines, "")
			for _, row := range output.Measure.Fold(cells.OneLine(head), p.Out.Canvas().Prose()) {
				lines = append(lines, output.Bold.Render(row))
			}
			lines = append(lines, lossLines(p.lost[i][j])...)
		}
	}
	if lines != nil {
		lines = append(lines, "")
	}
	return lines
}

// lossLines draws one difference.
func lossLines(e session.FileEdit) []string {
	var lines []string
	if e.Note != "" {
		lines = append(lines, output.Faint.Render(cells.OneLine(e.Note)))
	}
	if e.Patch == "" {
		return lines
	}
	patch := patchLines(e.Patch)
	if more := len(patch) - maxLost; more > 0 {
		patch = append(patch[:maxLost], output.Faint.Render("… and "+human.Count(more, "more line", "more lines")))
	}
	return append(lines, patch...)
}

// PrintOutcome prints what became of the plan.
func (p *Step) PrintOutcome(out changes.Outcome, complain func(what string, next ...string)) error {
	to := p.Out
	n := 0
	for _, f := range p.Plan.Files {
		if slices.Contains(out.Done, f.Path) && action(f) != "keep" {
			n++
		}
	}
	files := human.Count(n, "file", "files")
	switch {
	case len(out.Done) > 0 && n == 0:
		if err := to.Sentence("Nothing to change: the files are as they would become."); err != nil {
			return err
		}
	case n > 0 && p.Plan.Kind == changes.StepRedo:
		if err := to.Sentence("Brought back the changes of %s.", files); err != nil {
			return err
		}
	case n > 0:
		if err := to.Sentence("Undid the changes of %s. To bring them back: `parley sessions undo --redo %s`", files, p.ID); err != nil {
			return err
		}
	}
	for _, f := range p.Plan.Files {
		if why, left := out.Left[f.Path]; left {
			complain(fmt.Sprintf("%s was left alone.", p.Name(f.Path)), why)
		}
	}
	return nil
}

// StepJSON is the outcome of a step as JSON.
type StepJSON struct {
	ID    session.ID       `json:"id"`
	Step  changes.StepKind `json:"step"`
	Files []undoneFile     `json:"files"`
}

type undoneFile struct {
	Path    string     `json:"path"`
	Action  string     `json:"action"` // write, create, remove, keep or leave
	Done    bool       `json:"done"`
	Why     string     `json:"why,omitempty"` // it is not done
	From    stateJSON  `json:"from"`
	To      stateJSON  `json:"to"`
	Added   int        `json:"added"`
	Removed int        `json:"removed"`
	Lost    []lossJSON `json:"lost,omitempty"`
}

type lossJSON struct {
	By      string `json:"by"`
	Turn    int    `json:"turn,omitempty"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Patch   string `json:"patch,omitempty"`
}

// Outcome returns what became of the plan as JSON.
func (p *Step) Outcome(out changes.Outcome) StepJSON {
	all := StepJSON{ID: p.ID, Step: p.Plan.Kind, Files: []undoneFile{}}
	for i, f := range p.Plan.Files {
		one := undoneFile{Path: f.Path, Action: action(f), Done: slices.Contains(out.Done, f.Path), Why: out.Left[f.Path], From: stateOf(f.From),
			To: stateOf(f.To), Added: p.diffs[i].Added, Removed: p.diffs[i].Removed}
		if one.Why == "" {
			one.Why = f.Refused
		}
		for j, loss := range f.Lost {
			e := p.lost[i][j]
			l := lossJSON{By: p.loser(loss), Added: e.Added, Removed: e.Removed, Patch: e.Patch}
			for _, c := range p.All {
				if loss.Change != 0 && c.ID == loss.Change {
					l.Turn = p.Number(c.Turn)
				}
			}
			one.Lost = append(one.Lost, l)
		}
		all.Files = append(all.Files, one)
	}
	return all
}
