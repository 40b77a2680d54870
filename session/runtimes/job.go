package runtimes

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// install runs one installation.
func (r *Runtimes) install(ctx context.Context, f *family, version string, m *meter) (Installed, error) {
	pin := f.pinOf(version)
	packages, err := r.packagesOf(f, pin, version)
	if err != nil {
		return Installed{}, err
	}
	if _, err := r.npmCommand(); err != nil {
		return Installed{}, err
	}
	if err := os.MkdirAll(r.store.home(f), 0o700); err != nil {
		return Installed{}, err
	}
	unlock, err := lock(ctx, r.store.lockFile(f, version), func() { m.stage(StageWaiting, 0) })
	if err != nil {
		return Installed{}, err
	}
	defer unlock()
	if i, ok := r.store.installedVersion(f, version); ok { // by the process that had the lock
		return i, nil
	}
	r.store.sweep(f, version)
	staging, err := os.MkdirTemp(r.store.home(f), stagingPrefix+version+"-")
	if err != nil {
		return Installed{}, err
	}
	defer os.RemoveAll(staging)
	m.stage(StageAsking, 0)
	pkg, d, err := r.choose(ctx, npm{r: r, dir: staging}, packages)
	if err != nil {
		return Installed{}, err
	}
	if version == latestTag {
		if i, ok := r.store.installedVersion(f, d.Version); ok {
			i.Already = true
			return i, nil
		}
		if pin = f.pinOf(d.Version); pin != nil {
			tested, ok := pin.on(r.o.Platform)
			if !ok || tested.name != pkg.name || !matches(tested.integrity, sha512Of(d.Hashes)[0]) {
				return Installed{}, mismatch(tested, "the registry announces another archive than")
			}
			pkg = tested
		}
	}
	job := job{r: r, f: f, m: m, pkg: pkg, dist: d, version: version, pinned: pin != nil, staging: staging}
	i, err := job.run(ctx)
	if err == nil {
		m.stage(StageDone, 0)
	}
	return i, err
}

// packagesOf returns the packages that may contain a version for this platform, in the order to try.
func (r *Runtimes) packagesOf(f *family, pin *pin, version string) ([]npmPackage, error) {
	packages := f.packages(version, r.o.Platform)
	if pin != nil {
		pkg, ok := pin.on(r.o.Platform)
		if !ok {
			return nil, f.noPlatform(version, r.o.Platform)
		}
		packages = []npmPackage{pkg}
	}
	if len(packages) == 1 && packages[0].script && r.env.look("node") == "" {
		return nil, noNode(fmt.Sprintf("%s %s needs node, which is not on PATH", f.title, version))
	}
	return packages, nil
}

// noPlatform returns the failure of a version without a package for a platform, with one that has.
func (f *family) noPlatform(version string, p Platform) *Failure {
	next := "use `--agent builtin`, which needs no runtime"
	for _, other := range f.pins {
		if _, ok := other.packages[anyPlatform]; ok && other.version != version {
			next = fmt.Sprintf("with Node.js, `parley runtimes install %s` works; or %s", spec(f.name, other.version), next)
		}
	}
	return &Failure{Reason: ReasonPlatform, What: fmt.Sprintf("there is no %s %s for %s", f.title, version, p.key()), Next: next}
}

// choose returns the first package that npm has. It fails if npm announces another hash than the tested one.
func (r *Runtimes) choose(ctx context.Context, n npm, packages []npmPackage) (npmPackage, dist, error) {
	var missing error
	for _, pkg := range packages {
		d, err := n.view(ctx, pkg)
		if ReasonOf(err) == ReasonNoSuchVersion {
			if missing == nil {
				missing = err
			}
			continue
		}
		if err != nil {
			return pkg, d, err
		}
		if pkg.integrity == "" {
			pkg.integrity = d.Hashes
			if len(sha512Of(d.Hashes)) == 0 {
				return pkg, d, &Failure{Reason: ReasonMismatch, What: "npm gives no SHA-512 hash of " + pkg.spec() + ", so it cannot be checked",
					Next: "ask for another version, or use another registry"}
			}
		} else if sums := sha512Of(d.Hashes); len(sums) > 0 && !matches(pkg.integrity, sums[0]) {
			return pkg, d, mismatch(pkg, "the registry announces another archive than")
		}
		return pkg, d, nil
	}
	return npmPackage{}, dist{}, missing
}

func mismatch(pkg npmPackage, how string) *Failure {
	return &Failure{Reason: ReasonMismatch, What: fmt.Sprintf("%s the one of %s that was expected; nothing of it was used", how, pkg.spec()),
		Next: "check with `npm config get registry` whether the registry can be trusted, then try again"}
}

