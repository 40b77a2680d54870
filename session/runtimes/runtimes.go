package runtimes

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Options configures a [Runtimes]. Only Dir is required.
type Options struct {
	// Dir contains installed runtimes as DIR/NAME/VERSION. It is created with the first installation.
	Dir string
	// Environ is the environment as "NAME=value" entries: PATH is searched, and npm runs with it.
	Environ []string
	// Current returns the environment as it is now, where PATH may change; nil: Environ.
	Current func() []string
	// Configured is the user's configuration, by the agent's name.
	Configured map[string]Configured
	// Platform is the machine; the zero value: this one.
	Platform Platform
	// NPM is the command line of npm; empty: npm on PATH.
	NPM []string
	// HTTP downloads archives; nil: a client with the proxies of this process.
	HTTP *http.Client
	// Files creates and moves files during an installation; nil: the disk.
	Files Files
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// StallAfter bounds the time in which a download receives nothing; 0: a minute.
	StallAfter time.Duration
}

// Configured is the user's configuration of a runtime.
type Configured struct {
	// Path is a program, a script for node, or the directory of an npm package; empty: search for it.
	Path string
	// Version is the only one to use, exact; empty: any; [latestTag]: any, and npm's latest one is installed.
	Version string
}

// Files has the operations with which an installation writes to the file system. Tests replace it with a full disk.
type Files interface {
	// Create creates a new file and fails if it exists.
	Create(path string, perm fs.FileMode) (io.WriteCloser, error)
	// Rename moves a directory to a free name.
	Rename(from, to string) error
}

type diskFiles struct{}

func (diskFiles) Create(path string, perm fs.FileMode) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
}

func (diskFiles) Rename(from, to string) error { return os.Rename(from, to) }

// Runtimes finds, installs and removes runtimes. It is safe for concurrent use, and any number of processes may work on
// the same directory.
type Runtimes struct {
	o        Options
	families []*family
	env      environment
	store    store
	versions versionCache
	installs installs
}

// New returns a Runtimes without touching the disk.
func New(o Options) *Runtimes {
	if o.Platform == (Platform{}) {
		o.Platform = thisPlatform()
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{Transport: oneOff()}
	}
	if o.Files == nil {
		o.Files = diskFiles{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.StallAfter == 0 {
		o.StallAfter = time.Minute
	}
	r := &Runtimes{
		o: o, families: families, env: environment{vars: o.Environ, os: o.Platform.OS, now: o.Current}, store: store{o.Dir, o.Now},
		versions: versionCache{filepath.Join(o.Dir, versionsFile)},
		installs: installs{now: o.Now, running: map[string]*sharedInstall{}, failures: map[string]installFailure{}},
	}
	r.installs.install = r.install
	return r
}

// oneOff returns a transport without keep-alive connections, for a single download.
func oneOff() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableKeepAlives = true
	return t
}

// family returns an agent's entry of the table, nil if there is none.
func (r *Runtimes) family(name string) *family { return familyIn(r.families, name) }
