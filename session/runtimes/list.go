package runtimes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/safefs"
)

// Installed is an installed version.
type Installed struct {
	Name    string `json:"name"`
	Title   string `json:"-"`
	Version string `json:"version"`
	// Dir contains it and nothing else.
	Dir string `json:"dir"`
	// Package is the npm package with its version.
	Package string `json:"package"`
	// Size is the sum of all files, in bytes.
	Size     int64     `json:"size"`
	Standing Standing  `json:"standing"`
	Since    time.Time `json:"installed"`
	// Pinned reports that the archive was checked against a hash of parley, not of npm.
	Pinned bool `json:"pinned"`
	// Uses lists its uses by running processes, oldest first.
	Uses []Use `json:"uses,omitempty"`
	// Already reports whether Install found it installed.
	Already bool `json:"-"`
}

// List returns the installed versions of all agents with their uses, by name and newest first. It starts no process.
func (r *Runtimes) List() []Installed {
	var all []Installed
	for _, f := range r.families {
		list := r.store.installed(f)
		slices.SortFunc(list, func(a, b Installed) int { return compareVersions(b.Version, a.Version) })
		for i := range list {
			list[i].Uses = r.store.uses(f, list[i].Version)
		}
		all = append(all, list...)
	}
	return all
}

// Remove removes an installed version, or all of that name for an empty version. It fails for a version in use and names the
// users.
func (r *Runtimes) Remove(ctx context.Context, name, version string) ([]Installed, error) {
	op := "remove the runtime " + spec(name, version)
	f := r.family(name)
	if f == nil {
		return nil, failed(op, unknownName(name))
	}
	var gone []Installed
	var errs []error
	for _, i := range r.store.installed(f) {
		if version != "" && i.Version != version {
			continue
		}
		if err := ctx.Err(); err != nil {
			return gone, cancelled(op, err)
		}
		if err := r.removeVersion(f, i); err != nil {
			errs = append(errs, under(op, err))
			continue
		}
		gone = append(gone, i)
	}
	if len(gone) == 0 && len(errs) == 0 {
		return nil, failed(op, &Failure{Reason: ReasonNotInstalled, What: "parley has not installed it",
			Next: "`parley runtimes list` says what is there"})
	}
	return gone, errors.Join(errs...)
}

func (r *Runtimes) removeVersion(f *family, i Installed) error {
	unlock, err := lockNow(r.store.lockFile(f, i.Version))
	if errors.Is(err, safefs.ErrHeld) {
		return &Failure{Reason: ReasonInUse, What: "another parley is just installing or starting " + spec(f.name, i.Version),
			Next: "try again when that is done"}
	}
	if err != nil {
		return err
	}
	defer unlock()
	if uses := r.store.uses(f, i.Version); len(uses) > 0 {
		return &Failure{Reason: ReasonInUse, What: spec(f.name, i.Version) + " is in use by " + usersOf(uses),
			Next: "end that first"}
	}
	r.store.sweepUses(f, i.Version)
	return r.store.discard(f, i.Dir)
}

func usersOf(uses []Use) string {
	var names []string
	for _, u := range uses {
		names = append(names, fmt.Sprintf("%s (pid %d)", u.By, u.PID))
	}
	return strings.Join(names, ", ")
}

// holdTime bounds the wait of Hold for another process that has the lock of the version, usually for milliseconds.
const holdTime = 5 * time.Second

// Hold marks an installed runtime as in use until release is called or this process ends. by names the user, such as a
// session id. Other runtimes need no mark. release may be called once, from any goroutine.
func (r *Runtimes) Hold(ctx context.Context, rt Runtime, by string) (release func(), err error) {
	op := "use the runtime " + spec(rt.Name, rt.Version)
	f := r.family(rt.Name)
	if f == nil {
		return nil, failed(op, unknownName(rt.Name))
	}
	if rt.Source != SourceInstalled {
		return func() {}, nil
	}
	wait, cancel := context.WithTimeout(ctx, holdTime)
	defer cancel()
	unlock, err := lock(wait, r.store.lockFile(f, rt.Version), func() {})
	if err != nil && ctx.Err() == nil && wait.Err() != nil {
		return nil, failed(op, &Failure{Reason: ReasonInUse, What: "another parley is just replacing it", Next: "try again"})
	}
	if err != nil {
		return nil, under(op, err)
	}
	defer unlock()
	if _, ok := r.store.installedVersion(f, rt.Version); !ok {
		return nil, failed(op, &Failure{Reason: ReasonNotInstalled, What: "it has been removed",
			Next: fmt.Sprintf("run `parley runtimes install %s`", spec(f.name, rt.Version))})
	}
	r.store.sweepUses(f, rt.Version)
	release, err = r.store.mark(f, rt.Version, by)
	return release, under(op, err)
}

// spec returns NAME or NAME@VERSION.
func spec(name, version string) string {
	if version == "" {
		return name
	}
	return name + "@" + version
}

// Spec splits NAME or NAME@VERSION. The version is empty, "latest" or exact; anything else is an error.
func Spec(s string) (name, version string, err error) {
	name, version, has := strings.Cut(s, "@")
	op := "read " + s
	if familyOf(name) == nil {
		return "", "", failed(op, unknownName(name))
	}
	if has && version != latestTag && !isVersion(version) {
		return "", "", failed(op, &Failure{Reason: ReasonInvalidVersion, What: fmt.Sprintf("%q is not an exact version", version),
			Next: "write it as in " + spec(name, familyOf(name).newest)})
	}
	return name, version, nil
}

func joinNames() string { return strings.Join(Names(), ", ") }