// job is the installation of a known archive.
type job struct {
	r       *Runtimes
	f       *family
	m       *meter
	pkg     npmPackage
	dist    dist
	version string // as requested: exact, or latestTag
	pinned  bool
	staging string
}

// run downloads, checks and unpacks the archive, and moves the version to its place.
func (j job) run(ctx context.Context) (Installed, error) {
	archive, sum, err := downloader{j.r.o.HTTP, j.r.o.Files, j.r.o.StallAfter}.fetch(ctx, npm{r: j.r, dir: j.staging}, j.pkg, j.dist, j.m)
	if err != nil {
		return Installed{}, err
	}
	if !matches(j.pkg.integrity, sum) {
		return Installed{}, mismatch(j.pkg, "what was downloaded is not")
	}
	dir := filepath.Join(j.staging, "package")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return Installed{}, err
	}
	size, err := unpack(ctx, j.r.o.Files, archive, dir, j.m)
	if err != nil {
		return Installed{}, err
	}
	rt, err := j.check(dir)
	if err != nil {
		return Installed{}, err
	}
	if err := j.sign(dir, rt, size); err != nil {
		return Installed{}, err
	}
	return j.place(ctx, dir, rt.Version)
}

// check checks that the unpacked package is the requested runtime.
func (j job) check(dir string) (Runtime, error) {
	for _, name := range j.f.programs {
		if path := filepath.Join(dir, name); regular(path) {
			if err := os.Chmod(path, 0o700); err != nil {
				return Runtime{}, err
			}
		}
	}
	rt, err := candidate{r: j.r, f: j.f, path: dir, source: SourceInstalled}.openPackage(dir)
	switch {
	case ReasonOf(err) == ReasonNoNode:
		return rt, err
	case err != nil:
		return rt, j.f.noPlatform(j.version, j.r.o.Platform)
	case !strings.HasPrefix(rt.Path, dir):
		return rt, refused("its program is not in it")
	case j.version != latestTag && rt.Version != j.version:
		return rt, refused(fmt.Sprintf("it holds %s %s", j.f.title, rt.Version))
	case compareVersions(rt.Version, j.f.oldest) < 0:
		return rt, &Failure{Reason: ReasonTooOld, What: fmt.Sprintf("%s is %s, and parley needs %s or newer", j.pkg.spec(), rt.Version, j.f.oldest)}
	}
	return rt, nil
}

func regular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// sign writes the receipt, without which a directory is not a runtime.
func (j job) sign(dir string, rt Runtime, size int64) error {
	info, err := os.Stat(rt.Path)
	if err != nil {
		return err
	}
	program, err := filepath.Rel(dir, rt.Path)
	if err != nil {
		return err
	}
	pkg := j.pkg
	if j.dist.Version != "" {
		pkg.version = j.dist.Version
	}
	data, err := json.MarshalIndent(receipt{Package: pkg.spec(), Integrity: pkg.integrity, Pinned: j.pinned, Program: program,
		Length: info.Size(), Size: size, Installed: j.r.o.Now().UTC()}, "", "  ")
	if err != nil {
		return err
	}
	return j.writeNew(filepath.Join(dir, receiptFile), append(data, '\n'))
}

func (j job) writeNew(path string, data []byte) error {
	w, err := j.r.o.Files.Create(path, 0o600)
	if err != nil {
		return diskFailure(err)
	}
	_, err = w.Write(data)
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return diskFailure(err)
	}
	return nil
}

// place moves the directory to its name in one step. A complete version of that name wins: locks do not work on every file
// system, and a request for the latest version locks another name.
func (j job) place(ctx context.Context, dir, version string) (Installed, error) {
	if err := ctx.Err(); err != nil {
		return Installed{}, err
	}
	final := j.r.store.versionDir(j.f, version)
	err := j.r.o.Files.Rename(dir, final)
	if err != nil {
		if i, ok := j.r.store.installedVersion(j.f, version); ok {
			return i, nil
		}
		if _, statErr := os.Lstat(final); statErr == nil { // a directory without a receipt, which is unused
			if err := j.r.store.discard(j.f, final); err != nil {
				return Installed{}, err
			}
			err = j.r.o.Files.Rename(dir, final)
		}
	}
	if err != nil {
		return Installed{}, err
	}
	i, ok := j.r.store.installedVersion(j.f, version)
	if !ok {
		return Installed{}, &fs.PathError{Op: "install", Path: final, Err: fs.ErrInvalid}
	}
	return i, nil
}
