package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/copilot"
	"parley/internal/cli/command"
	hosting "parley/internal/cli/host"
	"parley/internal/cli/sessions"
	"parley/internal/crash"
	"parley/session"
	"parley/session/host"
	"parley/session/terminals"
	"parley/ui/attention"
	"parley/ui/core"
)

// hostDelay keeps the start of a session host out of the way of the first frame.
const hostDelay = 150 * time.Millisecond

// passed are the settings that a host gets as flags where this run has them from flags.
var passed = []string{"fallback_models", "log_file", "verbose"}

// outliving is what a run and the host of its sessions have in common.
type outliving struct{ run *app }

// wanted reports whether the sessions of a run belong into a host.
func (o outliving) wanted(f rootFlags) bool {
	return host.Supported && o.run.demo == nil && (f.attach != "" || f.detach || o.run.cfg.Sessions.Outlive && o.run.cfg.Screen != "plain" && o.run.interactive())
}

// dir returns the folder of the hosts.
func (o outliving) dir() (string, error) {
	return host.FindDir(o.run.getenv("XDG_RUNTIME_DIR"), o.run.paths.State)
}

// dirs returns the folders in which hosts may be.
func (o outliving) dirs() []string {
	return host.Dirs(o.run.getenv("XDG_RUNTIME_DIR"), o.run.paths.State)
}

// place returns the place of the host for this run.
func (o outliving) place(client *copilot.Client) (host.Place, error) {
	dir, err := o.dir()
	if err != nil {
		return host.Place{}, err
	}
	program, err := os.Executable()
	if err != nil {
		return host.Place{}, fmt.Errorf("find this program: %w", err)
	}
	s := hosting.Scope{Data: o.run.paths.Data, Program: []string{programVersion(), program}, Environ: o.run.environ, Login: client.Credential().Token.Reveal()}
	if info, err := os.Stat(program); err == nil {
		s.Program = append(s.Program, info.ModTime().String()) // a new build of the same version
	}
	for _, v := range o.run.cfg.Values {
		if name := v.Key.Name; hosting.Shared(name) {
			s.Settings = append(s.Settings, fmt.Sprintf("%s=%v", name, v.Value))
		}
	}
	return s.Place(dir), nil
}

// flags returns the flags with which a host has the configuration of this run.
func (o outliving) flags() (flags []string) {
	if o.run.explicit {
		flags = append(flags, "--config="+absolute(o.run.file))
	}
	for _, v := range o.run.cfg.Values {
		if !slices.Contains(passed, v.Key.Name) || !strings.HasPrefix(v.Source, "--") {
			continue
		}
		switch value := v.Value.(type) {
		case []string:
			flags = append(flags, "--"+v.Key.Flag+"="+strings.Join(value, ","))
		case string:
			flags = append(flags, "--"+v.Key.Flag+"="+absolute(value))
		default:
			flags = append(flags, fmt.Sprintf("--%s=%v", v.Key.Flag, value))
		}
	}
	return flags
}

// absolute returns the path of a file for a process in another directory.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// outlive moves the sessions of a run into a host.
func (s *services) outlive(a *app, client *copilot.Client) error {
	held := outliving{a}
	place, err := held.place(client)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	open, waits := opens(a, s.desk)
	s.hosts = host.NewManager(host.ClientOptions{Place: place, Dirs: held.dirs(), Local: s.manager, Program: programVersion(), Environ: a.environ, Open: open, OpenWaits: waits, Spawn: func() (<-chan error, error) {
		return hosting.Spawn(program, append(held.flags(), hosting.ServeName, place.Dir, place.Key), hosting.Environ(a.environ))
	}})
	return nil
}

