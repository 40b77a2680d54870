package rules

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/rules"
	"parley/session/toolview"
)

// question is one call to explain.
type question struct {
	kind toolview.Kind
	ask  session.PermissionAsk
	// what names the call, such as "changing /a/b".
	what string
}

// Explain says what would happen with a command or a file, and by which rule, a line for each fact. The text is a command, a
// path, or either behind the subject of a rule: command, edit, read, fetch, mcp or tool.
func Explain(ctx context.Context, store *rules.Store, c Chat, text string, now time.Time) ([]string, error) {
	all, err := questions(c, strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	p := policy(ctx, store, c)
	var lines []string
	if p.Locked != "" {
		lines = append(lines, p.Locked)
	}
	for _, q := range all {
		d := p.Decide(q.kind, q.ask)
		lines = append(lines, explained(q, d, now))
		if len(d.Parts) > 1 {
			lines = append(lines, parts(q.ask.Command, d)...)
		}
		if d.Run != "" {
			lines = append(lines, "  What runs is: "+strings.ReplaceAll(d.Run, "\n", " ⏎ "))
		}
	}
	return lines, nil
}

// Covers reports whether a call of the chat's session would run without asking if the session had a rule, too. It reads the disk.
func Covers(ctx context.Context, store *rules.Store, c Chat, r permission.Rule, ask *session.PermissionAsk) bool {
	p, kind, one := policy(ctx, store, c), toolview.Describe(ask.Tool, ask.Input, c.Dir).Kind, *ask
	for _, e := range ask.More {
		if one.Path = e.Path; !p.Covers([]permission.Rule{r}, kind, one) {
			return false
		}
	}
	return p.Covers([]permission.Rule{r}, kind, *ask)
}

// policy returns the policy of the chat's session.
func policy(ctx context.Context, store *rules.Store, c Chat) permission.Policy {
	kept := store.Kept(c.Dir)
	watch := permission.WatchGit(ctx, c.Dir)
	return permission.Policy{
		Mode: c.Mode, Dirs: append([]string{c.Dir}, c.Dirs...), Rules: slices.Concat(kept.Rules, c.granted()), Locked: kept.Locked,
		Home: c.Home, Base: c.Dir, Shell: "any", Git: func() bool { return watch.Quiet(ctx) },
	}.OnDisk(c.Environ)
}

// explained says what is decided about a call.
func explained(q question, d permission.Decision, now time.Time) string {
	happens := map[permission.Ruling]string{
		permission.Allow: "would run without asking", permission.Ask: "would be asked about", permission.Deny: "would be refused",
	}[d.Ruling]
	why := permission.Explain(d, now)
	for _, verb := range []string{"allowed: ", "asked: ", "denied: "} {
		why = strings.TrimPrefix(why, verb)
	}
	if d.Rule != nil && d.Rule.Origin != permission.FromParley && !strings.Contains(why, d.Rule.String()) {
		why += " (" + d.Rule.String() + ")"
	}
	return q.what + " " + happens + ": " + why + "."
}

// parts says what is decided about each part of a command line.
func parts(line string, d permission.Decision) []string {
	var out []string
	for _, p := range d.Parts {
		if p.Start < 0 || p.End > len(line) || p.Start >= p.End {
			continue
		}
		verb := "asked"
		if p.Allowed {
			verb = "allowed"
		}
		text := "  " + line[p.Start:p.End] + ": " + verb
		if p.Why != "" {
			text += ", " + p.Why
		}
		out = append(out, text)
	}
	return out
}

// questions returns the calls that a text stands for.
func questions(c Chat, text string) ([]question, error) {
	if text == "" {
		return nil, errors.New("say what to explain: a command such as go test ./..., or a path")
	}
	subject, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if rest != "" {
		switch permission.Subject(subject) {
		case permission.OnCommand:
			return []question{command(rest)}, nil
		case permission.OnEdit:
			return []question{editing(c.path(rest))}, nil
		case permission.OnRead:
			return []question{reading(c.path(rest))}, nil
		case permission.OnFetch:
			return []question{fetching(rest)}, nil
		case permission.OnServer:
			server, tool, ok := strings.Cut(rest, "/")
			if !ok {
				return nil, errors.New("name a tool of the server, such as github/list_issues")
			}
			return []question{using("mcp__" + server + "__" + tool)}, nil
		case permission.OnTool:
			return []question{using(rest)}, nil
		}
	}
	if strings.Contains(text, "://") && rest == "" {
		return []question{fetching(text)}, nil
	}
	if c.isPath(text) {
		path := c.path(text)
		return []question{reading(path), editing(path)}, nil
	}
	return []question{command(text)}, nil
}

func command(line string) question {
	return question{toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}, line}
}

func editing(path string) question {
	return question{toolview.Edit, session.PermissionAsk{Tool: "Edit", Path: path}, "Changing " + path}
}

func reading(path string) question {
	return question{toolview.Read, session.PermissionAsk{Tool: "Read", Path: path}, "Reading " + path}
}

func fetching(address string) question {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	in, _ := json.Marshal(map[string]string{"url": address})
	return question{toolview.Fetch, session.PermissionAsk{Tool: "WebFetch", Input: in}, "Fetching " + address}
}

func using(tool string) question {
	return question{toolview.Describe(tool, nil, "").Kind, session.PermissionAsk{Tool: tool}, "The tool " + tool}
}

// isPath reports whether a text names a file rather than a command.
func (c Chat) isPath(text string) bool {
	for _, prefix := range []string{"/", "~/", "./", "../"} {
		if strings.HasPrefix(text, prefix) && !strings.ContainsAny(text, " \t") {
			return true
		}
	}
	_, err := os.Lstat(c.path(text))
	return err == nil
}

// path returns the absolute path that a text names.
func (c Chat) path(text string) string {
	if rest, ok := strings.CutPrefix(text, "~/"); ok && c.Home != "" {
		return filepath.Join(c.Home, rest)
	}
	if filepath.IsAbs(text) {
		return filepath.Clean(text)
	}
	return filepath.Join(c.Dir, text)
}
