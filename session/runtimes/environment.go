package runtimes

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"parley/session/proc"
)

// environment finds programs by the user's variables.
type environment struct {
	vars []string        // "NAME=value"; the last of several entries counts
	os   string          // Go's name of the system
	now  func() []string // in place of vars; optional
}

// get returns a variable.
func (e environment) get(name string) string {
	if e.now != nil {
		return proc.Lookup(e.now(), name)
	}
	return proc.Lookup(e.vars, name)
}

// lookAll returns every program of a name on PATH, in its order. Relative entries are left out: they would let the working
// directory decide what runs.
func (e environment) lookAll(command string) []string {
	names := []string{command}
	if e.os == "windows" {
		names = []string{command + ".exe", command + ".cmd"}
	}
	var found []string
	for _, dir := range filepath.SplitList(e.get("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, name := range names {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && executable(info) && !slices.Contains(found, path) {
				found = append(found, path)
			}
		}
	}
	return found
}

// look returns the first program of a name on PATH, "" if there is none.
func (e environment) look(command string) string {
	if all := e.lookAll(command); len(all) > 0 {
		return all[0]
	}
	return ""
}

func executable(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// expand returns a configured path as an absolute one; "~" is the user's home.
func (e environment) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home := e.get("HOME"); home != "" {
			path = filepath.Join(home, rest)
		}
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// bare returns the environment of a program that is asked for its version: without tokens, and without updates.
func (e environment) bare() []string {
	env := []string{"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "COPILOT_AUTO_UPDATE=false"}
	for _, name := range []string{"PATH", "HOME", "USERPROFILE", "LANG", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PATHEXT",
		"APPDATA", "LOCALAPPDATA", "XDG_CACHE_HOME", "COPILOT_CACHE_HOME", "COPILOT_HOME"} {
		if v := e.get(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	if runtime.GOOS == "windows" && e.get("SYSTEMROOT") == "" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"))
	}
	return env
}
