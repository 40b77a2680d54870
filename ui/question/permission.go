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
		q.Title = "Run this in " + style.Visible(style.ShortPath(o.Dir, o.Home)) + "?"
		q.Body, q.Permission.Marks = marked(a.Command, a.Parts)
		q.Permission.Parts = partsOf(a)
		q.About = description(a.Input)
	case a.Edit != nil:
		q.Title, q.Reveal = style.Spell(style.OneLine(style.Capital(verb)+" "+subject+"?")), true
		if q.Ask.Child != "" { // the rows of a child are folded, so the change is shown here
			q.Body = patchLines(a, o)
			q.First = ChangedLine(q.Body)
		}
	default:
		q.Title = style.Spell(style.OneLine(style.Capital(strings.TrimSpace(verb+" "+subject)) + "?"))
		if a.Path == "" || strings.HasSuffix(subject, "…") {
			q.Body = inputLines(a.Input)
		}
	}
	q.Detail = style.Spell(style.OneLine(a.Reason))
	if q.Detail == q.About {
		q.Detail = "" // a runtime gives the agent's words as its reason too
	}
	if q.Detail == "" && len(q.Permission.Parts) == 0 && len(a.Parts) == 1 {
		q.Detail = style.Spell(style.OneLine(a.Parts[0].Why))
	}
	q.allow()
	if o.Explain {
		q.Explain = explanation(q.Choices)
	}
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

// allow fills in the choices, with the harmless one selected. Those that save the rule carry the rule of the moment.
func (q *Question) allow() {
	p := q.Permission
	yes := func(key, label, short string, scope session.Scope) {
		c := Choice{Key: key, Label: label, Short: short, Answer: session.Answer{Decision: session.Allow, Scope: scope}}
		if scope != session.ScopeOnce {
			rule := p.rules.current()
			c.Answer.Rule = &rule
		}
		c.Select = scope == session.ScopeProject || scope == session.ScopeGlobal
		q.Choices = append(q.Choices, c)
	}
	q.Choices = nil
	yes("y", "once", "once", session.ScopeOnce)
	switch rule, ok := p.Rule(); {
	case ok && rule.Destination != "":
		yes("s", "and save the rule", "save", session.ScopeSession)
	case ok:
		yes("s", "this session", "session", session.ScopeSession)
		yes("p", "this project", "project", session.ScopeProject)
		yes("g", "everywhere", "global", session.ScopeGlobal)
	}
	lasting := len(q.Choices) > 1
	q.Choices = append(q.Choices, Choice{Key: "t", Label: "yes, and say…", Short: "+say", Why: "with your yes", Select: true,
		Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}})
	q.At = len(q.Choices)
	q.Choices = append(q.Choices, Choice{Key: "n", Label: "no", Short: "no", Answer: Declined(), Break: lasting},
		Choice{Key: "m", Label: "no, and say why", Short: "why", Answer: Declined(), Why: "why not"})
	if p.Editable() {
		q.Choices = append(q.Choices, Choice{Key: "e", Label: "edits", Do: EditRule})
	}
	switch n := len(p.Alike); {
	case p.All:
		q.Choices = append(q.Choices, Choice{Key: "a", Label: "only the first", Do: TakeOne})
	case n > 1:
		q.Choices = append(q.Choices, Choice{Key: "a", Label: "all " + human.Number(n), Do: TakeAll})
	}
}

// explanation returns what the keys of a permission's choices do.
func explanation(choices []Choice) string {
	words := []string{"y allows it once"}
	for _, c := range choices {
		switch {
		case c.Answer.Scope == session.ScopeSession:
			words = append(words, "s what the rule covers until the session ends")
		case c.Key == "g":
			words = append(words, "p and g for longer")
		}
	}
	return strings.Join(append(words, "n refuses"), ", ") + "."
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

// inputLines returns the input of a tool without a display of its own, indented and in full.
func inputLines(in json.RawMessage) []string {
	var b bytes.Buffer
	if len(in) <= 2 {
		return nil
	}
	if json.Indent(&b, in, "", "  ") != nil {
		b.Reset()
		b.Write(in)
	}
	return strings.Split(style.Spell(b.String()), "\n")
}
