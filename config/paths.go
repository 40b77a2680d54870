package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const listSeparator = string(os.PathListSeparator)

// Paths are the directories parley uses. Finding them creates nothing.
type Paths struct {
	// Config holds config.yaml.
	Config string
	// Data holds sessions/ (journals), composer/ (drafts), edits/ (changes of files), images/ (their contents), scratch/ (folders of
	// sessions without a project) and library.db.
	Data string
	// State holds logs, crash reports, locks and deleted sessions.
	State string
	// Cache holds runtimes and other files that can be fetched again.
	Cache string
}

// File returns the default path of the configuration file.
func (p Paths) File() string { return filepath.Join(p.Config, "config.yaml") }

// Sessions returns the directory of the journals.
func (p Paths) Sessions() string { return filepath.Join(p.Data, "sessions") }

// TokenFile returns the path of the tokens of parley's own sign-ins.
func (p Paths) TokenFile() string { return filepath.Join(p.Data, "tokens.json") }

// SignIns returns the path of the file with the sign-ins to MCP services, where the system has no keyring.
func (p Paths) SignIns() string { return filepath.Join(p.Data, "mcp-tokens.json") }

// Composer returns the directory of the drafts.
func (p Paths) Composer() string { return filepath.Join(p.Data, "composer") }

// Locks returns the directory of the locks, one file for each open session.
func (p Paths) Locks() string { return filepath.Join(p.State, "locks") }

// FileLock returns the file whose lock is held while the configuration file is changed.
func (p Paths) FileLock() string { return filepath.Join(p.State, "config.lock") }

// Processes returns the directory that records which processes run.
func (p Paths) Processes() string { return filepath.Join(p.State, "processes") }

// Temp returns the directory for the runtimes' temporary files.
func (p Paths) Temp() string { return filepath.Join(p.State, "tmp") }

// Plugins returns the directory of the plugins that parley has installed.
func (p Paths) Plugins() string { return filepath.Join(p.Data, "plugins") }

// Trust returns the directory of the decisions about directories.
func (p Paths) Trust() string { return filepath.Join(p.Data, "trust") }

// Explained returns the directory with an empty file for each thing of the screen that was explained once.
func (p Paths) Explained() string { return filepath.Join(p.Data, "explained") }

// Images returns the directory of pasted images that were not sent yet.
func (p Paths) Images() string { return filepath.Join(p.Composer(), "images") }

// FileImages returns the directory of the contents of files before and after agents changed them.
func (p Paths) FileImages() string { return filepath.Join(p.Data, "images") }

// Worktrees returns the folder of the working trees that sessions have to themselves.
func (p Paths) Worktrees() string { return filepath.Join(p.Data, "worktrees") }

// Scratch returns the folder of the folders that sessions without a project work in.
func (p Paths) Scratch() string { return filepath.Join(p.Data, "scratch") }

// Edits returns the directory of the logs of what agents did to files.
func (p Paths) Edits() string { return filepath.Join(p.Data, "edits") }

// Marks returns the directory of the user's tags and pins of sessions.
func (p Paths) Marks() string { return filepath.Join(p.Data, "marks") }

// Runtimes returns the directory of the installed runtimes.
func (p Paths) Runtimes() string { return filepath.Join(p.Cache, "runtimes") }

// Outputs returns the directory of command outputs that are too long for a conversation.
func (p Paths) Outputs() string { return filepath.Join(p.Cache, "outputs") }

// Tasks returns the directory that records which sessions are which tasks of the cloud agent.
func (p Paths) Tasks() string { return filepath.Join(p.Data, "tasks") }

// TaskCache returns the directory of the list and the logs of the cloud agent's tasks.
func (p Paths) TaskCache() string { return filepath.Join(p.Cache, "tasks") }

// ModelList returns the file with the models of the login.
func (p Paths) ModelList() string { return filepath.Join(p.Cache, "models.json") }

// Index returns the file with the words of all sessions, which can be made again from them.
func (p Paths) Index() string { return filepath.Join(p.Cache, "index", "sessions.db") }

// Bin returns the directory of deleted sessions.
func (p Paths) Bin() string { return filepath.Join(p.State, "bin") }

// Crashes returns the directory of the crash reports.
func (p Paths) Crashes() string { return filepath.Join(p.State, "crashes") }

// LogFile returns the default path of the log.
func (p Paths) LogFile() string { return filepath.Join(p.State, "parley.log") }

// ErrNoHome reports that no directory for parley's files can be found.
var ErrNoHome = errors.New("neither HOME nor the XDG directories are set; set HOME, or all of XDG_CONFIG_HOME, " +
	"XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME")

// FindPaths resolves the XDG base directories from an environment. A relative XDG value is ignored, as the XDG Base
// Directory specification 0.8 says.
func FindPaths(getenv func(string) string) (Paths, error) {
	home := getenv("HOME")
	find := func(name, fallback string) (string, error) {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, "parley"), nil
		}
		if home == "" {
			return "", fmt.Errorf("find %s: %w", name, ErrNoHome)
		}
		return filepath.Join(home, filepath.FromSlash(fallback), "parley"), nil
	}
	var p Paths
	var err error
	for _, d := range []struct {
		dst            *string
		name, fallback string
	}{
		{&p.Config, "XDG_CONFIG_HOME", ".config"},
		{&p.Data, "XDG_DATA_HOME", ".local/share"},
		{&p.State, "XDG_STATE_HOME", ".local/state"},
		{&p.Cache, "XDG_CACHE_HOME", ".cache"},
	} {
		if *d.dst, err = find(d.name, d.fallback); err != nil {
			return Paths{}, err
		}
	}
	return p, nil
}
