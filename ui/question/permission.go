package question

import (
	"bytes"
	"encoding/json"
	"strings"

	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// permission fills in the question whether a tool may act.
func (q *Question) permission(a *session.PermissionAsk, o Options) {
	d := toolview.Describe(a.Tool, a.Input, o.Dir)
	verb := strings.TrimPrefix(d.Want, "wants to ")
	if verb == "" || verb == d.Want {
		verb = "use " + a.Tool
	}
	subject := wholeSubject(a, d, o.Dir)
	switch {
	case a.Command != "":
		q.Title = "Run this in " + style.Visible(style.ShortPath(o.Dir, o.Home)) + "?"
		q.Body = strings.Split(style.Spell(a.Command), "\n")
		q.About = description(a.Input)
	case a.Edit != nil:
		q.Title, q.Reveal = style.Spell(style.OneLine(style.Capital(verb)+" "+subject+"?")), true
		if q.Ask.Child != "" { // the rows of a child are folded, so the change is shown here
			q.Body = strings.Split(strings.TrimRight(style.Visible(a.Edit.Patch), "\n"), "\n")
			q.First = ChangedLine(q.Body)
		}
	default:
		q.Title = style.Spell(style.OneLine(style.Capital(strings.TrimSpace(verb+" "+subject)) + "?"))
		if a.Path == "" || strings.HasSuffix(subject, "…") {
			q.Body = inputLines(a.Input)
		}
	}
	q.Detail = style.Spell(style.OneLine(a.Reason))
	q.Choices = []Choice{{Key: "y", Label: "once", Short: "once", Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}}}
	if len(a.Rules) > 0 {
		rule := a.Rules[0]
		q.Choices = append(q.Choices, Choice{Key: "s", Label: "this session: " + style.Spell(style.OneLine(rule.Label)), Short: "session",
			Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &rule}})
	}
	q.Choices = append(q.Choices, Choice{Key: "n", Label: "no", Short: "no", Answer: Declined()},
		Choice{Key: "m", Label: "no, and say why", Short: "why", Answer: Declined(), Why: "why not"})
	q.At = len(q.Choices) - 2
	if o.Explain {
		q.Explain = explanation(q.Choices)
	}
}

// explanation returns what the keys of a permission's choices do.
func explanation(choices []Choice) string {
	means := map[string]string{"y": "y allows it this once", "s": "s all that is like it until the session ends",
		"n": "n refuses", "m": "m refuses and says why"}
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = means[c.Key]
	}
	return strings.Join(words, ", ") + "."
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
