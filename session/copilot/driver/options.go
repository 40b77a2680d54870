package driver

import (
	"context"
	"log/slog"
	"time"

	"parley/session/proc"
	"parley/session/proc/pipe"
)

// Options configures a [Client].
type Options struct {
	// Argv is the program, the native runtime or the CLI, and the arguments before ours.
	Argv []string
	// Version is the version of the program as its package has it, for errors; empty if unknown.
	Version string
	// Token returns the GitHub token with which the runtime signs in, at each call that signs in; nil: it does not. See
	// [Client.Call].
	Token func(context.Context) (string, error)
	// Environ is the user's environment, of which no GitHub token passes unless PassEnv names its variable.
	Environ, PassEnv []string
	// Home is the directory with the runtime's sessions and settings (COPILOT_HOME); empty: that of the environment, or
	// ~/.copilot.
	Home string
	// Dir is the working directory of the process, not of its sessions; empty: ours.
	Dir string
	// APIURL and GitHubURL redirect the Copilot API and the GitHub API; empty: the runtime finds them.
	APIURL, GitHubURL string

	// Processes starts the process, or Start if it is set, such as a simulated one in tests.
	Processes *proc.Group
	Start     pipe.Starter
	// Log is for maintainers and gets no secrets; nil: nothing is logged.
	Log *slog.Logger
	// Limits bound the waits; zero fields have defaults.
	Limits Limits
}

// Limits bound the waits for a runtime.
type Limits struct {
	Handshake time.Duration // from the start to the answer to connect; 60 s
	Shutdown  time.Duration // at the end, for the answer to runtime.shutdown; 5 s
	Exit      time.Duration // at the end, from closing its input to killing it; 2 s
}

func (l Limits) orDefaults() Limits {
	or := func(d *time.Duration, fallback time.Duration) {
		if *d <= 0 {
			*d = fallback
		}
	}
	or(&l.Handshake, time.Minute)
	or(&l.Shutdown, 5*time.Second)
	or(&l.Exit, 2*time.Second)
	return l
}

// Args returns the arguments of a program with which it serves on its standard input and output. It does not look for a
// login by itself: the token comes with each session.
func Args(program []string) []string {
	return append(append([]string(nil), program...), "--headless", "--no-auto-update", "--stdio", "--no-auto-login", "--log-level", "error")
}
