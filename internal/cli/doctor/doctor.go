package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"parley/config"
	"parley/copilot"
	"parley/session"
	"parley/session/catalog"
	"parley/session/rules"
	"parley/session/runtimes"
	"parley/session/store"
	"parley/ui/md"
)

// Options are the parts of a run. All are required.
type Options struct {
	// Version is that of parley.
	Version string
	Config  *config.Config
	// Broken is the reason why Config is not what the user has configured, nil if it is.
	Broken *config.Error
	// File is the configuration file, whether or not it exists.
	File  string
	Paths config.Paths
	// Keys returns how many key bindings the user has.
	Keys func() (int, error)
	// Theme is the name of the theme, which GLAMOUR_STYLE may decide.
	Theme string
	// Terminal is the kind of the terminal to draw on, "" if there is none.
	Terminal string
	Rules    *rules.Store
	// Dir returns the working directory.
	Dir      func() (string, error)
	Sessions *store.Store
	// Exposed are warnings about directories that other users can write to.
	Exposed  []string
	Runtimes *runtimes.Runtimes
	// Languages describes the language servers of the working directory.
	Languages func() (string, error)
	// Client returns a client with the user's login, and Catalog its models.
	Client  func(context.Context) (*copilot.Client, error)
	Catalog func(*copilot.Client) *catalog.Catalog
}

// Result is the outcome of one check.
type Result struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	// Found is what is there, Problem what is wrong, and how to fix it.
	Found   string `json:"found,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// check is the result of one check.
type check struct {
	name  string
	found string // what is there, if all is well
	err   error  // what is wrong, and how to fix it
}

// Examine runs all checks one after the other, and passes the result of each on as it ends.
func Examine(ctx context.Context, o Options, each func(Result)) {
	(doctor{o}).examine(ctx, func(checks ...check) {
		for _, c := range checks {
			r := Result{Check: c.name, OK: c.err == nil, Found: c.found}
			if c.err != nil {
				r.Found, r.Problem = "", c.err.Error()
			}
			each(r)
		}
	})
}

// doctor checks the user's setup.
type doctor struct{ Options }

// examine runs all checks, and passes each on as it ends.
func (d doctor) examine(ctx context.Context, add func(...check)) {
	add(check{name: "version", found: d.Version}, d.configuration(), d.keys(), d.theme(), writable("sessions", d.Paths.Sessions()),
		writable("state", d.Paths.State), d.terminal(), programFound("git", "without it, no branch names are shown"),
		programFound("gh", "without it, sign in by setting GH_TOKEN or COPILOT_GITHUB_TOKEN"))
	add(d.rules()...)
	add(d.store(ctx)...)
	copies, err := d.copies(ctx)
	add(check{name: "changes", found: copies, err: err})
	add(d.runtimes(ctx)...)
	languages, err := d.Languages()
	add(check{name: "languages", found: languages, err: err})
	client, err := d.Client(ctx)
	if err != nil {
		add(check{name: "login", err: err})
		return
	}
	cred := client.Credential()
	add(check{name: "login", found: fmt.Sprintf("token from %s for %s", cred.Source, cred.Host)})
	add(d.service(ctx, client)...)
}

// configuration checks the configuration.
func (d doctor) configuration() check {
	c := check{name: "configuration", found: d.File}
	if d.Broken != nil {
		c.err = fmt.Errorf("%w (parley does not start until this is fixed; the checks below do without it)", d.Broken)
	} else if _, err := os.Stat(d.File); err != nil {
		c.found += " (not there; defaults are used)"
	}
	return c
}

// keys checks the user's own key bindings.
func (d doctor) keys() check {
	n, err := d.Keys()
	switch {
	case err != nil:
		return check{name: "keys", err: fmt.Errorf("%w; docs/keys.md lists keys and actions", err)}
	case n == 0:
		return check{name: "keys", found: "defaults"}
	}
	return check{name: "keys", found: fmt.Sprintf("%d of your own", n)}
}

// theme checks that the theme can be loaded.
func (d doctor) theme() check {
	name := d.Theme
	if name == "auto" {
		return check{name: "theme", found: name}
	}
	if _, err := md.LoadTheme(name); err != nil {
		from := d.Config.SourceOf("theme")
		if d.Config.Theme != name {
			from = "GLAMOUR_STYLE"
		}
		return check{name: "theme", err: fmt.Errorf("%s: %w", from, err)}
	}
	return check{name: "theme", found: name}
}

// runtimes checks that the runtimes of agents can be started. A missing one is a fault only if the configuration asks for its
// agent.
func (d doctor) runtimes(ctx context.Context) []check {
	var checks []check
	r := d.Runtimes
	for _, name := range runtimes.Names() {
		found, err := r.Resolve(ctx, name)
		c := check{name: name}
		switch {
		case err == nil:
			c.found = fmt.Sprintf("%s %s at %s, %s", found.Title, found.Version, found.Path, found.Standing.Words())
		case runtimes.ReasonOf(err) == runtimes.ReasonNotFound && d.Config.Agent != name:
			c.found = runtimes.Cause(err) + "; parley's own agent needs none"
		default:
			c.err = errors.New(runtimes.Cause(err))
		}
		checks = append(checks, c)
		for _, n := range found.Notices {
			if n.Reason != runtimes.ReasonNewer && err == nil {
				checks = append(checks, check{name: name, found: n.Text})
			}
		}
	}
	return checks
}

// store returns the faults of the stored sessions.
func (d doctor) store(ctx context.Context) []check {
	var checks []check
	for _, text := range d.Exposed {
		checks = append(checks, check{name: "sessions", err: errors.New(text)})
	}
	if _, err := d.Sessions.List(ctx); err != nil {
		checks = append(checks, check{name: "sessions", err: errors.New(session.ProblemOf(err, time.Now()).What)})
	}
	return checks
}

// writable creates a file in a directory that parley writes to.
func writable(name, dir string) check {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return check{name: name, err: fmt.Errorf("%w; make it writable, or set the XDG directories", err)}
	}
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return check{name: name, err: fmt.Errorf("%w; make it writable, or set the XDG directories", err)}
	}
	f.Close()
	os.Remove(f.Name())
	return check{name: name, found: dir}
}

// terminal reports the terminal.
func (d doctor) terminal() check {
	if d.Terminal != "" {
		return check{name: "terminal", found: d.Terminal}
	}
	return check{name: "terminal", found: "none to draw on; -p and --plain work"}
}

// programFound reports an optional program.
func programFound(name, without string) check {
	path, err := exec.LookPath(name)
	if err != nil {
		return check{name: name, found: "not installed (optional): " + without}
	}
	return check{name: name, found: path}
}
