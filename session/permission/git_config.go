package permission

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"

	"parley/session/permission/program"
)

// gitTime bounds how long git may take to list a configuration.
const gitTime = 5 * time.Second

// gitConfig returns the keys of git's configuration that match, as "scope\nkey" each, for a directory. Listing a configuration
// starts no program, and includes are read. It returns false if git cannot.
func gitConfig(environ []string, dir, pattern string, more ...string) ([]string, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	args, quietly := program.GitQuietly()
	args = append(append(args, "config", "-z"), more...)
	cmd := exec.CommandContext(ctx, "git", append(args, "--get-regexp", pattern)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(slices.Clone(environ), quietly...), time.Second
	out, err := cmd.Output()
	var status *exec.ExitError
	if err != nil && (!errors.As(err, &status) || status.ExitCode() != 1 || len(out) > 0) { // 1: nothing matches
		return nil, false
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), true
}

// gitFilters returns the names of the filters that git would run in a directory and that are not the user's own.
func gitFilters(environ []string, dir string) ([]string, bool) {
	keys, ok := gitConfig(environ, dir, `^filter\.`, "--show-scope", "--name-only")
	var names []string
	for i := 0; i+1 < len(keys); i += 2 {
		name := strings.TrimPrefix(keys[i+1], "filter.")
		if at := strings.LastIndexByte(name, '.'); at > 0 && keys[i] != "global" && keys[i] != "system" {
			if name = name[:at]; strings.ContainsAny(name, "=\n") { // a setting of ours could not name it
				return nil, false
			}
			names = append(names, name)
		}
	}
	return names, ok
}

// gitRemotes returns the names of the remotes of the repository of a directory.
func gitRemotes(environ []string, dir string) []string {
	keys, _ := gitConfig(environ, dir, `^remote\..*\.url$`, "--name-only")
	var names []string
	for _, key := range keys {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(key, "remote."), ".url"))
	}
	return names
}