// serveSessions is the session host of a place: it has no terminal, and ends when nothing needs it.
func serveSessions(ctx context.Context, a *app, p host.Place) error {
	ctx, stop := hosting.Outlast(ctx)
	defer stop()
	hosting.Systemd("").Leave(ctx)
	a.terminals, a.screens = terminals.New(), &host.Screens{}
	client, err := a.signIn().Client(ctx)
	if err != nil {
		a.log.Error("the session host has no login", "error", err)
		return err
	}
	s, err := newServices(ctx, a, client, run{})
	if err != nil {
		a.log.Error("the session host can't start", "error", err)
		return err
	}
	defer s.close(ctx)
	desktop := attention.Desktop(a.getenv)
	err = host.Run(ctx, host.Options{Place: p, Manager: s.manager, Program: programVersion(), Log: a.log, Terminals: a.terminals, Screens: a.screens,
		Hours: time.Duration(a.cfg.Sessions.UnattendedHours) * time.Hour, NanoAIU: int64(a.cfg.Sessions.UnattendedCredits) * 1e9,
		Notify: func(m session.Meta, text string) {
			if a.cfg.UI.Notify != "off" && desktop != nil {
				crash.Go(func() { _ = desktop(context.WithoutCancel(ctx), m.Headline(), text) })
			}
		}}, func() {})
	if errors.Is(err, host.ErrRunning) {
		return nil // another one was faster
	}
	if err != nil {
		a.log.Error("the session host ended", "error", err)
	}
	return err
}

// goOn ends a run with sessions in a host: leaving them with a key or command, or losing the terminal, lets them go on, and quitting
// stops what they do. It says what goes on.
func (s *services) goOn(ctx context.Context, a *app, why core.Reason) {
	if s.hosts == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if why == core.LeftQuit {
		if err := s.hosts.Stop(ctx); err != nil {
			a.complain("couldn't stop what goes on: "+session.ProblemOf(err, time.Now()).What, "`parley ps` shows it, `parley stop` stops it.")
		}
		return
	}
	var hosts []int
	for _, d := range s.hosts.GoesOn(ctx) {
		hosts = append(hosts, d.Pid)
		id := sessions.ShortIDs([]session.Meta{d.Meta})[0]
		_ = a.err.Sentence("It goes on: %s. Show it with: parley attach %s", d.Meta.Headline(), id) // the terminal may be gone
	}
	if ends := hosting.Systemd(a.getenv("TMUX")).Ends(ctx, hosts...); ends != "" {
		_ = a.err.Sentence("%s", ends)
	}
}

// detach sends a prompt to a session in a host, and leaves it there.
func detach(ctx context.Context, a *app, f rootFlags, dir, prompt string) error {
	if !host.Supported {
		return &session.Error{Op: "start a session without a terminal", Kind: session.KindUnsupported, Err: errors.New("this system has no session host")}
	}
	client, err := a.signIn().Client(ctx)
	if err != nil {
		return err
	}
	s, err := newServices(ctx, a, client, run{})
	if err != nil {
		return err
	}
	defer s.close(ctx)
	if err := s.outlive(a, client); err != nil {
		return err
	}
	dir, tree, err := s.workIn(ctx, a, f, dir)
	if err != nil {
		return err
	}
	if tree != "" {
		a.complain(tree)
	}
	o, err := draftOptions(a, s.agent.name, dir)
	if err != nil {
		return err
	}
	open := opener{services: s, asked: a.asked, check: true, ask: true}
	if err := open.allowed(ctx, o.Agent, o.Settings); err != nil {
		return err
	}
	conv, err := s.sessions().Draft(o)
	if err != nil {
		return err
	}
	if _, err := conv.Send(session.Prompt{Text: prompt}); err != nil {
		return err
	}
	if err := conv.Stored(ctx); err != nil {
		return err
	}
	for _, d := range s.hosts.GoesOn(ctx) {
		if ends := hosting.Systemd(a.getenv("TMUX")).Ends(ctx, d.Pid); ends != "" {
			a.complain(ends)
		}
	}
	return a.out.Sentence("Started %s. `parley attach` shows it, `parley ps` what it does.", conv.ID())
}

// checkDetach refuses what --detach cannot be with.
func checkDetach(f rootFlags, prompt string) error {
	switch {
	case f.answer || f.cont || f.resume || f.demo || f.plain:
		return command.Usagef("--detach begins a session that needs no terminal; it doesn't go with -p, -c, -r, --demo or --plain")
	case strings.TrimSpace(prompt) == "":
		return command.Usagef("--detach needs words or piped input to send")
	}
	return nil
}
