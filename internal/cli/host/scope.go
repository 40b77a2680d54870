package host

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"slices"
	"strings"

	"parley/session/host"
	"parley/session/terminals"
)

// Scope is what one host serves. A run with another scope starts another host, so an agent never works with the login, the settings or
// the environment of another terminal. What comes with each prompt is not of it.
type Scope struct {
	// Data is the folder of the sessions.
	Data string `json:"-"`
	// Program is the version of parley and its file.
	Program []string
	// Settings are those of the configuration that hold for all sessions, as "name=value".
	Settings []string
	// Login is the GitHub token; the key is made of a hash.
	Login string
	// Environ is the run's environment. What names its window and what comes with each prompt does not count.
	Environ []string
	// Elevated says that the run has the rights of an administrator of Windows. [Scope.Place] finds it out.
	Elevated bool `json:",omitempty"`
}

// dataLen is how many characters of a key stand for the folder of the sessions.
const dataLen = 4

// Place returns where the host for the scope is, in a folder that [host.FindDir] returned.
func (s Scope) Place(dir string) host.Place {
	s.Environ = slices.DeleteFunc(Environ(s.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return terminals.Carried(name)
	})
	s.Elevated = s.Elevated || elevated()
	data, err := json.Marshal(s)
	if err != nil { // strings cannot fail
		panic(err)
	}
	return host.Place{Dir: dir, Key: dataKey(s.Data) + hash(data)[:8]}
}

// dataKey returns the part of keys that all hosts of a folder of sessions have.
func dataKey(folder string) string { return hash([]byte(folder))[:dataLen] }

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))
}

// ofScreens are settings of one screen, or of new sessions, which begin with what their screen says. Two runs that differ in nothing
// else share a host.
var ofScreens = []string{"agent", "model", "effort", "permission_mode", "add_dirs", "worktree_links", "screen", "theme", "editor", "log_file",
	"verbose", "sessions.outlive"}

// Shared reports whether a setting holds for all sessions of a host. Limits do not: they are read again for each prompt.
func Shared(name string) bool {
	section, _, _ := strings.Cut(name, ".")
	return name == "ui.session_titles" || section != "ui" && section != "limits" && !slices.Contains(ofScreens, name)
}

// ofWindow are the variables that name a terminal, a window or a position in it: they differ between two terminals of one user, and mean
// nothing to what outlives them. A variable that is missing here only makes its terminal start another host.
var ofWindow = []string{"_", "ALACRITTY_LOG", "ALACRITTY_SOCKET", "ALACRITTY_WINDOW_ID", "COLUMNS", "GNOME_TERMINAL_SCREEN", "ITERM_SESSION_ID",
	"KITTY_PID", "KITTY_WINDOW_ID", "KONSOLE_DBUS_SESSION", "KONSOLE_DBUS_WINDOW", "LINES", "OLDPWD", "PWD", "SHELL_SESSION_ID", "SHLVL",
	"SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "STY", "TERM_SESSION_ID", "TMUX", "TMUX_PANE", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET", "WINDOW",
	"WINDOWID", "WT_PROFILE_ID", "WT_SESSION", "XDG_SESSION_ID", "ZELLIJ", "ZELLIJ_PANE_ID"}

// Environ returns the environment of a host: that of a run without what names its window, sorted. Entries without a name are the
// directories of a shell of Windows.
func Environ(environ []string) []string {
	all := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "" || slices.Contains(ofWindow, name)
	})
	slices.Sort(all)
	return slices.Compact(all)
}
