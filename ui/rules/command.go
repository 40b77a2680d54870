package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/rules"
	"parley/ui/style"
)

// Usage are the ways to write the command, with what each does.
var Usage = [][2]string{
	{"/permissions", "list every rule in force"},
	{"/permissions explain COMMAND or PATH", "show what would happen, and by which rule"},
	{"/permissions allow|ask|deny [--global] RULE", "add a rule for this project, or for all"},
	{"/permissions edit project|global NUMBER RULE", "replace a rule"},
	{"/permissions remove project|global|session NUMBER", "remove a rule"},
	{"/permissions move project|global NUMBER", "move a rule to the other file"},
}

var errUsage = errors.New("write /permissions explain, allow, ask, deny, edit, remove or move; /permissions alone lists the rules")

// Run carries out what is written behind the command, and returns what to print in lines. It reads and changes files.
func Run(ctx context.Context, store *rules.Store, c Chat, args string, now time.Time) ([]string, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(args), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "", "list":
		return Read(store, c, now).Lines(), nil
	case "explain":
		return Explain(ctx, store, c, rest, now)
	case "allow", "ask", "deny":
		return add(store, c, permission.Ruling(word), rest)
	case "edit", "remove", "move":
		return change(store, c, word, rest, now)
	}
	return nil, errUsage
}

// add adds a rule.
func add(store *rules.Store, c Chat, ruling permission.Ruling, text string) ([]string, error) {
	origin := permission.FromProject
	if rest, ok := strings.CutPrefix(text, "--global"); ok {
		origin, text = permission.FromGlobal, rest
	}
	r, err := permission.ParseRule(text)
	if err != nil {
		return nil, err
	}
	r.Ruling = ruling
	if err := store.Add(c.Dir, origin, r); err != nil {
		return nil, Plain(err)
	}
	return []string{noted(fmt.Sprintf("Added to the %s rules: %s %s", origin, r.Ruling, r), r)}, nil
}

// change changes an existing rule.
func change(store *rules.Store, c Chat, word, rest string, now time.Time) ([]string, error) {
	fields := strings.Fields(rest)
	if len(fields) < 2 || word != "edit" && len(fields) > 2 {
		return nil, fmt.Errorf("write /permissions %s project NUMBER or global NUMBER; /permissions lists the numbers", word)
	}
	origin := permission.Origin(fields[0])
	number, err := strconv.Atoi(fields[1])
	granted := origin == permission.FromSession && word == "remove"
	if err != nil || origin != permission.FromProject && origin != permission.FromGlobal && !granted {
		return nil, fmt.Errorf("%s rules can't be changed here; name project or global and a number", fields[0])
	}
	r, ok := Read(store, c, now).Find(origin, number)
	if !ok {
		return nil, fmt.Errorf("there is no rule %d in the %s rules", number, origin)
	}
	switch {
	case granted:
		if _, err := c.RevokeRule(r); err != nil {
			return nil, Plain(err)
		}
		return []string{fmt.Sprintf("Removed from the session's rules: %s %s", r.Ruling, r)}, nil
	case word == "remove":
		if err := store.Remove(c.Dir, r); err != nil {
			return nil, Plain(err)
		}
		return []string{fmt.Sprintf("Removed from the %s rules: %s %s", origin, r.Ruling, r)}, nil
	case word == "move":
		to := Other(origin)
		if err := store.Move(c.Dir, r, to); err != nil {
			return nil, Plain(err)
		}
		return []string{fmt.Sprintf("Moved to the %s rules: %s %s", to, r.Ruling, r)}, nil
	}
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(rest, fields[0])), fields[1]))
	next, err := Parse(text, r.Ruling)
	if err != nil {
		return nil, err
	}
	if err := store.Replace(c.Dir, r, next); err != nil {
		return nil, Plain(err)
	}
	return []string{noted(fmt.Sprintf("Changed in the %s rules: %s %s", origin, next.Ruling, next), next)}, nil
}

// Parse reads a rule that may begin with its ruling; without one it has the ruling given.
func Parse(text string, ruling permission.Ruling) (permission.Rule, error) {
	if word, rest, ok := strings.Cut(strings.TrimSpace(text), " "); ok {
		if said := permission.Ruling(word); slices.Contains([]permission.Ruling{permission.Allow, permission.Ask, permission.Deny}, said) {
			ruling, text = said, rest
		}
	}
	r, err := permission.ParseRule(text)
	r.Ruling = ruling
	return r, err
}

// Other returns the other of the two origins that rules can be moved between.
func Other(origin permission.Origin) permission.Origin {
	if origin == permission.FromProject {
		return permission.FromGlobal
	}
	return permission.FromProject
}

// Plain returns an error of a change without the name of its operation, for a separate sentence.
func Plain(err error) error {
	if e, ok := errors.AsType[*session.Error](err); ok {
		return e.Err
	}
	return err
}

// Lines returns the listing in lines, as visible text.
func (l Listing) Lines() []string {
	var out []string
	line := func(format string, args ...any) {
		out = append(out, style.Visible(style.OneLine(fmt.Sprintf(format, args...))))
	}
	if l.Warning != "" {
		line("%s", l.Warning)
	}
	for _, g := range l.Groups {
		head := g.Title()
		if g.Path != "" {
			head += ", in " + g.Path
		}
		line("%s:", style.Capital(head))
		if g.Problem != nil {
			line("  can't be used, so everything is asked: %v", g.Problem)
		}
		for _, note := range g.Notes {
			line("  %s", note)
		}
		for _, r := range g.Rules {
			line("  %d. %s %s%s", r.Number, r.Ruling, r, prefixed(", ", Since(r, l.At)))
		}
		if len(g.Rules)+len(g.Notes) == 0 && g.Problem == nil {
			line("  no rules")
		}
	}
	return out
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}
