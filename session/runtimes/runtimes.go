package runtimes

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options are what a [Runtimes] works with. Only Dir is needed.
type Options struct {
	// Dir is where installed runtimes are, as DIR/NAME/VERSION. It is made when something is installed.
	Dir string
	// Environ is the environment as "NAME=value" entries: PATH is searched, and npm is run with it.
	Environ []string
	// Configured is what the configuration says, by the agent's name.
	Configured map[string]Configured
	// Platform is the machine; the zero value: this one.
	Platform Platform
	// NPM is the command line that starts npm; empty: npm on PATH.
	NPM []string
	// HTTP fetches archives; nil: a client that honours the proxies of Environ's own process.
	HTTP *http.Client
	// Files makes and moves files while installing; nil: the disk's.
	Files Files
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// StallAfter is how long a download may be silent; 0: a minute.
	StallAfter time.Duration
}

// Configured is what the user has set for one runtime.
type Configured struct {
	// Path is a program, a script for node, or the directory of an npm package; empty: to be found.
	Path string
	// Version is the only one to use, exact; empty: any; [Latest]: any, and whatever npm calls so is what to install.
	Version string
}

// Files is the part of the file system that installing writes with, so that tests can make a disk full.
type Files interface {
	// Create makes a new file; one that exists is an error.
	Create(path string, perm fs.FileMode) (io.WriteCloser, error)
	// Rename moves a directory to a name that is free.
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

	mu      sync.Mutex
	flights map[string]*flight  // installations under way, by NAME@VERSION
	fresh   map[string]failedAt // failures that are too young to try again
}

// New makes a Runtimes. It touches nothing.
func New(o Options) *Runtimes {
	if o.Platform == (Platform{}) {
		o.Platform = ThisPlatform()
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
	return &Runtimes{o: o, families: families, flights: map[string]*flight{}, fresh: map[string]failedAt{}}
}

// oneOff is a transport that keeps no connection for later: there is one archive to fetch.
func oneOff() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableKeepAlives = true
	return t
}

// family finds an agent's entry of the table, nil if there is none.
func (r *Runtimes) family(name string) *family { return familyIn(r.families, name) }

// getenv looks a variable up; the last of several entries wins. Windows does not tell upper from lower case.
func (r *Runtimes) getenv(name string) string {
	for _, entry := range slices.Backward(r.o.Environ) {
		k, v, _ := strings.Cut(entry, "=")
		if k == name || runtime.GOOS == "windows" && strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// lookAll finds every program of a name on PATH, in its order. Entries that are not absolute are left out: they would let
// the directory one happens to stand in decide what runs.
func (r *Runtimes) lookAll(command string) []string {
	names := []string{command}
	if r.o.Platform.OS == "windows" {
		names = []string{command + ".exe", command + ".cmd"}
	}
	var found []string
	for _, dir := range filepath.SplitList(r.getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, name := range names {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && executable(info) && !slices.Contains(found, path) {
				found = append(found, path)
			}
		}
	}
	return found
}

// look finds a program on PATH, "" if there is none.
func (r *Runtimes) look(command string) string {
	if all := r.lookAll(command); len(all) > 0 {
		return all[0]
	}
	return ""
}

func executable(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
