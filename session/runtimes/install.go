package runtimes

import (
	"context"
	"fmt"
	"slices"
)

// latestTag names the version with that tag in the registry.
const latestTag = "latest"

// Install installs a runtime unless it is installed. An empty version means the configured one, else the newest tested one
// for this platform. latestTag means npm's latest, checked like a tested version if it is one.
//
// progress, which may be nil, is called in the caller's goroutine, never after Install has returned, and may miss steps.
// Callers in one process share one installation, which ends early only when all have been cancelled; processes share one
// through a lock. A failure is repeated for 30 seconds without a new try; the error's RetryAfter holds the time left.
func (r *Runtimes) Install(ctx context.Context, name, version string, progress func(Progress)) (Installed, error) {
	op := "install the runtime " + spec(name, version)
	f := r.family(name)
	if f == nil {
		return Installed{}, failed(op, unknownName(name))
	}
	version, err := r.versionToInstall(f, version)
	if err != nil {
		return Installed{}, under(op, err)
	}
	op = "install the runtime " + spec(name, version)
	if i, ok := r.store.installedVersion(f, version); ok {
		i.Already = true
		return i, nil
	}
	shared, steps, err := r.installs.join(ctx, f, version)
	if err != nil {
		return Installed{}, err
	}
	for {
		select {
		case p := <-steps:
			if progress != nil {
				progress(p)
			}
		case <-shared.done:
			return shared.result, under(op, shared.err)
		case <-ctx.Done():
			r.installs.leave(spec(name, version), shared, steps)
			return Installed{}, cancelled(op, ctx.Err())
		}
	}
}

// DownloadSize returns the bytes that [Runtimes.Install] downloads for a version on this platform, 0 for versions that are
// not tested. An empty version means the one that Install would choose. It sends no request.
func (r *Runtimes) DownloadSize(name, version string) int64 {
	f := r.family(name)
	if f == nil {
		return 0
	}
	version, err := r.versionToInstall(f, version)
	if err != nil {
		return 0
	}
	p := f.pinOf(version)
	if p == nil {
		return 0
	}
	pkg, _ := p.on(r.o.Platform)
	return pkg.size
}

// versionToInstall returns an exact version, or latestTag.
func (r *Runtimes) versionToInstall(f *family, version string) (string, error) {
	if version == "" {
		version = r.o.Configured[f.name].Version
	}
	if version == "" {
		for _, p := range slices.Backward(f.pins) {
			pkg, ok := p.on(r.o.Platform)
			if ok && f.preferred != nil && f.preferred(pkg) {
				return p.version, nil
			}
			if ok && version == "" {
				version = p.version
			}
		}
		if version == "" {
			return "", f.noPlatform(f.newest, r.o.Platform)
		}
	}
	switch {
	case version == latestTag:
	case !isVersion(version):
		return "", &Failure{Reason: ReasonInvalidVersion, What: fmt.Sprintf("%q is not an exact version", version),
			Next: "write it as in " + spec(f.name, f.newest)}
	case compareVersions(version, f.oldest) < 0:
		return "", &Failure{Reason: ReasonTooOld, What: fmt.Sprintf("parley needs %s %s or newer", f.title, f.oldest),
			Next: "run `parley runtimes install " + f.name + "` for the newest tested one"}
	}
	return version, nil
}
