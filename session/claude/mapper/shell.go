package mapper

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"parley/session"
)

// because joins the reasons why a turn begins by itself.
func because(before, why string) string {
	why = strings.TrimSpace(why)
	if before == "" || why == "" || before == why {
		return firstOf(why, before)
	}
	return before + "; " + why
}

var exitCode = regexp.MustCompile(`exit code (\d+)`)

// shellEnded tells how a command in the background ended and what it wrote. It belongs to the turn that began it.
func (m *Mapper) shellEnded(t *toolCall, status, summary, output string, at time.Time) {
	t.behind = false
	e := session.ToolEnded{Head: m.in(string(t.child), at), Call: t.call, Outcome: session.ToolOK, Duration: at.Sub(t.began),
		Result: session.ToolResult{Text: strings.TrimRight(output, "\n")}}
	e.Turn = t.turn
	if c := exitCode.FindStringSubmatch(summary); c != nil {
		if code, err := strconv.Atoi(c[1]); err == nil {
			e.Result.ExitCode = &code
		}
	}
	switch outcomeOfTask(status) {
	case session.TurnCancelled:
		e.Outcome = session.ToolCancelled
	case session.TurnFailed:
		e.Outcome = session.ToolFailed
	}
	m.emit(e)
}
