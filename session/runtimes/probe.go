package runtimes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// askTime is how long a program may take to say its version. A script takes half a second on a slow machine.
const askTime = 20 * time.Second

// maxAnswer is how much of its answer is read, in bytes.
const maxAnswer = 64 << 10

// oldestNode is the oldest major version of node that scripts run on.
const oldestNode = 18

// Resolve finds a runtime as [Runtimes.Find] does and makes sure that it can be started: its version is known and new
// enough, and so is node where it needs that. It asks programs for their version, at most once until they change, and
// passes over those that do not answer. Use it before starting a runtime, not for listing.
func (r *Runtimes) Resolve(ctx context.Context, name string) (Found, error) {
	f := r.family(name)
	useless := map[string]Notice{}
	for {
		found, err := r.find(name, useless)
		if err != nil {
			return found, err
		}
		rt, err := r.Probe(ctx, found.Runtime)
		if err == nil {
			err = f.acceptable(rt, r.o.Configured[name].Version)
		} else if ctx.Err() != nil || found.Source == SourceConfig {
			return found, err
		}
		if err == nil {
			if found.Version == "" && rt.Standing == StandingNewer {
				found.Notices = append(found.Notices, newer(f, rt))
			}
			found.Runtime = rt
			return found, nil
		}
		useless[found.Path] = passedOver(f, rt, err)
	}
}

// Probe completes a runtime whose version is not known, and checks that node is new enough for a script. What programs say
// is remembered until they change, so that this is as fast as [Runtimes.Find] from the second time on.
func (r *Runtimes) Probe(ctx context.Context, rt Runtime) (Runtime, error) {
	op := "ask the runtime of " + rt.Name + " for its version"
	f := r.family(rt.Name)
	if f == nil {
		return rt, failed(op, unknownName(rt.Name))
	}
	if rt.Kind == KindScript && len(rt.Argv) > 1 {
		if err := r.checkNode(ctx, rt.Argv[0]); err != nil {
			return rt, under(op, err)
		}
	}
	if rt.Version != "" {
		return rt, nil
	}
	version, err := r.versionOf(ctx, rt.asked, rt.Argv)
	if err != nil {
		return rt, under(op, err)
	}
	rt.Version, rt.Standing = version, f.standing(version)
	return rt, nil
}

func (r *Runtimes) checkNode(ctx context.Context, node string) error {
	real, err := filepath.EvalSymlinks(node)
	if err != nil {
		return noNode("node cannot be found any more")
	}
	version, err := r.versionOf(ctx, real, []string{node})
	if err != nil {
		return err
	}
	if number(strings.Split(version, "."), 0) < oldestNode {
		return noNode(fmt.Sprintf("node at %s is %s, which is too old", node, version))
	}
	return nil
}

func noNode(what string) *Failure {
	return &Failure{Reason: ReasonNoNode, What: what, Next: fmt.Sprintf("install Node.js %d or newer and put node on PATH", oldestNode)}
}

// versionOf asks a program, or remembers what it said.
func (r *Runtimes) versionOf(ctx context.Context, file string, argv []string) (string, error) {
	if version := r.remembered(file); version != "" {
		return version, nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	out, err := run(ctx, command{argv: append(slices.Clone(argv), "--version"), env: r.bareEnvironment(), limit: maxAnswer})
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return "", ctx.Err()
	}
	version := spokenVersion().FindString(string(out.stdout))
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", cannotTell(argv, fmt.Sprintf("it did not answer within %v", askTime), ctx.Err())
	case err != nil:
		return "", cannotTell(argv, err.Error(), err)
	case version == "":
		return "", cannotTell(argv, "its answer holds no version", nil)
	}
	r.remember(file, version)
	return version, nil
}

func cannotTell(argv []string, why string, err error) *Failure {
	return &Failure{Reason: ReasonCannotTell, What: fmt.Sprintf("%s --version failed: %s", strings.Join(argv, " "), why),
		Next: "see what that command says", Err: err}
}

// bareEnvironment is what a program gets that is asked for its version: no tokens, and nothing that makes it look for
// updates.
func (r *Runtimes) bareEnvironment() []string {
	env := []string{"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	for _, name := range []string{"PATH", "HOME", "USERPROFILE", "LANG", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PATHEXT",
		"APPDATA", "LOCALAPPDATA"} {
		if v := r.getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	if runtime.GOOS == "windows" && r.getenv("SYSTEMROOT") == "" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"))
	}
	return env
}
