package cli

import (
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"parley/config"
	"parley/session"
)

// app is one run of the program: what the outside gave it, and what the configuration made of that.
type app struct {
	environ []string
	in      io.Reader
	out     *output // results
	err     *output // messages

	// dir is the working directory where it is not the process's own: the demo's.
	dir string
	// demoToken is what the demo's simulated GitHub accepts; empty outside the demo.
	demoToken string

	// The rest is set by load, before any command runs.
	cfg   *config.Config
	file  string           // the configuration file, whether or not it exists
	asked session.Settings // what flags ask for, which also counts for sessions that are resumed
	paths config.Paths
	log   *slog.Logger

	closers []func()
}

func newApp(p Process) *app {
	return &app{environ: p.Environ, in: p.In, out: newOutput(p.Out), err: newMessages(p.Err), log: slog.New(slog.DiscardHandler)}
}

// getenv looks a variable up in the environment the program was given; the last of several entries wins.
func (a *app) getenv(name string) string {
	for i := len(a.environ) - 1; i >= 0; i-- {
		if k, v, _ := strings.Cut(a.environ[i], "="); k == name {
			return v
		}
	}
	return ""
}

// load reads the configuration and opens the log. Without a home directory, a command that keeps nothing there, such as the
// demo, gets what the environment and the flags say.
func (a *app) load(flags *pflag.FlagSet, homeless bool) error {
	paths, err := config.FindPaths(a.getenv)
	if err != nil && !homeless {
		return err
	}
	a.paths = paths
	src := config.Source{Environ: a.environ, Flags: flags}
	if err == nil {
		src.File = paths.File()
	}
	if f := flags.Lookup("config"); f != nil && f.Changed {
		src.File, src.Explicit = f.Value.String(), true
	}
	a.file = src.File
	if a.cfg, err = config.Load(src); err != nil {
		return err
	}
	if mode := session.Mode(a.cfg.PermissionMode); mode == session.ModeBypass && !flags.Changed("permission-mode") {
		a.cfg.PermissionMode = string(session.ModeDefault)
		a.cfg.Warnings = append(a.cfg.Warnings, "permission_mode: bypassPermissions is not taken from settings; "+
			"starting in default mode. Use --permission-mode bypassPermissions, or /mode in the chat.")
	}
	a.asked = askedFor(flags, a.cfg)
	for _, w := range a.cfg.Warnings {
		a.err.message("parley: " + w)
	}
	return a.openLog()
}

// askedFor are the settings that flags name. What the configuration says is for new sessions.
func askedFor(flags *pflag.FlagSet, cfg *config.Config) session.Settings {
	var asked session.Settings
	if flags.Changed("model") {
		asked.Model = cfg.Model
	}
	if flags.Changed("effort") {
		asked.Effort = cfg.Effort
	}
	if flags.Changed("permission-mode") {
		asked.Mode = session.Mode(cfg.PermissionMode)
	}
	return asked
}

// openLog sends the program's log, and what libraries print through package log, to a file: a line on stdout or stderr
// would tear the screen. Without an explicit file, a log that cannot be opened is given up silently.
func (a *app) openLog() error {
	name := a.cfg.LogFile
	if name == "" {
		name = a.paths.LogFile()
	}
	a.redirectStandardLog(io.Discard)
	if a.cfg.LogFile == "" && a.paths.State == "" {
		return nil // nowhere to put it
	}
	if a.cfg.LogFile == "" && !a.cfg.Verbose {
		// Opened at the first warning: most runs have nothing to say, and the first frame should not wait for a disk.
		lazy := &lazyFile{name: name}
		a.closers = append(a.closers, lazy.Close)
		a.log = slog.New(slog.NewTextHandler(lazy, &slog.HandlerOptions{Level: slog.LevelWarn}))
		a.redirectStandardLog(lazy)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return usagef("open log file: %w", err)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return usagef("open log file: %w", err)
	}
	a.closers = append(a.closers, func() { f.Close() })
	level := slog.LevelInfo
	if a.cfg.Verbose {
		level = slog.LevelDebug
	}
	a.log = slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level}))
	a.redirectStandardLog(f)
	return nil
}

func (a *app) redirectStandardLog(w io.Writer) {
	old := log.Writer()
	log.SetOutput(w)
	a.closers = append(a.closers, func() { log.SetOutput(old) })
}

// close undoes what load and the commands did, last first.
func (a *app) close() {
	for i := len(a.closers) - 1; i >= 0; i-- {
		a.closers[i]()
	}
	a.closers = nil
	a.out.close()
	a.err.close()
}

// lazyFile is a log file that comes into being with its first line. Losing a log line must never stop the program, so
// writing reports success whatever happens.
type lazyFile struct {
	name string
	f    *os.File
	gone bool
}

// Write appends p; slog and log serialise their calls.
func (l *lazyFile) Write(p []byte) (int, error) {
	if l.f == nil && !l.gone {
		os.MkdirAll(filepath.Dir(l.name), 0o700)
		f, err := os.OpenFile(l.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		l.f, l.gone = f, err != nil
	}
	if l.f != nil && !l.gone {
		l.f.Write(p)
	}
	return len(p), nil
}

// Close closes the file if there is one.
func (l *lazyFile) Close() {
	if l.f != nil {
		l.f.Close()
	}
}
