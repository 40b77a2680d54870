package core

import (
	"context"
	"parley/internal/human"
	"sync"
	"time"
)

// RuntimeOffer is a runtime that is not installed and can be.
type RuntimeOffer struct {
	// Name is the agent it is for, such as "claude"; Title is the name users know, such as "Claude Code".
	Name, Title string
	// Bytes is the size of the download; 0 if it is not known.
	Bytes int64
	// Install installs it and blocks until that is done or ctx ends. It calls progress from any goroutine.
	Install func(ctx context.Context, progress func(InstallProgress)) error
}

// Size returns the size of the download in brackets, after a space; "" if it is not known.
func (o *RuntimeOffer) Size() string {
	if o.Bytes <= 0 {
		return ""
	}
	return " (" + human.Number(int((o.Bytes+500_000)/1_000_000)) + " MB" + ")"
}

// InstallProgress is the progress of an installation.
type InstallProgress struct {
	// Stage is what is being done, in a few words such as "downloading"; empty for just installing.
	Stage string
	// Done and Total are bytes of the stage; Total is 0 while it is not known.
	Done, Total int64
	// PerSecond is the present rate in bytes, Left how long the rest of the stage will take; 0 while they are not known.
	PerSecond int64
	Left      time.Duration
}

// Installer installs the runtime of an offer. It belongs to one goroutine, apart from the functions it returns.
type Installer struct {
	offer  *RuntimeOffer
	cancel context.CancelFunc // nil while nothing is being installed
	now    *progress
}

// NewInstaller returns an installer of an offer; nil: there is nothing to install.
func NewInstaller(o *RuntimeOffer) Installer { return Installer{offer: o} }

// Offer returns the offer, nil if there is nothing to install, or no longer.
func (i *Installer) Offer() *RuntimeOffer { return i.offer }

// Running reports whether the runtime is being installed.
func (i *Installer) Running() bool { return i.cancel != nil }

// Start begins the installation and returns a function that does it: it blocks, and its error goes to Ended. There must be
// an offer, and nothing being installed.
func (i *Installer) Start(ctx context.Context) func() error {
	ctx, cancel := context.WithCancel(ctx)
	now, install := &progress{p: InstallProgress{Total: i.offer.Bytes}}, i.offer.Install
	i.cancel, i.now = cancel, now
	return func() error {
		defer cancel()
		return install(ctx, now.set)
	}
}

// Stop cancels the installation, and reports whether there was one.
func (i *Installer) Stop() bool {
	if i.cancel == nil {
		return false
	}
	i.cancel()
	return true
}

// Progress returns the newest progress of a running installation.
func (i *Installer) Progress() InstallProgress { return i.now.get() }

// Ended ends the installation and returns what was installed, or was not: without an error the offer is gone.
func (i *Installer) Ended(err error) RuntimeOffer {
	offer := *i.offer
	i.cancel, i.now = nil, nil
	if err == nil {
		i.offer = nil
	}
	return offer
}

// progress holds the newest progress. Safe for concurrent use.
type progress struct {
	mu sync.Mutex
	p  InstallProgress
}

func (f *progress) set(p InstallProgress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.p = p
}

func (f *progress) get() InstallProgress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.p
}
