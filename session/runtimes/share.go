package runtimes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// Latest is the version that asks for whatever the registry calls so.
const Latest = "latest"

// rememberFailure is how long a failed installation is not tried again within a process: whatever asks for a runtime in
// vain must not set off a download each time.
const rememberFailure = 30 * time.Second

// failedAt is a failure and when it was.
type failedAt struct {
	err error
	at  time.Time
}

// flight is one installation that any number of callers wait for. It ends with itself or when the last of them has gone.
type flight struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when result and err are set
	result Installed
	err    error

	mu      sync.Mutex
	latest  Progress
	waiters map[chan Progress]struct{}
}

// Install installs a runtime, or finds that it is installed. An empty version means the configured one, else the newest that
// parley was tested with and that this platform has; [Latest] whatever npm calls so, checked like a tested version if it
// is one.
//
// progress, which may be nil, is called in the caller's own goroutine and never after Install has returned; it may miss
// steps. Callers of one process share one installation, which only ends early when all of them have gone; processes share
// one by a lock. A failure is remembered for 30 seconds, which the error's RetryAfter tells; giving up is not.
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
	if i, ok := r.installedVersion(f, version); ok {
		i.Already = true
		return i, nil
	}
	fl, steps, err := r.join(ctx, f, version)
	if err != nil {
		return Installed{}, err
	}
	for {
		select {
		case p := <-steps:
			if progress != nil {
				progress(p)
			}
		case <-fl.done:
			return fl.result, under(op, fl.err)
		case <-ctx.Done():
			r.leave(spec(name, version), fl, steps)
			return Installed{}, cancelled(op, ctx.Err())
		}
	}
}

// DownloadSize is how many bytes [Runtimes.Install] has to fetch for a version on this platform; an empty version means the one
// that Install would choose. It is known of the versions that parley was tested with, and 0 for all others. Nobody is
// asked, and it is safe for concurrent use.
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

// versionToInstall chooses an exact version, or Latest.
func (r *Runtimes) versionToInstall(f *family, version string) (string, error) {
	if version == "" {
		version = r.o.Configured[f.name].Version
	}
	if version == "" {
		for _, p := range slices.Backward(f.pins) {
			if _, ok := p.on(r.o.Platform); ok {
				return p.version, nil
			}
		}
		return "", f.noPlatform(f.newest, r.o.Platform)
	}
	switch {
	case version == Latest:
	case !isVersion(version):
		return "", &Failure{Reason: ReasonInvalidVersion, What: fmt.Sprintf("%q is not an exact version", version),
			Next: "write it as in " + spec(f.name, f.newest)}
	case compareVersions(version, f.oldest) < 0:
		return "", &Failure{Reason: ReasonTooOld, What: fmt.Sprintf("parley needs %s %s or newer", f.title, f.oldest),
			Next: "run `parley runtimes install " + f.name + "` for the newest tested one"}
	}
	return version, nil
}

// join takes part in an installation that is under way, or begins one. The context of whoever begins it does not end it.
func (r *Runtimes) join(ctx context.Context, f *family, version string) (*flight, chan Progress, error) {
	key := spec(f.name, version)
	steps := make(chan Progress, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if old, ok := r.fresh[key]; ok {
		if left := rememberFailure - r.o.Now().Sub(old.at); left > 0 {
			return nil, nil, again(old.err, left)
		}
		delete(r.fresh, key)
	}
	fl := r.flights[key]
	if fl == nil {
		alone, cancel := context.WithCancel(context.WithoutCancel(ctx))
		fl = &flight{cancel: cancel, done: make(chan struct{}), waiters: map[chan Progress]struct{}{}}
		r.flights[key] = fl
		go r.fly(alone, key, f, version, fl)
	}
	fl.mu.Lock()
	fl.waiters[steps] = struct{}{}
	if fl.latest != (Progress{}) {
		steps <- fl.latest
	}
	fl.mu.Unlock()
	return fl, steps, nil
}

// again is a remembered failure with the time after which trying makes sense.
func again(err error, left time.Duration) error {
	e := &session.Error{Op: "install the runtime", Kind: session.KindOf(err), Err: err, RetryAfter: left}
	if old, ok := errors.AsType[*session.Error](err); ok {
		e.Op, e.Err = old.Op, old.Err
	}
	return e
}

// fly does the work and tells everybody.
func (r *Runtimes) fly(ctx context.Context, key string, f *family, version string, fl *flight) {
	defer fl.cancel()
	m := &meter{now: r.o.Now, report: fl.tell, p: Progress{Name: f.name, Version: version}}
	fl.result, fl.err = r.install(ctx, f, version, m)
	r.mu.Lock()
	if r.flights[key] == fl {
		delete(r.flights, key)
	}
	if fl.err != nil && ctx.Err() == nil {
		r.fresh[key] = failedAt{err: under("install the runtime "+key, fl.err), at: r.o.Now()}
	}
	r.mu.Unlock()
	close(fl.done)
}

// tell leaves the newest step with each waiter; one that has not fetched the last gets only this.
func (fl *flight) tell(p Progress) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	fl.latest = p
	for steps := range maps.Keys(fl.waiters) {
		select {
		case <-steps:
		default:
		}
		steps <- p
	}
}

// leave gives up waiting. The last to do so ends the installation and waits until nothing of it is left; whoever comes
// meanwhile begins another.
func (r *Runtimes) leave(key string, fl *flight, steps chan Progress) {
	r.mu.Lock()
	fl.mu.Lock()
	delete(fl.waiters, steps)
	last := len(fl.waiters) == 0
	fl.mu.Unlock()
	if last && r.flights[key] == fl {
		delete(r.flights, key)
	}
	r.mu.Unlock()
	if last {
		fl.cancel()
		<-fl.done
	}
}
