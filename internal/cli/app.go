package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/pflag"

	"parley/config"
	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/session"
	"parley/session/extensions/watch"
	"parley/session/host"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/rules"
	"parley/session/runtimes"
	"parley/session/store"
	"parley/session/store/bin"
	"parley/session/store/index"
	"parley/session/terminals"
	"parley/ui/keymap"
)

// Process holds the arguments, streams and environment that the operating system gives the program. Tests give their own.
type Process struct {
	Args    []string // without the program's name
	Environ []string
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
	// Policy is the administrator's policy; nil: that of the machine.
	Policy *rules.PolicyFile
	// Exit ends the process after a panic; nil: Go does.
	Exit func(code int)
}

// app is one run of the program: what the process gave it, and its configuration.
type app struct {
	environ []string
	// terminals has what prompts carry, and screens the terminals that look, in a session host; nil elsewhere.
	terminals *terminals.Book
	screens   *host.Screens
	in        io.Reader
	out       *output.Stream // results
	err       *output.Stream // messages

	// demo is set while the run is the demo.
	demo *demo
	// settings returns the settings of Claude Code whose rules hold in a directory.
	settings func(dir string) []rules.Settings

	// The rest is set by load, before any command runs.
	cfg    *config.Config
	broken *config.Error // why cfg is not what the user has configured, nil if it is
	source config.Source // of the configuration
	file   string        // the configuration file, whether or not it exists
	// explicit is set if a flag names it.
	explicit bool
	asked    session.Settings // what flags ask for, which also counts for sessions that are resumed
	paths    config.Paths
	log      *slog.Logger

	policy rules.PolicyFile
	// managed reports whether what administrators have written on this machine counts.
	managed bool
	kept    *rules.Store    // see the method rules
	words   *index.Index    // see indexOf
	others  []session.Agent // see foreignOf
	bin     *bin.Bin        // see binOf
	// given are the rules of flags, which hold for this run.
	given []permission.Rule

	closing closers

	watched *watch.Watcher // see watcher
}

func newApp(p Process) *app {
	environ, restore := console(p.Environ, p.Out, p.Err)
	a := &app{environ: environ, in: p.In, out: output.Results(p.Out, environ), err: output.Messages(p.Err, environ),
		log: slog.New(slog.DiscardHandler)}
	a.closing.add(restore)
	if a.policy, a.managed = rules.SystemPolicy(), p.Policy == nil; p.Policy != nil {
		a.policy = *p.Policy
	}
	return a
}

// getenv returns a variable of the environment the program was given, or that came with the newest prompt; the last of several entries
// wins.
func (a *app) getenv(name string) string {
	environ := a.environ
	if terminals.Carried(name) {
		environ = a.terminals.Newest(a.environ)
	}
	return proc.Lookup(environ, name)
}

// load reads the configuration and opens the log. homeless accepts that there is no home directory: the demo stores nothing
// there.
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
	a.explicit, a.source = src.Explicit, src
	a.file = src.File
	if a.cfg, err = config.Load(src); err != nil {
		return err
	}
	a.out.SetProfile(profileOf(a.cfg.UI.Colors))
	a.err.SetProfile(profileOf(a.cfg.UI.Colors))
	if mode := session.Mode(a.cfg.PermissionMode); mode == session.ModeBypass && !flags.Changed("permission-mode") {
		a.cfg.PermissionMode = string(session.ModeDefault)
		a.cfg.Warnings = append(a.cfg.Warnings, "permission_mode: bypassPermissions is not taken from settings; "+
			"starting in default mode. Use --permission-mode bypassPermissions, or /mode in the chat.")
	}
	if err := a.permitMode(flags); err != nil {
		return err
	}
	a.asked = askedFor(flags, a.cfg)
	for _, w := range a.cfg.Warnings {
		a.complain(w)
	}
	log, err := openLog(a.cfg, a.paths, &a.closing)
	if err == nil {
		a.log = log
	}
	return err
}

// loadWithout loads what is left of a configuration that cannot be used, for a command that describes the problem: the
// environment and flags without the file, or else the defaults.
func (a *app) loadWithout(problem *config.Error, flags *pflag.FlagSet) (err error) {
	a.broken = problem
	if a.cfg, err = config.Load(config.Source{Environ: a.environ, Flags: flags}); err != nil {
		a.cfg, err = config.Load(config.Source{})
	}
	return err
}

// rules returns the rules on disk, the same for the whole run.
func (a *app) rules() *rules.Store {
	if a.kept == nil {
		a.kept = rules.New(rules.Options{Config: a.paths.Config, Data: a.paths.Data, Policy: a.policy, Claude: a.settings})
	}
	return a.kept
}

// rulesFor returns the rules that hold in a directory in this run: those on disk, and those of flags. While a file of rules
// cannot be used, none of them allows.
func (a *app) rulesFor(dir string) permission.Kept {
	k := a.rules().Kept(dir)
	for _, r := range a.given {
		if k.Locked == "" || r.Ruling != permission.Allow {
			k.Rules = append(k.Rules, r)
		}
	}
	return k
}

