package guard

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"parley/internal/safefs"
)

// Shell returns the shell that the runtime runs commands with, as [permission.Policy] names it: "bash", "zsh", "any" for one
// of these, or "" if it cannot be known. environ is the runtime's environment; settings are the files of which it reads
// further variables. All of 2.1.112, 2.1.197 and 2.1.330 take the first that can be run of CLAUDE_CODE_SHELL and SHELL, if
// the name has "bash" or "zsh" in it, then zsh or bash wherever it is.
func Shell(environ []string, settings ...string) string {
	if runtime.GOOS == "windows" || variable(environ, "CLAUDE_CODE_SHELL_PREFIX") != "" || slices.ContainsFunc(settings, setsShell) {
		return ""
	}
	for _, name := range []string{"CLAUDE_CODE_SHELL", "SHELL"} {
		path := variable(environ, name)
		if !strings.Contains(path, "bash") && !strings.Contains(path, "zsh") {
			continue
		}
		if !strings.Contains(path, "/") {
			path = find(environ, path)
		}
		switch info, err := os.Stat(path); {
		case os.IsNotExist(err):
			continue
		case err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 || !filepath.IsAbs(path):
			return ""
		}
		if base := filepath.Base(path); base == "bash" || base == "zsh" {
			return base
		}
		return ""
	}
	if strings.Contains(variable(environ, "SHELL"), "bash") { // it looks for bash first, but not every version
		return "any"
	}
	for _, name := range []string{"zsh", "bash"} {
		if find(environ, name) != "" {
			return name
		}
	}
	return ""
}

// find returns the program that a name stands for, "" if there is none.
func find(environ []string, name string) string {
	dirs := append(filepath.SplitList(variable(environ, "PATH")), "/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// variable returns the value of a variable, the last one if there are several.
func variable(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// harmful begins the names of variables that change which shell runs or what it runs. The runtime sets those of its settings
// for itself and its commands.
var harmful = []string{"SHELL", "CLAUDE_CODE_SHELL", "PATH", "BASH_", "ENV", "ZDOTDIR", "CDPATH", "LD_", "DYLD_", "GIT_", "IFS", "SHELLOPTS"}

// maxSettings bounds a settings file, in bytes.
const maxSettings = 1 << 20

// setsShell reports whether a settings file sets such a variable, or cannot be read.
func setsShell(path string) bool {
	data, err := safefs.ReadFile(context.Background(), path, maxSettings, safefs.FollowLinks)
	if os.IsNotExist(err) {
		return false
	}
	var settings struct {
		Env map[string]any `json:"env"`
	}
	if err != nil || json.Unmarshal(data, &settings) != nil {
		return true
	}
	for name := range settings.Env {
		if slices.ContainsFunc(harmful, func(begin string) bool { return strings.HasPrefix(name, begin) }) {
			return true
		}
	}
	return false
}
