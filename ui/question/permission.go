package question

import (
	"bytes"
	"encoding/json"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// Permission is what a question about a tool call shows besides its subject, and what its lasting answers save.
type Permission struct {
	// Marks are the marked stretches of each line of the question's Body; nil without any.
	Marks [][]Mark
	// Parts are the parts of the command with what the rules say of each, to be shown below it.
	Parts []Part
	// Alike are the open asks that may be answered together, in order and with the question's own; fewer than two: none.
	Alike []*session.Ask
	// All means that the answer is for all of Alike, which the Body lists.
	All bool

	// Why means that the question shows why the user is asked: the rules and what they say of each part.
	Why bool

	ask    *session.PermissionAsk
	rules  rules
	o      Options
	single *Question // the question about one ask that a question about all stands for
}

// permission fills in the question whether a tool may act.
func (q *Question) permission(a *session.PermissionAsk, o Options) {
	q.Permission = &Permission{ask: a, o: o, rules: rules{offered: a.Rules}}
	d := toolview.Describe(a.Tool, a.Input, o.Dir)
	verb := wanted(a, d)
	subject := wholeSubject(a, d, o.Dir)
	switch {
	case a.Command != "":
		q.Title = "Run this command?"
		q.Body, q.Permission.Marks = marked(a.Command, a.Parts)
		q.Permission.Parts = partsOf(a)
		q.About = description(a.Input)
	case a.Edit != nil:
		q.Title, q.Reveal = style.Spell(style.OneLine(style.Capital(verb)+" "+subject+"?")), true
		if q.Ask.Child != "" { // the rows of a child are folded, so the change is shown here
			q.Body, q.Change = patchLines(a, o), toolview.Changes(a.Edits())
			q.First = ChangedLine(q.Body)
		}
	default:
		q.Title = style.Spell(style.OneLine(style.Capital(strings.TrimSpace(verb+" "+subject)) + "?"))
		if a.Path == "" || strings.HasSuffix(subject, "…") {
			q.Body = inputLines(a.Input, subject)
		}
	}
	q.Detail = style.Spell(style.OneLine(a.Reason))
	q.Caution = style.Spell(style.OneLine(a.Caution))
	if q.Detail == q.About {
		q.Detail = "" // a runtime gives the agent's words as its reason too
	}
	if q.Detail == "" && len(q.Permission.Parts) == 0 && len(a.Parts) == 1 {
		q.Detail = style.Spell(style.OneLine(a.Parts[0].Why))
	}
	q.allow()
	q.Explain = o.Explain
}

// Explanation returns what typing does meanwhile, for the empty field below the first question in a window of w columns; "" where
// the user knows.
func (q *Question) Explanation(w int) string {
	switch {
	case !q.Explain:
		return ""
	case w < 50:
		return "nothing typed here answers"
	}
	return "type here instead; nothing typed answers"
}

// patchLines returns the changes of a call as text; those of several files stand each under the name of its file.
func patchLines(a *session.PermissionAsk, o Options) (lines []string) {
	for _, e := range a.Edits() {
		if len(a.More) > 0 {
			lines = append(lines, style.Spell(style.OneLine(shortened(e.Path, o.Dir, o.Home))))
		}
		lines = append(lines, strings.Split(strings.TrimRight(style.Visible(e.Patch), "\n"), "\n")...)
	}
	return lines
}

// wanted returns the verb for what a tool wants to do, such as "edit".
func wanted(a *session.PermissionAsk, d toolview.Display) string {
	verb := strings.TrimPrefix(d.Want, "wants to ")
	if verb == "" || verb == d.Want {
		return "use " + a.Tool
	}
	return verb
}

// allow fills in the choices and selects the first: yes once, the lasting yes with the rule of the moment, no, no with words.
func (q *Question) allow() {
	p := q.Permission
	yes := Choice{Key: "y", Digit: "1", Label: "Yes", Short: "Yes", Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}}
	no := []Choice{{Key: "n", Digit: "3", Label: "No", Short: "No", Answer: Declined()},
		{Key: "m", Digit: "4", Label: "No, and say what to do instead", Short: "Instead", Answer: Declined(), Why: "what to do instead"}}
	q.Choices, q.At = append([]Choice{yes}, append(p.lasting(), no...)...), 0
	if p.ask.Dangerous {
		yes.Label, yes.Digit, no[0].Digit, no[1].Digit = "Yes, this once", "", "", ""
		q.Choices = append(no, yes)
	}
	switch n := len(p.Alike); {
	case p.All:
		q.Choices = append(q.Choices, Choice{Key: "A", Label: "Only the first of them", Short: "One", Do: TakeOne})
	case n > 1:
		q.Choices = append(q.Choices, Choice{Key: "A", Label: "All " + human.Number(n) + " like this one", Short: "All", Do: TakeAll})
	}
	if p.editable() {
		q.Choices = append(q.Choices, Choice{Key: "e", Label: "Edit the rule", Hint: "edit the rule", Do: EditRule})
	}
	if q.explains() {
		q.Choices = append(q.Choices, Choice{Key: "i", Label: "Why am I asked?", Hint: "why am I asked", Do: ShowWhy})
	}
	q.Choices = withMore(q.Choices)
}

// lasting returns the choice that saves the rule of the moment, if one is offered.
func (p *Permission) lasting() []Choice {
	if _, ok := p.Rule(); !ok {
		return nil
	}
	rule, scope := p.rules.current(), p.Scope()
	return []Choice{{Key: "a", Digit: "2", Label: p.sentence(), Short: "Don't ask again", Lasts: true, Select: scope != session.ScopeSession,
		Answer: session.Answer{Decision: session.Allow, Scope: scope, Rule: &rule}}}
}

// wholeSubject returns what a tool acts on: the path in full, where the display of the call shortens it.
func wholeSubject(a *session.PermissionAsk, d toolview.Display, dir string) string {
	if a.Path == "" {
		return d.Subject
	}
	if path := shortened(a.Path, dir, ""); d.Subject == "" || strings.HasPrefix(path, strings.TrimSuffix(d.Subject, "…")) {
		return path
	}
	return d.Subject
}

// description returns the agent's description of a command, on one line.
func description(in json.RawMessage) string {
	var words struct {
		Description string `json:"description"`
	}
	_ = json.Unmarshal(in, &words)
	return style.Visible(style.OneLine(words.Description))
}

// ChangedLine returns the index of the first added or removed line of a patch, 0 if there is none.
func ChangedLine(lines []string) int {
	for i, line := range lines {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			return i
		}
	}
	return 0
}

// inputLines returns the input of a tool without a display of its own, indented and in full. It is left out if its only value is what
// the question says already.
func inputLines(in json.RawMessage, said string) []string {
	var b bytes.Buffer
	if len(in) <= 2 {
		return nil
	}
	var members map[string]any
	if json.Unmarshal(in, &members) == nil && len(members) == 1 && said != "" {
		for _, v := range members {
			if v == any(said) {
				return nil
			}
		}
	}
	if json.Indent(&b, in, "", "  ") != nil {
		b.Reset()
		b.Write(in)
	}
	return strings.Split(style.Spell(b.String()), "\n")
}
