package permission

import (
	"path/filepath"
	"runtime"
	"strings"

	"parley/session"
	"parley/session/permission/disk"
	"parley/session/permission/guard"
)

// Ruling is the verdict of the permission policy on a tool call.
type Ruling string

// The rulings.
const (
	Allow Ruling = "allow"
	Ask   Ruling = "ask"
	Deny  Ruling = "deny"
)

// PlanModeReason is the reason that the model reads when plan mode refuses a call that would change something.
const PlanModeReason = "Refused: in plan mode nothing is changed. Describe the change instead."

// Policy decides which tool calls of one session may run without asking. It is a value without state; make a
// new one whenever mode or rules change. It is for agents that hold the tools themselves; others bring their own policy.
// It asks about all that it does not understand.
type Policy struct {
	Mode session.Mode
	// Dirs are the session's directories, absolute.
	Dirs []string
	// Rules are the rules of every origin that hold in the session.
	Rules []Rule
	// Locked is the reason why rules of a file cannot be read, in a sentence for the user; "" otherwise. While it is set no rule allows
	// anything, and neither does parley itself: everything is asked.
	Locked string
	// Home is the user's home directory, empty if unknown. Below it, files and directories that begin with a dot are never
	// edited without asking.
	Home string
	// Base is the directory in which command lines begin, absolute. Where it is unknown, no rule covers a command line that
	// names a file.
	Base string
	// Shell is the shell that runs command lines: "bash", "zsh", "sh" for dash, ash or bash, or "any" for one of all these.
	// With another one every command line is asked about.
	Shell string
	// Disk finds out where paths lead.
	Disk disk.Disk
	// Programs returns every file that a shell may take for the name of a program, absolute. Nil, or none: no rule covers a
	// command line.
	Programs func(name string) []string
	// Git reports whether git, in the directory in which command lines begin, starts no program by itself; see [GitWatch].
	// Nil: it may.
	Git func() bool
	// Filters returns the names of the filters that the configuration of a repository may run, and Remotes those of its remotes,
	// for git in a directory. Nil, or false: git is never taken to only read.
	Filters func(dir string) ([]string, bool)
	Remotes func(dir string) []string
	// Digest returns the SHA-256 of a regular file below a directory, in hexadecimal, false for what is none, too large, or behind a
	// link. Nil: no rule allows a script while it is unchanged.
	Digest func(dir, name string) (sum string, ok bool)
	// doubt is the reason why command lines may do something else than they say, functions are what a shell takes for a program of that
	// name; see [Policy.AfterCommands].
	doubt     string
	functions []string
	// filters are those of repositories by directory, looked up once in a decision; nil outside of one.
	filters map[string][]string
}

// OnDisk returns p with Disk, Programs, Filters and Remotes as this machine has them. environ is the environment of
// commands as "key=value".
func (p Policy) OnDisk(environ []string) Policy {
	p.Disk = disk.OfMachine()
	p.Programs = func(name string) []string { return programsIn(environ, name) }
	p.Digest = digestIn
	p.Filters = func(dir string) ([]string, bool) { return gitFilters(environ, dir) }
	p.Remotes = func(dir string) []string { return gitRemotes(environ, dir) }
	return p
}

// Guarded returns why an edit of a path is always asked about, "" if it is not: see [guard.Guard.Why].
func (p Policy) Guarded(path string) string { return p.guard().Why(path) }

func (p Policy) guard() guard.Guard { return guard.Guard{Disk: p.Disk, Dirs: p.Dirs} }

// remembering returns p with a disk and repositories that are asked about each path once, for one decision.
func (p Policy) remembering() Policy {
	p.Disk, p.filters = p.Disk.Remembering(), map[string][]string{}
	return p
}

// within reports whether path lies in the session's directories, wherever its links lead. No path means the working
// directory.
func (p Policy) within(path string) bool {
	if path == "" {
		return len(p.Dirs) > 0
	}
	return p.Disk.Inside(path, p.Dirs)
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
		if path := filepath.Join(dir, name); disk.Exists(path) {
			found = append(found, path)
		}
	}
	return found
}
