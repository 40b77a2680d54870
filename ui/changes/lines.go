package changes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/changes"
	"parley/ui/changes/listing"
	"parley/ui/core"
	"parley/ui/style"
)

// Lines is the command /changes in lines: what agents did to files.
type Lines struct {
	talk *core.Lines

	// lossy is a plan that waits until the user has chosen what to lose, nil for none.
	lossy *lossy
}

// lossy is a plan with losses or refusals, and since when it is asked about.
type lossy struct {
	plan    changes.Plan
	called  string
	choices []listing.Choice
	asked   time.Time
}

// changesUsage lists the forms of the command.
const changesUsage = "Write /changes, /changes diff PATH, /changes keep, /changes undo or /changes redo; behind the last three PATH, turn NUMBER or all"

// Run runs the command.
func (v *Lines) Run(args string) {
	t := v.talk
	if t.Options.Changes == nil {
		t.Print("note", "Changes to files are not recorded here.")
		return
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(args), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		v.background(func(b book) func() { return func() { v.list(b) } })
	case "diff":
		v.diff(rest)
	case "keep", "accept":
		v.step(changes.StepAccept, rest)
	case "undo", "redo":
		if rest == "" {
			t.Print("note", "Write what to "+word+": /changes "+word+" PATH, turn NUMBER or all")
			return
		}
		v.step(changes.StepKind(word), rest)
	default:
		t.Print("note", changesUsage)
	}
}

// InLines returns the command for the chat in lines.
func InLines(talk *core.Lines) *Lines { return &Lines{talk: talk} }

// Forget gives up what waits for a choice: it is about another session.
func (v *Lines) Forget() { v.lossy = nil }

// book is the log of the session with what was read of it.
type book struct {
	log   listing.Log
	names listing.Names
	all   []changes.Change
}

// background reads the log beside the chat and calls f there; what f returns is called in the chat's loop.
func (v *Lines) background(f func(book) func()) {
	t := v.talk
	now := t.Current()
	log := t.Options.Changes(now.Session.ID())
	turns, children := numbers(now.Transcript)
	names := listing.Names{Dir: now.Dir, Home: t.Look.Home, Child: func(id session.ChildID) string { return children[id] },
		Turn: func(id session.TurnID) (int, string) { return turns[id].number, turns[id].prompt }}
	t.Background(func() func() {
		all, err := log.Changes(t.Context)
		if err != nil {
			return func() { t.Print("error", "Couldn't read the changes of this session: "+style.OneLine(err.Error())) }
		}
		return f(book{log, names, all})
	})
}

// numbered is a turn by its number.
type numbered struct {
	number int
	prompt string
}

// numbers returns the names of turns and child agents as they are now, for use beside the chat.
func numbers(t *session.Transcript) (map[session.TurnID]numbered, map[session.ChildID]string) {
	turns, children := map[session.TurnID]numbered{}, map[session.ChildID]string{}
	for i, turn := range t.Turns {
		turns[turn.ID] = numbered{i + 1, listing.FirstLine(turn.Prompt.Text)}
		for _, e := range turn.Entries {
			if c, is := e.(*session.Child); is {
				children[c.ID] = c.Name
			}
		}
	}
	return turns, children
}

// statuses are the words for what the user's choices left of a file.
var statuses = map[changes.Status]string{changes.Open: "changed", changes.Accepted: "kept", changes.Undone: "undone"}

// list prints the changes, the newest turn last, where the reader is.
func (v *Lines) list(b book) {
	t := v.talk
	rows := listing.ByTurn(b.all, b.names)
	if len(rows) == 0 {
		t.Print("note", "No file was changed in this session.")
		return
	}
	for end := len(rows); end > 0; {
		head := end - 1
		for rows[head].Under {
			head--
		}
		for _, r := range rows[head:end] {
			t.Print("changes", b.describe(r))
		}
		end = head
	}
	t.Print("note", human.Count(listing.Unaccepted(b.all), "file", "files")+" changed. "+changesUsage)
}

// describe returns a row in words.
func (b book) describe(r listing.Row) string {
	if r.Path == "" {
		text := strings.ToUpper(b.names.Called(r)[:1]) + b.names.Called(r)[1:] + ", " + human.Count(r.Files, "file", "files")
		if r.Prompt != "" {
			text += ": " + style.OneLine(r.Prompt)
		}
		return text
	}
	parts := []string{"  " + style.OneLine(b.names.Short(r.Path)), statuses[r.Status()]}
	if r.By != "" {
		parts = append(parts, "by "+r.By)
	}
	if why := r.Fixed(r.Path); why != "" {
		parts = append(parts, "can't be undone: "+style.OneLine(why))
	}
	return strings.Join(parts, ", ")
}

// choose returns the row that the user named: "all", "turn NUMBER", or the path of a file.
func (b book) choose(words string) (r listing.Row, err error) {
	if words == "" || words == "all" {
		return listing.Row{Key: "all", Changes: b.all}, nil
	}
	if number, is := strings.CutPrefix(words, "turn "); is {
		n, err := strconv.Atoi(strings.TrimSpace(number))
		for _, r := range listing.ByTurn(b.all, b.names) {
			if err == nil && r.Number == n && !r.Under {
				return r, nil
			}
		}
		return r, errors.New("No file was changed in turn " + number + ".")
	}
	for _, r := range listing.ByFile(b.all, b.names) {
		if !r.Under && (r.Path == words || b.names.Short(r.Path) == words) {
			return r, nil
		}
	}
	return r, errors.New("No change of " + words + " is recorded. List them with /changes")
}

