package permission

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"parley/session"
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
// It asks about all that it does not understand.
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
	// Shell is the shell that runs command lines: "bash", "zsh", "sh" for dash, ash or bash, or "any" for one of all these.
	// With another one every command line is asked about.
	Shell string
	// Resolve returns the path with all symbolic links resolved, or an error if it does not exist, as
	// [filepath.EvalSymlinks] does. Nil resolves nothing, and then no file may be touched without asking.
	Resolve func(path string) (string, error)
	// Exists reports whether the path itself is there, also as a link that leads nowhere, as [os.Lstat] finds out. Nil
	// means unknown, and then files that do not exist yet are asked about.
	Exists func(path string) bool
	// FoldCase means that file names differing only in case are the same file, as on most macOS and Windows disks.
	FoldCase bool
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
	// doubt is why command lines may do something else than they say, functions are what a shell takes for a program of that
	// name; see [Policy.AfterCommands].
	doubt     string
	functions []string
	// kind returns what is at a path, and list what a directory has, nil if that is not known. Without them decisions take
	// longer and are the same.
	kind func(path string) kind
	list func(dir string) []entry
	// known is what one decision has looked up, nil outside of one.
	known *memory
}

// OnDisk returns p with Resolve, Exists, FoldCase, Programs, Filters and Remotes as this machine has them. environ is the environment of
// commands as "key=value".
func (p Policy) OnDisk(environ []string) Policy {
	p.Resolve = filepath.EvalSymlinks
	p.Exists = exists
	if runtime.GOOS != "windows" { // whose names mean more than a directory lists
		p.kind, p.list = kindOf, listOf
	}
	p.FoldCase = runtime.GOOS == "darwin" || runtime.GOOS == "windows"
	p.Programs = func(name string) []string { return programsIn(environ, name) }
	p.Filters = func(dir string) ([]string, bool) { return gitFilters(environ, dir) }
	p.Remotes = func(dir string) []string { return gitRemotes(environ, dir) }
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
