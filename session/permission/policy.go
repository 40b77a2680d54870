package permission

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// Ruling is what the permission policy says about a tool call.
type Ruling string

// The rulings.
const (
	Allow Ruling = "allow"
	Ask   Ruling = "ask"
	Deny  Ruling = "deny"
)

// PlanModeReason is what the model reads when plan mode refuses a call that would change something.
const PlanModeReason = "Refused: in plan mode nothing is changed. Describe the change instead."

// Policy decides which tool calls of one session may run without asking. It is a value without state; make a
// new one whenever mode or rules change. It is for agents that hold the tools themselves; others bring their own policy.
// Whatever it does not understand, it asks about.
type Policy struct {
	Mode session.Mode
	// Dirs are the session's directories, absolute.
	Dirs []string
	// Rules are the rules of every origin that hold in the session.
	Rules []Rule
	// Locked is why rules of a file cannot be read, in a sentence for the user; "" otherwise. While it is set no rule allows
	// anything, and neither does parley itself: everything is asked.
	Locked string
	// Home is the user's home directory, empty if unknown. Below it, files and directories that begin with a dot are never
	// edited without asking.
	Home string
	// Base is the directory in which command lines begin, absolute. Where it is unknown, no rule covers a command line that
	// names a file.
	Base string
	// Resolve returns the path with all symbolic links resolved, or an error if it does not exist, as
	// [filepath.EvalSymlinks] does. Nil resolves nothing, and then no file may be touched without asking.
	Resolve func(path string) (string, error)
	// Exists reports whether the path itself is there, also as a link that leads nowhere, as [os.Lstat] finds out. Nil
	// means unknown, and then files that do not exist yet are asked about.
	Exists func(path string) bool
	// FoldCase says that file names differing only in case are the same file, as on most macOS and Windows disks.
	FoldCase bool
	// Programs returns every file that a shell may take for the name of a program, absolute. Nil, or none: no rule covers a
	// command line.
	Programs func(name string) []string
	// Git reports whether git, in the directory in which command lines begin, starts no program by itself; see [GitWatch].
	// Nil: it may.
	Git func() bool
}

// OnDisk returns p with Resolve, Exists, FoldCase and Programs as this machine has them. environ is the environment of
// commands as "key=value".
func (p Policy) OnDisk(environ []string) Policy {
	p.Resolve = filepath.EvalSymlinks
	p.Exists = exists
	p.FoldCase = runtime.GOOS == "darwin" || runtime.GOOS == "windows"
	p.Programs = func(name string) []string { return programsIn(environ, name) }
	return p
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// programsIn returns every file of that name in the directories that PATH lists. It returns none if it is not sure of all
// of them: where a directory is relative, and on Windows, whose shell also looks where it stands.
func programsIn(environ []string, name string) []string {
	list := ""
	for _, kv := range environ {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			list = value
		}
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	var found []string
	for _, dir := range strings.Split(list, string(filepath.ListSeparator)) {
		if !filepath.IsAbs(dir) {
			return nil
		}
		if path := filepath.Join(dir, name); exists(path) {
			found = append(found, path)
		}
	}
	return found
}

// Decision is what the policy says about one call.
type Decision struct {
	Ruling Ruling
	// Reason is why: for the model with Deny, for the user with Ask; it may be empty.
	Reason string
	// Rule is the rule that decided, nil if none did: the mode, or what parley asks about in any case.
	Rule *Rule
	// Parts are the parts of a command line, each as it was judged.
	Parts []session.CommandPart
}

// Decide rules on one call. kind is what the tool does, ask is the question that would be put to the user; its Command or
// Path must be filled in for tools that have one, its Input for all others. A rule that denies comes before one that asks,
// and that before one that allows; nothing but a rule that denies stops a call in the mode that bypasses permissions.
func (p Policy) Decide(kind toolview.Kind, ask session.PermissionAsk) Decision {
	ruling, reason := p.decide(kind, ask)
	return Decision{Ruling: ruling, Reason: reason}
}

func (p Policy) decide(kind toolview.Kind, ask session.PermissionAsk) (ruling Ruling, reason string) {
	if p.Mode == session.ModeBypass {
		return Allow, ""
	}
	switch kind {
	case toolview.Read, toolview.Search:
		if p.within(ask.Path) || p.Ruled(kind, ask) {
			return Allow, ""
		}
		return Ask, ""
	case toolview.Ask, toolview.Plan:
		return Allow, ""
	}
	if p.Mode == session.ModePlan {
		return Deny, PlanModeReason
	}
	if kind == toolview.Edit && p.Mode == session.ModeAcceptEdits && p.editable(ask.Path, p.Dirs) {
		return Allow, ""
	}
	if p.Ruled(kind, ask) {
		return Allow, ""
	}
	return Ask, ""
}

// Ruled reports whether one of the session's rules allows the call, whatever the mode.
func (p Policy) Ruled(kind toolview.Kind, ask session.PermissionAsk) bool {
	if kind == toolview.Command {
		return p.commandRuled(ask)
	}
	for _, r := range p.Rules {
		dir, _ := strings.CutSuffix(r.Pattern, "/**")
		switch {
		case r.Ruling != Allow:
		case kind == toolview.Edit && r.Subject == OnEdit && p.editable(ask.Path, []string{dir + string(filepath.Separator)}),
			(kind == toolview.Read || kind == toolview.Search) && r.Subject == OnRead && p.inside(ask.Path, []string{dir + string(filepath.Separator)}),
			r.Subject == OnTool && r.Pattern == ask.Tool, r.Subject == OnServer && r.names(ask.Tool),
			kind == toolview.Fetch && r.Subject == OnFetch && r.Pattern == domainOf(ask.Input):
			return true
		}
	}
	return false
}

// names reports whether a rule about an MCP server covers a tool.
func (r Rule) names(name string) bool {
	server, tool, ok := serverOf(name)
	return ok && (r.Pattern == server || r.Pattern == server+"/"+tool)
}

// domainOf returns the domain of the page that a call fetches, "" if it names none.
func domainOf(input json.RawMessage) string {
	var in struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	u, err := url.Parse(in.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