// called returns what a row is called.
func (b book) called(r listing.Row) string {
	if r.Key == "all" {
		return "this session"
	}
	return b.names.Called(r)
}

// diff prints the difference of a file, or of a turn.
func (v *Lines) diff(words string) {
	t := v.talk
	if words == "" {
		t.Print("note", "Write which difference to print: /changes diff PATH, turn NUMBER or all")
		return
	}
	v.background(func(b book) func() {
		r, err := b.choose(words)
		if err != nil {
			return func() { t.Print("note", err.Error()) }
		}
		var all []string
		for _, s := range r.Spans() {
			all = append(all, v.patch(b, s)...)
		}
		return func() { v.print(all) }
	})
}

// patch returns a difference in lines. It may block.
func (v *Lines) patch(b book, s listing.Span) []string {
	all := []string{"difference: " + style.OneLine(b.names.Short(s.Path))}
	e, err := b.log.Diff(v.talk.Context, s.Path, s.From, s.To)
	switch {
	case err != nil:
		return append(all, "can't compare: "+style.OneLine(err.Error()))
	case e.Note != "":
		all = append(all, e.Note)
	}
	if e.Patch == "" {
		return all
	}
	return append(all, strings.Split(strings.TrimSuffix(e.Patch, "\n"), "\n")...)
}

// print prints lines, no more than core.MaxLines of them.
func (v *Lines) print(all []string) {
	for i, line := range all {
		if i == core.MaxLines {
			v.talk.Print("note", human.Count(len(all)-i, "more line", "more lines"))
			return
		}
		v.talk.Out(style.Visible(line))
	}
}

// step accepts, undoes or redoes what the user named.
func (v *Lines) step(k changes.StepKind, words string) {
	t := v.talk
	v.background(func(b book) func() {
		r, err := b.choose(words)
		if err != nil {
			return func() { t.Print("note", err.Error()) }
		}
		called := b.called(r)
		if k == changes.StepAccept {
			n, err := b.log.Accept(t.Context, r.Scope())
			if err != nil {
				return v.failed(k, called, err)
			}
			return func() { t.Print("note", listing.AcceptedNote(n, called)) }
		}
		plan := b.log.PlanUndo
		if k == changes.StepRedo {
			plan = b.log.PlanRedo
		}
		p, err := plan(t.Context, r.Scope())
		sorted := listing.Sort(p)
		switch {
		case err != nil:
			return v.failed(k, called, err)
		case len(p.Files) == 0:
			return func() { t.Print("note", listing.Nothing(k, called)) }
		case sorted.Clear():
			return v.apply(b, p, called, false)
		}
		return v.ask(b, p, called)
	})
}

func (v *Lines) failed(k changes.StepKind, called string, err error) func() {
	return func() {
		v.talk.Print("error", "Couldn't "+listing.Verb(k)+" "+called+": "+style.OneLine(err.Error()))
	}
}

// apply carries out a plan beside the chat.
func (v *Lines) apply(b book, p changes.Plan, called string, lose bool) func() {
	out, err := b.log.Apply(v.talk.Context, p, listing.Sort(p).Takes(lose))
	if err != nil {
		return v.failed(p.Kind, called, err)
	}
	back := func(int) string {
		if p.Kind == changes.StepRedo {
			return ""
		}
		return " Bring it back with /changes redo."
	}
	text, warn := b.names.Done(p.Kind, out, called, back)
	return func() { v.talk.Print(map[bool]string{true: "warning", false: "note"}[warn], text) }
}

// ask prints what a plan would lose and what it leaves alone, and waits for a choice if there is one.
func (v *Lines) ask(b book, p changes.Plan, called string) func() {
	s := listing.Sort(p)
	title, text := s.Asks(p.Kind, called, "/changes redo brings them back")
	all := []string{"question: " + title + " " + text}
	for _, f := range s.Losing {
		for _, l := range f.Lost {
			all = append(all, v.patch(b, listing.Span{Path: f.Path, From: l.From, To: l.To})...)
			all = append(all, "this was changed by "+style.OneLine(b.names.LostBy(l, b.all)))
		}
	}
	for _, f := range s.Refused {
		all = append(all, style.OneLine(b.names.Short(f.Path))+" stays as it is: "+listing.Clause(style.OneLine(f.Refused)))
	}
	return func() {
		v.print(all)
		choices := s.Choices(p.Kind)
		if len(choices) == 1 {
			return
		}
		for i, c := range choices {
			v.talk.Out(fmt.Sprintf("%d. %s", i+1, c.Text))
		}
		v.talk.Print("note", "Answer with a number. Any other line leaves everything as it is")
		v.lossy = &lossy{p, called, choices, v.talk.Options.Now()}
	}
}

// Answer takes a line as the choice that is waited for, and reports whether it is one. Any other line leaves everything as it
// is, and so does one that was typed before the question could be read.
func (v *Lines) Answer(line string) bool {
	q, t := v.lossy, v.talk
	if q == nil {
		return false
	}
	v.lossy = nil
	n, err := strconv.Atoi(strings.TrimSpace(line))
	switch {
	case err != nil || n < 1 || n > len(q.choices):
		t.Print("note", "Everything was left as it is")
		return false
	case t.Typed && t.Options.Now().Sub(q.asked) < core.SettleTime:
		t.Print("note", "Everything was left as it is: you typed this before the question could be read")
	case !q.choices[n-1].Does:
		t.Print("note", "Everything was left as it is")
	default:
		v.background(func(b book) func() { return v.apply(b, q.plan, q.called, q.choices[n-1].Lose) })
	}
	return true
}
