package runtimes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Installed is a version that parley installed.
type Installed struct {
	Name    string `json:"name"`
	Title   string `json:"-"`
	Version string `json:"version"`
	// Dir holds it, and is removed with it.
	Dir string `json:"dir"`
	// Package is what npm calls it, with its version.
	Package string `json:"package"`
	// Size is that of all files, in bytes.
	Size     int64     `json:"size"`
	Standing Standing  `json:"standing"`
	Since    time.Time `json:"installed"`
	// Pinned says that the archive was checked against a hash of parley's own, and not npm's.
	Pinned bool `json:"pinned"`
	// Uses are the processes that have it in use, oldest first.
	Uses []Use `json:"uses,omitempty"`
	// Already says that it was there before, of what Install returns.
	Already bool `json:"-"`
}

// Use is a process that uses an installed runtime.
type Use struct {
	PID int `json:"pid"`
	// By says what for, such as a session's id.
	By    string    `json:"by"`
	Since time.Time `json:"since"`
}

// List returns what is installed for all agents, by name and newest version first, with who uses it. It starts no process.
func (r *Runtimes) List() []Installed {
	var all []Installed
	for _, f := range r.families {
		list := r.installed(f)
		slices.SortFunc(list, func(a, b Installed) int { return compareVersions(b.Version, a.Version) })
		for i := range list {
			list[i].Uses = r.uses(f, list[i].Version)
		}
		all = append(all, list...)
	}
	return all
}

// installed reads the receipts.
func (r *Runtimes) installed(f *family) []Installed {
	entries, err := os.ReadDir(r.home(f))
	if err != nil {
		return nil
	}
	var list []Installed
	for _, e := range entries {
		if i, ok := r.installedVersion(f, e.Name()); ok {
			list = append(list, i)
		}
	}
	return list
}

func (r *Runtimes) installedVersion(f *family, version string) (Installed, bool) {
	if strings.HasPrefix(version, ".") || !isVersion(version) {
		return Installed{}, false
	}
	dir := r.versionDir(f, version)
	got, ok := complete(dir)
	return Installed{Name: f.name, Title: f.title, Version: version, Dir: dir, Package: got.Package, Size: got.Size,
		Standing: f.standing(version), Since: got.Installed, Pinned: got.Pinned}, ok
}

// Remove removes an installed version; an empty version means all of that name. One in use is an error that says by whom,
// and is left whole.
func (r *Runtimes) Remove(ctx context.Context, name, version string) ([]Installed, error) {
	op := "remove the runtime " + spec(name, version)
	f := r.family(name)
	if f == nil {
		return nil, failed(op, unknownName(name))
	}
	var gone []Installed
	var errs []error
	for _, i := range r.installed(f) {
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
	unlock, err := lockNow(r.lockFile(f, i.Version))
	if errors.Is(err, errHeld) {
		return &Failure{Reason: ReasonInUse, What: "another parley is just installing or starting " + spec(f.name, i.Version),
			Next: "try again when that is done"}
	}
	if err != nil {
		return err
	}
	defer unlock()
	if uses := r.uses(f, i.Version); len(uses) > 0 {
		return &Failure{Reason: ReasonInUse, What: spec(f.name, i.Version) + " is in use by " + usersOf(uses),
			Next: "end that first"}
	}
	r.sweepUses(f, i.Version)
	return r.discard(f, i.Dir)
}

func usersOf(uses []Use) string {
	var names []string
	for _, u := range uses {
		names = append(names, fmt.Sprintf("%s (pid %d)", u.By, u.PID))
	}
	return strings.Join(names, ", ")
}

// holdTime is how long Hold waits for whoever is just removing or using the same version; both take milliseconds.
const holdTime = 5 * time.Second

// Hold marks an installed runtime as in use until release is called or this process ends, however it ends. by says what
// for, such as a session's id. For runtimes that parley did not install it does nothing. release may be called once, from
// any goroutine.
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
	unlock, err := lock(wait, r.lockFile(f, rt.Version), func() {})
	if err != nil && ctx.Err() == nil && wait.Err() != nil {
		return nil, failed(op, &Failure{Reason: ReasonInUse, What: "another parley is just replacing it", Next: "try again"})
	}
	if err != nil {
		return nil, under(op, err)
	}
	defer unlock()
	if _, ok := r.installedVersion(f, rt.Version); !ok {
		return nil, failed(op, &Failure{Reason: ReasonNotInstalled, What: "it has been removed",
			Next: fmt.Sprintf("run `parley runtimes install %s`", spec(f.name, rt.Version))})
	}
	r.sweepUses(f, rt.Version)
	release, err = r.mark(f, rt.Version, by)
	return release, under(op, err)
}

func (r *Runtimes) usesDir(f *family, version string) string {
	return filepath.Join(r.home(f), usesDir, version)
}

// mark makes the file that stands for a use, and locks it. The caller has the version's lock, so that nobody takes the file
// for one left behind before it is locked.
func (r *Runtimes) mark(f *family, version, by string) (release func(), err error) {
	dir := r.usesDir(f, version)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "*.json")
	if err != nil {
		return nil, err
	}
	release = func() { file.Close(); os.Remove(file.Name()) }
	data, err := json.Marshal(Use{PID: os.Getpid(), By: by, Since: r.o.Now().UTC()})
	if err == nil {
		_, err = file.Write(data)
	}
	if err != nil {
		release()
		return nil, err
	}
	_ = tryLock(file)
	return release, nil
}

// sweepUses removes the marks of processes that are gone. The caller has the version's lock.
func (r *Runtimes) sweepUses(f *family, version string) {
	entries, _ := os.ReadDir(r.usesDir(f, version))
	for _, e := range entries {
		path := filepath.Join(r.usesDir(f, version), e.Name())
		if _, used := readUse(path); !used {
			os.Remove(path)
		}
	}
}

// uses reads the marks of processes that live.
func (r *Runtimes) uses(f *family, version string) []Use {
	entries, err := os.ReadDir(r.usesDir(f, version))
	if err != nil {
		return nil
	}
	var list []Use
	for _, e := range entries {
		if u, used := readUse(filepath.Join(r.usesDir(f, version), e.Name())); used {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b Use) int { return a.Since.Compare(b.Since) })
	return list
}

// readUse reports false for a mark that nobody holds any more.
func readUse(path string) (Use, bool) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return Use{}, false
	}
	defer file.Close()
	if !errors.Is(tryLock(file), errHeld) {
		return Use{}, false
	}
	data, err := readBounded(path, 4<<10)
	var u Use
	if err != nil || json.Unmarshal(data, &u) != nil {
		return Use{By: "an unknown process"}, true
	}
	return u, true
}

// spec writes NAME or NAME@VERSION.
func spec(name, version string) string {
	if version == "" {
		return name
	}
	return name + "@" + version
}

// Spec splits NAME or NAME@VERSION, as users write it. The version is empty, "latest" or exact; anything else is an error.
func Spec(s string) (name, version string, err error) {
	name, version, has := strings.Cut(s, "@")
	op := "read " + s
	if familyOf(name) == nil {
		return "", "", failed(op, unknownName(name))
	}
	if has && version != Latest && !isVersion(version) {
		return "", "", failed(op, &Failure{Reason: ReasonInvalidVersion, What: fmt.Sprintf("%q is not an exact version", version),
			Next: "write it as in " + spec(name, familyOf(name).newest)})
	}
	return name, version, nil
}

func joinNames() string { return strings.Join(Names(), ", ") }
