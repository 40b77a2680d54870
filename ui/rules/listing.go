package rules

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/rules"
)

// Chat is what rules are listed for: one session as it is now.
type Chat struct {
	// Dir is the session's directory, absolute; Dirs are its further ones.
	Dir  string
	Dirs []string
	Mode session.Mode
	// Grants are the rules of answers in the session. Revoke takes some back; nil: that is not possible.
	Grants []permission.Grant
	Revoke func(rule session.Rule, asks []session.AskID) error
	// Environ is the environment of commands as "key=value", Home the user's home directory.
	Environ []string
	Home    string
}

// Group is the rules of one origin. Texts are as they are in files, which is not visible text.
type Group struct {
	Origin permission.Origin
	// Path is the file, "" if there is none.
	Path  string
	Rules []permission.Rule
	// Problem is the reason why the file cannot be used, nil if it can.
	Problem *rules.Problem
	// Notes are what else holds, such as the modes of a policy.
	Notes []string
	// Fixed is the reason why the rules cannot be changed here, "" if they can. Those of the session can be removed anyway.
	Fixed string
}

// Listing is every rule in force, by origin, at one time.
type Listing struct {
	Groups []Group
	// Warning is what is wrong with the policy, "" if nothing is.
	Warning string
	At      time.Time
}

// builtIn says what parley allows by itself.
const builtIn = "reads in the session's directories, and commands such as ls, git status and wc that only read there"

// Read lists the rules in force. It may read files.
func Read(store *rules.Store, c Chat, now time.Time) Listing {
	policy := store.Policy()
	l := Listing{At: now, Warning: policy.Ignored}
	for _, f := range store.Files(c.Dir) {
		g := Group{Origin: f.Origin, Path: f.Path, Rules: f.Rules, Problem: f.Problem}
		if f.Origin == permission.FromPolicy {
			g.Fixed = "your administrator's rules are changed in " + f.Path
			g.Notes = policyNotes(policy)
		}
		if f.Origin == permission.FromClaude {
			g.Fixed = "they are changed in that file, or left out with claude.rules: false"
			g.Notes = f.Unsaid
		}
		l.Groups = append(l.Groups, g)
	}
	granted := Group{Origin: permission.FromSession, Rules: c.granted(), Fixed: "rules of the session can only be removed; they end with it"}
	l.Groups = append(l.Groups, granted, Group{Origin: permission.FromParley, Notes: []string{builtIn}, Fixed: "parley's own rules can't be changed; a rule that denies or asks comes before one that allows, wherever it is kept"})
	return l
}

// granted returns the rules of the session with their numbers, each once.
func (c Chat) granted() []permission.Rule {
	var all []permission.Rule
	for _, g := range c.Grants {
		if !slices.ContainsFunc(all, func(r permission.Rule) bool { return r.String() == g.Rule.String() }) {
			r := g.Rule
			r.Number, r.Origin = len(all)+1, permission.FromSession
			all = append(all, r)
		}
	}
	return all
}

// RevokeRule takes back a rule of the session, and returns the chat without it.
func (c Chat) RevokeRule(rule permission.Rule) (Chat, error) {
	var asks []session.AskID
	var left []permission.Grant
	for _, g := range c.Grants {
		if g.Rule.String() == rule.String() {
			asks = append(asks, g.Ask)
		} else {
			left = append(left, g)
		}
	}
	if len(asks) == 0 || c.Revoke == nil {
		return c, errors.New("the session has no such rule any more")
	}
	err := c.Revoke(permission.Offer(rule), asks)
	c.Grants = left
	return c, err
}

// policyNotes returns what a policy says of permission modes.
func policyNotes(p rules.Policy) []string {
	var notes []string
	switch {
	case p.Pinned != "":
		notes = append(notes, fmt.Sprintf("every session is in %s mode", p.Pinned))
	case len(p.Modes) > 0:
		text := ""
		for i, mode := range p.Modes {
			if i > 0 {
				text += ", "
			}
			text += string(mode)
		}
		notes = append(notes, "allowed modes: "+text)
	}
	if p.NoBypass {
		notes = append(notes, "nothing bypasses permissions")
	}
	return notes
}

// Find returns a rule by its origin and number, false if there is none.
func (l Listing) Find(origin permission.Origin, number int) (permission.Rule, bool) {
	for _, g := range l.Groups {
		if g.Origin == origin && number >= 1 && number <= len(g.Rules) {
			return g.Rules[number-1], true
		}
	}
	return permission.Rule{}, false
}

// Title names a group in a few words.
func (g Group) Title() string {
	switch g.Origin {
	case permission.FromPolicy:
		return "policy of your administrator"
	case permission.FromGlobal:
		return "global, in every project"
	case permission.FromProject:
		return "this project"
	case permission.FromClaude:
		return "Claude Code's settings"
	case permission.FromSession:
		return "this session"
	}
	return "built in"
}

// Since says since when a rule holds, such as "since yesterday", "" if that is not known.
func Since(r permission.Rule, now time.Time) string {
	if r.Since.IsZero() {
		return ""
	}
	at, now := r.Since.Local(), now.Local()
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	switch {
	case day(at) == day(now):
		return "since " + at.Format("15:04") + " today"
	case day(at) == day(now.AddDate(0, 0, -1)):
		return "since yesterday"
	}
	return "since " + day(at)
}
