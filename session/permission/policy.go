package permission

import (
	"errors"
	"io/fs"
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
	// Rules are what the user allowed for this session.
	Rules []session.Rule
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

// Decide rules on one call. kind is what the tool does, ask is the question that would be put to the user; its Command or
// Path must be filled in for tools that have one. The reason is for the model and set with [RulingDeny] only.
func (p Policy) Decide(kind toolview.Kind, ask session.PermissionAsk) (ruling Ruling, reason string) {
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
		if r.Tool != ask.Tool {
			continue
		}
		switch kind {
		case toolview.Edit:
			// A rule without a directory allows all edits, but not those that are never free.
			if r.Pattern == "" && p.editable(ask.Path, []string{filepath.VolumeName(ask.Path) + string(filepath.Separator)}) {
				return true
			}
			if r.Pattern != "" && p.editable(ask.Path, []string{r.Pattern}) {
				return true
			}
		case toolview.Read, toolview.Search:
			if r.Pattern == "" || p.inside(ask.Path, []string{r.Pattern}) {
				return true
			}
		default:
			if r.Pattern == "" {
				return true
			}
		}
	}
	return false
}
