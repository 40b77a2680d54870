package runtimes

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Source is the kind of place in which a runtime was found.
type Source string

// The sources of runtimes, in the order of the search.
const (
	SourceConfig    Source = "config"    // the path of the configuration
	SourceInstalled Source = "installed" // one that parley installed
	SourcePath      Source = "path"      // a program on PATH
)

// Kind is the way in which a runtime is started.
type Kind string

// The kinds of runtimes.
const (
	KindScript  Kind = "script"  // a script for node
	KindNative  Kind = "native"  // a program of this platform
	KindWrapper Kind = "wrapper" // a script of another kind, such as the shim of a version manager
)

// Standing compares a version with the tested ones.
type Standing string

// The standings of a version.
const (
	StandingTested  Standing = "tested"  // exactly a tested version
	StandingBetween Standing = "between" // between the oldest and the newest of them
	StandingNewer   Standing = "newer"
	StandingOlder   Standing = "older" // such a runtime is not used
	StandingUnknown Standing = "unknown"
)

// Words returns a standing in words for a table.
func (s Standing) Words() string {
	switch s {
	case StandingTested:
		return "tested"
	case StandingBetween:
		return "between tested versions"
	case StandingNewer:
		return "newer than tested"
	case StandingOlder:
		return "too old"
	}
	return "not asked yet"
}

// Runtime is a runtime that can be started.
type Runtime struct {
	// Name is the agent's name, Title the runtime's name in sentences.
	Name  string `json:"name"`
	Title string `json:"-"`
	// Version is exact, or empty until [Runtimes.probe] has asked the program.
	Version string `json:"version"`
	// Argv is the command line without arguments. It is never run through a shell.
	Argv []string `json:"argv"`
	// Path is the program's file, absolute.
	Path     string   `json:"path"`
	Kind     Kind     `json:"kind"`
	Source   Source   `json:"source"`
	Standing Standing `json:"standing"`

	versionFile string // the file whose change invalidates the cached version
}

// Unpacked reports whether the runtime is started by the faster program that it has unpacked. That of Copilot 1.0.102 runs no hooks of
// a project's settings files, which its CLI does.
func (r Runtime) Unpacked() bool {
	return r.Kind == KindNative && len(r.Argv) == 1 && r.Argv[0] != r.Path
}

// Notice is a message to the user about a runtime: a sentence without a full stop.
type Notice struct {
	Path    string `json:"path"`
	Version string `json:"version,omitempty"`
	// Reason explains why it was passed over, or [ReasonNewer] if it is used.
	Reason Reason `json:"reason"`
	Text   string `json:"text"`
}

// ReasonNewer marks the notice of a runtime in use that is newer than all tested versions.
const ReasonNewer Reason = "newer"

// Found is a runtime, with notices about it and about those that were passed over.
type Found struct {
	Runtime
	Notices []Notice
}

// Find searches for an agent's runtime: the configured path, then installed versions, newest first, then PATH. Versions older
// than the oldest tested one are passed over with a notice; newer ones are used with a notice. A configured path without a
// runtime is an error.
//
// Find starts no process and takes well under a millisecond, so the version may be unknown; use [Runtimes.Resolve] before
// starting the runtime. [ReasonOf] returns the reason of an error.
func (r *Runtimes) Find(name string) (Found, error) {
	return r.find(name, nil)
}

// find is [Runtimes.Find] without the paths that failed before, each with its notice.
func (r *Runtimes) find(name string, unusable map[string]Notice) (Found, error) {
	op := "find the runtime of " + name
	f := r.family(name)
	if f == nil {
		return Found{}, failed(op, unknownName(name))
	}
	want := r.o.Configured[name]
	var notices []Notice
	for _, c := range r.candidates(f, want) {
		rt, err := c.open()
		if err != nil {
			if c.source == SourceConfig {
				return Found{Notices: notices}, failed(op, configuredFailure(f, c.path, err))
			}
			if !errors.Is(err, fs.ErrNotExist) {
				notices = append(notices, passedOver(f, Runtime{Path: c.path}, err))
			}
			continue
		}
		if n, ok := unusable[rt.Path]; ok {
			notices = append(notices, n)
			continue
		}
		rt.Standing = f.standing(rt.Version)
		if err := f.acceptable(rt, want.Version); err != nil {
			notices = append(notices, passedOver(f, rt, err))
			continue
		}
		// Notices about other versions do not matter once the requested one is found.
		notices = slices.DeleteFunc(notices, func(n Notice) bool { return n.Reason == ReasonNoSuchVersion })
		if rt.Standing == StandingNewer {
			notices = append(notices, newer(f, rt))
		}
		return Found{Runtime: rt, Notices: notices}, nil
	}
	return Found{Notices: notices}, failed(op, notFound(f, want.Version, notices))
}