// permitMode applies the administrator's policy to the configured permission mode: one that a flag asks for is refused, any other
// is replaced with a warning.
func (a *app) permitMode(flags *pflag.FlagSet) error {
	p, mode := a.rules().Policy(), session.Mode(a.cfg.PermissionMode)
	why := p.ModeProblem(mode)
	if why == "" {
		return nil
	}
	if flags.Changed("permission-mode") {
		return command.Usagef("--permission-mode %s: %s", mode, why)
	}
	a.cfg.PermissionMode = string(p.Instead(mode))
	if a.cfg.SourceOf("permission_mode") != "default" {
		a.cfg.Warnings = append(a.cfg.Warnings, fmt.Sprintf("permission_mode: %s; starting in %s mode", why, a.cfg.PermissionMode))
	}
	return nil
}

// enter makes the demo of this run, which then reads and writes nothing of the user's.
func (a *app) enter(d *demo) {
	own := filepath.Join(d.root, "parley")
	a.demo, a.kept = d, nil
	a.paths = config.Paths{
		Config: filepath.Join(own, "config"), Data: filepath.Join(own, "data"),
		State: filepath.Join(own, "state"), Cache: filepath.Join(own, "cache"),
	}
	a.file = a.paths.File()
	a.source.File, a.source.Explicit = a.file, false
	a.cfg.Agent = "builtin"
	a.cfg.Model, a.cfg.Effort, a.cfg.AddDirs = "", "", nil
	a.cfg.GitHubHost, a.cfg.GitHubAPIURL, a.cfg.CopilotAPIURL = "github.com", d.sim.GitHubURL(), "" // discovery names the endpoint
}

// askedFor returns the settings that flags name. The configuration's are for new sessions only.
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
	if f := flags.Lookup("agent-file"); f != nil && f.Changed {
		asked.Custom = customNamed(f.Value.String())
	}
	return asked
}

// close undoes what load and the commands did.
func (a *app) close() {
	a.closing.run()
	a.out.Close()
	a.err.Close()
}

// complain prints what went wrong, and what to do next.
func (a *app) complain(what string, next ...string) {
	a.err.Message(what, next...)
}

// complainAll prints several problems.
func (a *app) complainAll(texts []string) {
	for _, text := range texts {
		a.complain(text)
	}
}

// interactive reports whether there is a terminal to draw on.
func (a *app) interactive() bool {
	t := a.getenv("TERM")
	return a.out.Terminal() != nil && t != "" && t != "dumb"
}

// workingDir returns the directory of new sessions.
func (a *app) workingDir() (string, error) {
	if a.demo != nil {
		return a.demo.project, nil
	}
	dir, err := os.Getwd()
	if errors.Is(err, fs.ErrNotExist) {
		return "", command.UsageError{Err: errors.New("the directory you are in does not exist any more"),
			Next: "Change to another one, or `parley --scratch` starts in a new, empty folder."}
	}
	if err != nil {
		return "", &session.Error{Op: "find the working directory", Kind: session.KindDisk, Err: err}
	}
	return dir, nil
}

// themeName returns the configured theme; GLAMOUR_STYLE decides if that is auto.
func (a *app) themeName() string {
	if style := a.getenv("GLAMOUR_STYLE"); a.cfg.Theme == "auto" && style != "" {
		return style
	}
	return a.cfg.Theme
}

// keyBindings returns the user's own keys, or a usage error.
func (a *app) keyBindings() ([]keymap.UserBinding, error) {
	var all []keymap.UserBinding
	for _, b := range a.cfg.UI.Bindings {
		all = append(all, keymap.UserBinding{Key: b.Key, Action: b.Action, Where: b.Where})
	}
	if err := keymap.Check(all); err != nil {
		return nil, command.Usagef("ui.bindings: %v", err)
	}
	return all, nil
}

// runtimes finds and installs the runtimes of agents.
func (a *app) runtimes() *runtimes.Runtimes {
	return runtimes.New(runtimes.Options{
		Dir:     a.paths.Runtimes(),
		Environ: a.environ,
		Current: func() []string { return a.terminals.Newest(a.environ) },
		Configured: map[string]runtimes.Configured{
			"claude":  {Path: a.cfg.Claude.Path, Version: a.cfg.Claude.Version},
			"copilot": {Path: a.cfg.Copilot.Path, Version: a.cfg.Copilot.Version},
		},
	})
}

// store returns the journals of all sessions.
func (a *app) store() *store.Store {
	return store.New(store.Options{Dir: a.paths.Sessions(), LockDir: a.paths.Locks(), Loading: saveMemory})
}

// longJournal is the smallest size in bytes of a journal for which memory is saved.
const longJournal = 16 << 20

// saveMemory makes garbage collections more frequent once a long session is about to be in memory: with Go's own setting the
// program would grow to twice what the session needs.
func saveMemory(bytes int64) {
	if bytes >= longJournal {
		debug.SetGCPercent(10)
	}
}
