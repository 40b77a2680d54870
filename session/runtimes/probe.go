package runtimes

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// probeTime bounds the wait for a program's version. A script takes half a second on a slow machine.
const probeTime = 20 * time.Second

// maxAnswer bounds what is read of its output, in bytes.
const maxAnswer = 64 << 10

// oldestNode is the oldest major version of node for scripts.
const oldestNode = 18

// Resolve finds a runtime like [Runtimes.Find] and checks that it can be started: its version is known and new enough, and so
// is node for a script. It asks programs for their version, once until they change, and passes over those that do not
// answer. It is for starting a runtime, not for listing.
func (r *Runtimes) Resolve(ctx context.Context, name string) (Found, error) {
	f := r.family(name)
	unusable := map[string]Notice{}
	for {
		found, err := r.find(name, unusable)
		if err != nil {
			return found, err
		}
		rt, err := r.probe(ctx, found.Runtime)
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
		unusable[found.Path] = passedOver(f, rt, err)
	}
}

// probe adds an unknown version to a runtime, and checks that node is new enough for a script. Versions are cached until
// their programs change.
func (r *Runtimes) probe(ctx context.Context, rt Runtime) (Runtime, error) {
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
	var q question
	if f.question != nil {
		q = f.question(rt.Path)
	}
	version, err := r.versionOf(ctx, rt.versionFile, rt.Argv, q)
	if err != nil {
		return rt, under(op, err)
	}
	rt.Version, rt.Standing = version, f.standing(version)
	return r.unpacked(f, rt), nil
}

func (r *Runtimes) checkNode(ctx context.Context, node string) error {
	real, err := filepath.EvalSymlinks(node)
	if err != nil {
		return noNode("node cannot be found any more")
	}
	version, err := r.versionOf(ctx, real, []string{node}, question{})
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

// versionOf returns the version of a program, cached by file.
func (r *Runtimes) versionOf(ctx context.Context, file string, argv []string, q question) (string, error) {
	if version := r.versions.get(file); version != "" {
		return version, nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	argv = append(slices.Clone(argv), q.args...)
	if len(q.args) == 0 {
		argv = append(argv, "--version")
	}
	out, err := run(ctx, command{argv: argv, env: r.env.bare(), input: q.input, limit: maxAnswer})
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return "", ctx.Err()
	}
	version := spokenVersion().FindString(string(out.stdout))
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", cannotTell(argv, fmt.Sprintf("it did not answer within %v", probeTime), ctx.Err())
	case err != nil:
		return "", cannotTell(argv, err.Error(), err)
	case !strings.Contains(string(out.stdout), q.about):
		return "", cannotTell(argv, "it is another program of that name", nil)
	case version == "":
		return "", cannotTell(argv, "its answer holds no version", nil)
	}
	r.versions.put(file, version)
	return version, nil
}

func cannotTell(argv []string, why string, err error) *Failure {
	return &Failure{Reason: ReasonCannotTell, What: fmt.Sprintf("%s failed: %s", strings.Join(argv, " "), why),
		Next: "see what that command says", Err: err}
}