// standing returns how a version compares with the tested ones.
func (f *family) standing(version string) Standing {
	switch {
	case version == "":
		return StandingUnknown
	case f.pinOf(version) != nil:
		return StandingTested
	case compareVersions(version, f.oldest) < 0:
		return StandingOlder
	case compareVersions(version, f.newest) > 0:
		return StandingNewer
	}
	return StandingBetween
}

func (f *family) acceptable(rt Runtime, want string) error {
	switch {
	case rt.Standing == StandingOlder:
		return &Failure{Reason: ReasonTooOld, What: fmt.Sprintf("it is %s, and parley needs %s or newer", rt.Version, f.oldest)}
	case want != "" && want != latestTag && rt.Version != "" && rt.Version != want:
		return &Failure{Reason: ReasonNoSuchVersion, What: fmt.Sprintf("it is %s, and %s.version asks for %s", rt.Version, f.configKey, want)}
	}
	return nil
}

func passedOver(f *family, rt Runtime, err error) Notice {
	text := err.Error()
	if e, ok := errors.AsType[*Failure](err); ok {
		text = e.What
	}
	return Notice{Path: rt.Path, Version: rt.Version, Reason: ReasonOf(err),
		Text: fmt.Sprintf("%s at %s is passed over: %s", f.title, rt.Path, text)}
}

func newer(f *family, rt Runtime) Notice {
	return Notice{Path: rt.Path, Version: rt.Version, Reason: ReasonNewer,
		Text: fmt.Sprintf("%s %s is newer than %s, the newest that parley was tested with", f.title, rt.Version, f.newest)}
}

func unknownName(name string) *Failure {
	return &Failure{Reason: ReasonUnknownName, What: fmt.Sprintf("%q has no runtime", name), Next: "those that have: " + joinNames()}
}

func notFound(f *family, want string, notices []Notice) *Failure {
	what := f.title + " is not installed"
	install := "parley runtimes install " + f.name
	switch want {
	case "":
	case latestTag:
		install += "@" + want
	default:
		what = fmt.Sprintf("%s %s is not installed", f.title, want)
		install += "@" + want
	}
	if len(notices) > 0 {
		what = "no usable runtime of " + f.title + " is on this machine (" + notices[len(notices)-1].Text + ")"
	}
	return &Failure{Reason: ReasonNotFound, What: what,
		Next: fmt.Sprintf("run `%s`, or set %s.path to one", install, f.configKey)}
}

func configuredFailure(f *family, path string, err error) *Failure {
	what := err.Error()
	reason := ReasonOf(err)
	switch {
	case reason != "":
	case errors.Is(err, fs.ErrNotExist):
		reason, what = ReasonBadPath, path+" does not exist"
	default:
		reason = ReasonBadPath
	}
	return &Failure{Reason: reason, What: fmt.Sprintf("%s.path: %s", f.configKey, what),
		Next: fmt.Sprintf("correct it, or unset it to have %s found", f.title), Err: err}
}

// candidates returns the places to search, in order.
func (r *Runtimes) candidates(f *family, want Configured) []candidate {
	var list []candidate
	add := func(path string, source Source) {
		list = append(list, candidate{r: r, f: f, path: path, source: source})
	}
	if want.Path != "" {
		add(r.env.expand(want.Path), SourceConfig)
	}
	for _, i := range r.preferred(f) {
		add(i.Dir, SourceInstalled)
	}
	for _, path := range r.env.lookAll(f.command) {
		add(path, SourcePath)
	}
	return list
}

// preferred returns the installed versions, newest first.
func (r *Runtimes) preferred(f *family) []Installed {
	list := r.store.installed(f)
	slices.SortFunc(list, func(a, b Installed) int { return compareVersions(b.Version, a.Version) })
	return list
}
