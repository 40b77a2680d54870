package question

import (
	"strings"
	"unicode/utf8"

	"parley/session"
	"parley/ui/style"
)

// Mark is a stretch of a visible line, in bytes, that is a part of a command.
type Mark struct {
	From, To int
	Allowed  bool
}

// Part is a part of a command as visible text in one line, with what the rules say of it.
type Part struct {
	Text    string
	Allowed bool
	Why     string
}

// valid returns the parts of a command if their bounds can be true: in order, apart, on whole characters; else none.
func valid(command string, parts []session.CommandPart) []session.CommandPart {
	at := 0
	for _, p := range parts {
		if p.Start < at || p.End <= p.Start || p.End > len(command) || !starts(command, p.Start) || !starts(command, p.End) {
			return nil
		}
		at = p.End
	}
	return parts
}

// starts reports whether a character starts at an index, or the text ends there.
func starts(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }

// partsOf returns the parts of a command to be shown below it. There are none where they say nothing more than the command.
func partsOf(a *session.PermissionAsk) (parts []Part) {
	all := valid(a.Command, a.Parts)
	if len(all) == 1 && strings.TrimSpace(a.Command[all[0].Start:all[0].End]) == strings.TrimSpace(a.Command) {
		return nil
	}
	for _, p := range all {
		parts = append(parts, Part{Text: style.Spell(style.OneLine(a.Command[p.Start:p.End])), Allowed: p.Allowed, Why: style.Spell(style.OneLine(p.Why))})
	}
	return parts
}

// marked returns the visible lines of a command, and the marks of its parts in each. There are marks only where some parts are
// allowed and others are not.
func marked(command string, parts []session.CommandPart) (lines []string, marks [][]Mark) {
	whole := style.Spell(command)
	lines = strings.Split(whole, "\n")
	parts = valid(command, parts)
	allowed := 0
	for _, p := range parts {
		if p.Allowed {
			allowed++
		}
	}
	if allowed == 0 || allowed == len(parts) {
		return lines, nil
	}
	marks = make([][]Mark, len(lines))
	for _, p := range parts {
		from, to := style.Spell(command[:p.Start]), style.Spell(command[:p.End])
		if !strings.HasPrefix(whole, from) || !strings.HasPrefix(whole, to) || len(from) > len(to) {
			return lines, nil // a bound lies within what is written out as one
		}
		begin := 0
		for i, line := range lines {
			m := Mark{From: max(len(from)-begin, 0), To: min(len(to)-begin, len(line)), Allowed: p.Allowed}
			if m.From < m.To {
				marks[i] = append(marks[i], m)
			}
			begin += len(line) + 1
		}
	}
	return lines, marks
}
