package guard

import (
	"cmp"
	"encoding/json"

	"parley/internal/jsonedit"
	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// Reasons why the hook makes the runtime ask about commands.
const (
	uncovered = "Asked: no rule allows this command."
	onlyReads = "Asked: in plan mode only commands that read run by themselves."
	// answered is the reason for an allowed command about which parley wants to be asked: it answers with what has to run.
	answered = "Asked: parley answers with the form in which this command was judged."
)

// isCommand reports whether a call runs a command, which is never the runtime's to judge.
func (c Call) isCommand() bool {
	var in input
	return c.kind() == toolview.Command && (c.Tool == "Bash" || json.Unmarshal(c.Input, &in) != nil || in.Command != "" || in.Code != "")
}

// command returns the verdict on a command that no rule denies or asks about; d is the decision of the rules outside of plan mode.
// With rules of the user that the runtime keeps, and in plan mode, the runtime asks about an allowed one, too; see the package.
func (g Guard) command(p permission.Policy, c Call, a session.PermissionAsk, d permission.Decision) Verdict {
	bypass := c.Mode == session.ModeBypass
	if c.Mode == session.ModePlan && d.Ruling == permission.Allow {
		p.Mode = c.Mode
		if d = p.Decide(toolview.Command, a); d.Ruling != permission.Allow {
			d.Reason = onlyReads
		}
	}
	switch {
	case bypass && (c.Tool != "Bash" || d.Run == ""):
		return Verdict{}
	case d.Ruling != permission.Allow:
		return Verdict{Ruling: permission.Ask, Reason: cmp.Or(d.Reason, uncovered)}
	}
	run, ok := c.running(d.Run)
	switch {
	case !ok:
		return NotUnderstood
	case c.Mode == session.ModePlan, d.Run != "" && g.hasOwnRules():
		return Verdict{Ruling: permission.Ask, Reason: answered}
	case d.Run == "":
		return Verdict{Ruling: permission.Allow}
	}
	return Verdict{Ruling: permission.Allow, Run: d.Run, input: string(run)}
}

// discards finds what every version of the runtime replaces by "/dev/null" in a command, also within quotes.
var discards = lazyregexp.New(`(?i)>\s*nul`)

// running returns the input of a call to Bash with another command, or as it is for none; all else stays, byte for byte. It reports
// false for fields that parley does not know, such as one that leaves the runtime's sandbox, but in bypassPermissions, and for
// texts that the runtime would change.
func (c Call) running(run string) (json.RawMessage, bool) {
	var at, times = jsonedit.Span{}, 0
	s := jsonedit.Scan(c.Input)
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		key := s.Key()
		value := s.Value()
		switch s.String(key) {
		case "command":
			at, times = value, times+1
		case "description", "timeout", "run_in_background":
		default:
			if text := string(c.Input[value.From:value.To]); text != "false" && text != "null" && c.Mode != session.ModeBypass {
				return nil, false
			}
		}
	}
	if s.End() != nil || times != 1 || c.Tool != "Bash" || discards.MatchString(cmp.Or(run, s.String(at))) {
		return nil, false
	}
	if run == "" {
		return c.Input, true
	}
	return jsonedit.Apply(c.Input, []jsonedit.Edit{{Span: at, Text: jsonedit.Quote(run)}}), true
}
