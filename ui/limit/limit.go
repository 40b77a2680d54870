package limit

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/caps"
	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command is /limit of a session.
type Command struct {
	Look    *style.Look
	Session caps.Bounded
}

const usage = "Use /limit 20 or /limit off for this session, /limit day 50 or /limit day off for all sessions of a day"

// Run shows the limits, or sets the one that args name.
func (c Command) Run(args string) panel.Effect {
	words := strings.Fields(strings.ToLower(args))
	day := len(words) > 0 && words[0] == "day"
	if day {
		words = words[1:]
	}
	switch {
	case len(words) == 0 && !day:
		return panel.Run{Work: c.show}
	case len(words) != 1:
		return panel.Notice{Text: usage, Warn: true}
	}
	nano, ok := parse(words[0])
	if !ok {
		return panel.Notice{Text: usage, Warn: true}
	}
	said := "no limit of credits"
	if nano > 0 {
		said = "a limit of " + core.Credits(nano)
	}
	if day {
		c.Session.Cap(caps.Caps{Day: nano})
		return panel.Notice{Text: "For this session, the day has " + said + "; for all: limits.day_credits"}
	}
	c.Session.Cap(caps.Caps{Session: nano})
	return panel.Notice{Text: "This session has " + said + "; for all: limits.session_credits"}
}

// parse reads credits as nano AI units.
func parse(word string) (nano int64, ok bool) {
	if word == "off" || word == "none" {
		return caps.None, true
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(n) || n <= 0 || n > 1e9 {
		return 0, false
	}
	return max(1, int64(n*1e9)), true
}

// show reports what is spent, and the limits.
func (c Command) show(ctx context.Context) panel.Effect {
	s, err := c.Session.Standing(ctx)
	if err != nil {
		return panel.Notice{Text: style.VisibleLine(session.ProblemOf(err, c.Look.Now()).What), Warn: true}
	}
	line := func(name string, spent, limit int64) string {
		text := fmt.Sprintf("%s: %.2f", name, float64(spent)/1e9)
		if limit > 0 {
			return text + " of " + core.Credits(limit)
		}
		return text + " credits, no limit"
	}
	return panel.Report{Title: "Limits", Lines: []string{line("This session", s.Session, s.Caps.Session),
		line("Today, all sessions", s.Day, s.Caps.Day), usage}}
}
