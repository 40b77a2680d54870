package scope

import (
	"context"
	"path/filepath"
	"strings"

	"parley/session"
	"parley/session/permission"
)

// Scope is the place in which the calls of a session are judged. Its methods may read the disk. It is a value, safe for concurrent
// use.
type Scope struct {
	// Dirs are the directories of the session, the working directory first.
	Dirs []string
	// Home is the user's home directory, Environ the environment of the runtime's commands.
	Home    string
	Environ []string
	// Git watches the repository of the working directory, nil for none.
	Git *permission.GitWatch
	// Rules are the rules of every origin that hold now.
	Rules permission.Kept
}

// Absolute returns a path as a runtime reads it that works in dir, "" for the working directory; "" for no path.
func (s Scope) Absolute(path, dir string) string {
	rest, home := strings.CutPrefix(path, "~")
	switch {
	case path == "":
		return ""
	case home && s.Home != "" && (rest == "" || rest[0] == '/'):
		return filepath.Join(s.Home, rest)
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	case dir == "" && len(s.Dirs) > 0:
		dir = s.Dirs[0]
	}
	return filepath.Join(dir, path)
}

// Policy returns parley's policy for a call in a mode. Command lines begin in base and run in shell, as [permission.Policy] has them;
// git is quiet at most in the working directory.
func (s Scope) Policy(mode session.Mode, base, shell string) permission.Policy {
	return permission.Policy{Mode: mode, Dirs: s.Dirs, Rules: s.Rules.Rules, Locked: s.Rules.Locked, Home: s.Home, Base: base, Shell: shell,
		Git: func() bool {
			return s.Git != nil && len(s.Dirs) > 0 && base == s.Dirs[0] && s.Git.Quiet(context.Background())
		}}.
		OnDisk(s.Environ)
}

// Touches reports whether a call may change files: with a command that does not only read by a policy, or by the paths that it names.
func Touches(f session.FileCall, p func() permission.Policy) bool {
	if f.Command != "" {
		return !p().OnlyReads(f.Command)
	}
	return len(f.Paths) > 0
}
