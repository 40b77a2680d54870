package ui

import (
	"bytes"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/toolview"
	"parley/ui/chat"
	"parley/ui/style"
)

// asking is what a prompt has to know besides the ask.
type asking struct {
	dir, home string
	// who is the child agent that asks, in words; empty for the agent itself.
	who string
	// problem says why a permission mode cannot be had, "" if it can.
	problem func(session.Mode) string
	// opens says that addresses can be opened in a browser.
	opens bool
}

// newPrompt makes the prompt of an ask, with the choice selected that lets nothing happen.
func newPrompt(a *session.Ask, c asking) *prompt {
	p := &prompt{ask: a}
	no := choice{key: "n", label: "no", short: "no", answer: session.Answer{Decision: session.Deny}}
	switch {
	case a.Permission != nil:
		p.permission(a.Permission, c)
	case a.Plan != nil:
		p.plan(c)
	case a.Question != nil:
		p.form = questionForm(a.Question)
		p.title = "The agent asks"
		p.choices = []choice{{answer: declined(), say: "why you do not answer"}}
	case a.Elicitation != nil:
		p.elicitation(a.Elicitation, c)
	default:
		p.title = "The agent asks something that parley does not know"
		p.choices = []choice{no}
	}
	if c.who != "" {
		p.title = c.who + ": " + p.title
	}
	return p
}

// permission fills in the question whether a tool may act.
func (p *prompt) permission(a *session.PermissionAsk, c asking) {
	d := toolview.Describe(a.Tool, a.Input, c.dir)
	verb := strings.TrimPrefix(d.Want, "wants to ")
	if verb == "" || verb == d.Want {
		verb = "use " + a.Tool
	}
	switch {
	case a.Command != "":
		p.title = "Run this in " + style.Visible(style.ShortPath(c.dir, c.home)) + "?"
		p.body = strings.Split(style.Spell(a.Command), "\n")
		p.about = describedAs(a.Input)
	case a.Edit != nil:
		p.title, p.reveal = style.Spell(style.OneLine(style.Capital(verb)+" "+wholeSubject(a, d, c.dir)+"?")), true
		if p.ask.Child != "" { // what a child does is folded away, so the change is shown here
			p.body = strings.Split(strings.TrimRight(style.Visible(a.Edit.Patch), "\n"), "\n")
			p.first = changedLine(p.body)
		}
	default:
		p.title = style.Spell(style.OneLine(style.Capital(strings.TrimSpace(verb+" "+wholeSubject(a, d, c.dir))) + "?"))
		if a.Path == "" || strings.HasSuffix(wholeSubject(a, d, c.dir), "…") {
			p.body = inputLines(a.Input)
		}
	}
	p.detail = style.Spell(style.OneLine(a.Reason))
	once := session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}
	no := session.Answer{Decision: session.Deny}
	p.choices = []choice{{key: "y", label: "once", short: "once", answer: once}}
	if len(a.Rules) > 0 {
		rule := a.Rules[0]
		p.choices = append(p.choices, choice{key: "s", label: "this session: " + style.Spell(style.OneLine(rule.Label)), short: "session",
			answer: session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &rule}})
	}
	p.choices = append(p.choices, choice{key: "n", label: "no", short: "no", answer: no},
		choice{key: "m", label: "no, and say why", short: "why", answer: no, say: "why not"})
	p.at = len(p.choices) - 2
}

// wholeSubject is what a tool acts on: a path in full, where the words of the call cut it.
func wholeSubject(a *session.PermissionAsk, d toolview.Display, dir string) string {
	if a.Path == "" {
		return d.Subject
	}
	if path := shortened(a.Path, dir, ""); d.Subject == "" || strings.HasPrefix(path, strings.TrimSuffix(d.Subject, "…")) {
		return path
	}
	return d.Subject
}

// describedAs is what the agent says that a command is for, on one line.
func describedAs(in json.RawMessage) string {
	var words struct {
		Description string `json:"description"`
	}
	_ = json.Unmarshal(in, &words)
	return style.Visible(style.OneLine(words.Description))
}

// changedLine is the first line of a patch that is added or removed, 0 if none is.
func changedLine(lines []string) int {
	for i, line := range lines {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			return i
		}
	}
	return 0
}

// plan fills in the question whether to go on with a plan. The plan itself stands in the conversation, where it scrolls.
// Modes that cannot be had are not offered.
func (p *prompt) plan(c asking) {
	p.title, p.reveal = "Go on with this plan?", true
	yes := func(key, label, short string, m session.Mode) {
		if c.problem != nil && m != session.ModeDefault && c.problem(m) != "" {
			return
		}
		p.choices = append(p.choices, choice{key: key, label: label, short: short,
			answer: session.Answer{Decision: session.Allow, Scope: session.ScopeOnce, Mode: m}})
	}
	yes("y", "yes, asking before edits", "yes", session.ModeDefault)
	yes("a", "yes, and accept edits", "accept", session.ModeAcceptEdits)
	no := session.Answer{Decision: session.Deny}
	p.at = len(p.choices)
	p.choices = append(p.choices, choice{key: "n", label: "no, keep planning", short: "no", answer: no},
		choice{key: "m", label: "no, and say what to change", short: "change", answer: no, say: "what to change"})
	if p.ask.Plan != nil {
		p.choices = append(p.choices, choice{key: "e", label: "open in the editor", short: "editor", act: (*Model).editPlan})
	}
}

// changedPlan turns the question about a plan into the one whether to send back what the user made of it.
func (p *prompt) changedPlan(text string) {
	p.title = "You changed the plan. Send your version to the agent?"
	back := session.Answer{Decision: session.Deny, Message: chat.EditedPlan + text}
	p.choices = []choice{{key: "y", label: "yes, it plans on with it", short: "yes", answer: back},
		{key: "n", label: "no, drop my changes", short: "no", act: (*Model).dropPlan},
		{key: "e", label: "edit it again", short: "edit", act: func(m *Model) tea.Cmd { return m.editText(text, p) }}}
	p.at = 1
}

// elicitation fills in what an MCP server wants to know, or the address it wants opened.
func (p *prompt) elicitation(e *session.ElicitationAsk, c asking) {
	server := style.Visible(style.OneLine(e.Server))
	if server == "" {
		server = "An MCP server"
	}
	no := session.Answer{Decision: session.Deny}
	if e.URL == "" {
		p.title, p.detail = server+" asks", style.Visible(e.Message)
		p.form = elicitationForm(e)
		p.choices = []choice{{answer: no, say: "why you do not answer"}}
		return
	}
	p.title, p.detail = server+" wants this page opened in your browser", style.Visible(e.Message)
	p.body = strings.Split(style.Visible(e.URL), "\n")
	yes := session.Answer{Decision: session.Allow}
	if c.opens && opensInBrowser(e.URL) {
		p.choices = []choice{{key: "o", label: "open it", short: "open", act: func(m *Model) tea.Cmd {
			return tea.Batch(m.openURL(e.URL), m.answer(yes))
		}}}
	}
	p.choices = append(p.choices, choice{key: "y", label: "yes, I open it myself", short: "yes", answer: yes},
		choice{key: "n", label: "no", short: "no", answer: no})
	p.at = len(p.choices) - 1
	p.escapes = &p.choices[p.at]
}

// inputLines shows the input of a tool that parley knows nothing about, whole.
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
