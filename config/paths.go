package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const listSeparator = string(os.PathListSeparator)

// Paths are the directories parley uses. Nothing is created by finding them.
type Paths struct {
	// Config holds config.yaml.
	Config string
	// Data holds sessions/ (journals), composer/ (drafts) and library.db.
	Data string
	// State holds logs, crash files and locks.
	State string
	// Cache holds runtimes and what can be fetched again.
	Cache string
}

// File is the configuration file's default place.
func (p Paths) File() string { return filepath.Join(p.Config, "config.yaml") }

// Sessions holds the journals.
func (p Paths) Sessions() string { return filepath.Join(p.Data, "sessions") }

// TokenFile holds the tokens of this program's own sign-ins.
func (p Paths) TokenFile() string { return filepath.Join(p.Data, "tokens.json") }

// Composer holds the drafts of the composer.
func (p Paths) Composer() string { return filepath.Join(p.Data, "composer") }

// Locks holds one file for each session that a process has.
func (p Paths) Locks() string { return filepath.Join(p.State, "locks") }

// Crashes holds crash reports.
func (p Paths) Crashes() string { return filepath.Join(p.State, "crashes") }

// LogFile is the log's default place.
func (p Paths) LogFile() string { return filepath.Join(p.State, "parley.log") }

// ErrNoHome says that no directory for parley's files can be found.
var ErrNoHome = errors.New("neither HOME nor the XDG directories are set; set HOME, or all of XDG_CONFIG_HOME, " +
	"XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME")

// FindPaths resolves the XDG base directories from an environment. A relative XDG value is ignored, as the XDG Base
// Directory specification 0.8 says.
func FindPaths(getenv func(string) string) (Paths, error) {
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE") // Windows
	}
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
