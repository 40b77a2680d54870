package permission

import (
	"fmt"
	"time"

	"parley/internal/human"
)

// Explain returns in a few words, without a period, why a call was ruled so at that time: "allowed by rule 3 of this
// project, since yesterday".
func Explain(d Decision, now time.Time) string {
	verb := map[Ruling]string{Allow: "allowed", Deny: "denied", Ask: "asked"}[d.Ruling]
	switch {
	case d.Rule != nil && d.Rule.Origin == FromParley:
		return verb + ": it only reads"
	case d.Rule != nil:
		return verb + " by " + d.Rule.place() + since(d.Rule.Since, now)
	case d.Ruling == Allow:
		return "allowed by the permission mode"
	case d.Reason != "":
		return verb + ": " + lowerFirst(trimReason(d.Reason))
	}
	return verb + ": no rule allows it"
}

// trimReason returns a reason without the words that Explain puts before it, and without a period.
func trimReason(reason string) string {
	for _, begin := range []string{"Always asked: ", "Asked: ", "Refused: "} {
		if len(reason) > len(begin) && reason[:len(begin)] == begin {
			reason = reason[len(begin):]
		}
	}
	if n := len(reason); n > 0 && reason[n-1] == '.' {
		reason = reason[:n-1]
	}
	return reason
}

// place names a rule by where it is kept.
func (r *Rule) place() string {
	number := "a rule"
	if r.Number > 0 {
		number = fmt.Sprintf("rule %d", r.Number)
	}
	switch r.Origin {
	case FromPolicy:
		return "the administrator's rule " + r.String()
	case FromGlobal:
		return number + " of yours for every project"
	case FromProject:
		return number + " of this project"
	case FromClaude:
		return number + " of Claude Code's settings"
	case FromSession:
		return "your answer in this session"
	case FromFlag:
		return fmt.Sprintf("--%s %q", r.Ruling, r.String())
	}
	return "the rule " + r.String()
}

// kept names where a rule is kept, in words that follow its text.
func (r *Rule) kept() string {
	switch r.Origin {
	case FromPolicy:
		return "of the administrator"
	case FromGlobal:
		return "of the user"
	case FromProject:
		return "of this project"
	case FromClaude:
		return "of Claude Code's settings"
	case FromFlag:
		return "of the command line"
	}
	return "of this session"
}

// since returns since when a rule is there, "" if that is unknown.
func since(at, now time.Time) string {
	if at.IsZero() || at.After(now) {
		return ""
	}
	at = at.In(now.Location())
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch {
	case !at.Before(midnight):
		return ", since today"
	case !at.Before(midnight.AddDate(0, 0, -1)):
		return ", since yesterday"
	}
	return ", for " + human.Age(now.Sub(at))
}
