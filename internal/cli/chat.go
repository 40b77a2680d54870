package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parley/copilot/login"
	"parley/internal/browser"
	"parley/internal/cli/command"
	"parley/internal/cli/limits"
	"parley/internal/cli/output"
	"parley/internal/crash"
	"parley/internal/git"
	"parley/internal/gitrun"
	"parley/internal/handover"
	"parley/session"
	"parley/session/proc"
	"parley/ui"
	"parley/ui/changes/listing"
	"parley/ui/chat"
	"parley/ui/clipboard"
	"parley/ui/core"
	"parley/ui/editor"
)

// runChat runs the screen, or the chat in lines. It offers to sign in if there is no login.
func runChat(ctx context.Context, a *app, f rootFlags, dir, prompt string) error {
	client, err := a.signIn().Client(ctx)
	if e, ok := errors.AsType[*login.NotSignedInError](err); ok || errors.Is(err, login.ErrNoToken) {
		return firstRun(ctx, a, f, dir, prompt, e)
	}
	if err != nil {
		return err
	}
	most, err := f.print.limits.read()
	if err != nil {
		return err
	}
	s, err := newServices(ctx, a, client, run{})
	if err != nil {
		return err
	}
	defer s.close(ctx)
	s.capped = limits.To(most.NanoAIU)
	s.sweep(ctx, sweepDelay)
	var notices []string
	if (outliving{a}).wanted(f) {
		switch err := s.outlive(a, client); {
		case err == nil:
			defer time.AfterFunc(hostDelay, crash.Guarded(s.hosts.Start)).Stop()
		case f.attach != "":
			return err
		default:
			notices = append(notices, "Sessions end with this window: "+session.ProblemOf(err, time.Now()).What)
		}
	}
	o, err := screenOptions(a)
	if err != nil {
		return err
	}
	// What the configuration says is checked by the screen, in the background.
	check := a.asked.Model != "" || a.asked.Effort != ""
	c := &chatRun{open: opener{services: s, asked: a.asked, check: check}, options: o, notices: notices}
	if err := c.prepare(ctx, a, f, dir, prompt); err != nil {
		return err
	}
	res, err := ui.Run(ctx, c.options)
	if err != nil {
		return err
	}
	s.goOn(ctx, a, res.Reason)
	return afterChat(res)
}

// chatRun prepares what the screen shows first.
type chatRun struct {
	open    opener
	options ui.Options
	notices []string
}

// prepare chooses the session and completes the options.
func (c *chatRun) prepare(ctx context.Context, a *app, f rootFlags, dir, prompt string) error {
	s, o := c.open.services, &c.options
	dir, tree, err := s.workIn(ctx, a, f, dir)
	if err != nil {
		return err
	}
	o.Desk = s.desk
	o.Manager, o.Catalog, o.Drafts, o.Outlives = s.sessions(), s.catalog, s.drafts, s.hosts != nil
	o.Agent, o.Dir, o.Branch, o.Demo = s.agent.name, dir, git.Branch(ctx, dir), f.demo
	o.Rules = a.rules()
	o.Settings, o.Setup = settingsOf(a), setup{a}
	o.NewAgent, o.Extensions, o.Spent = a.customs(nil).Create, extensionKeeper{a}, a.spent
	if s.edits.kept {
		o.Changes = func(id session.ID) listing.Log { return s.edits.Log(id) }
	}
	o.Trees = s.trees(a)
	o.Local = handover.Git{Git: gitrun.Git{Group: s.processes, Environ: a.environ}}
	o.Shell = proc.Shell{Group: s.processes, Environ: a.environ}.Run
	o.StatusLine = newStatusLine(a, s.processes)
	if s.agent.missing != "" {
		o.Offer = s.runtimes.offer("claude", "Claude Code")
	}
	o.Explained = explainOnce(filepath.Join(a.paths.Explained(), "answers"), a.log)
	c.notices = slices.Concat(c.notices, s.agent.notices, exposed(a.paths))
	c.notices = append(c.notices, a.ruleNotices(dir)...)
	if tree != "" {
		c.notices = append(c.notices, tree)
	}
	defer func() { o.Notice = noticeLine(c.notices...) }()
	draft, err := draftOptions(a, s.agent.name, dir)
	if err != nil {
		return err
	}
	switch {
	case f.attach != "":
		return c.open.show(ctx, f.attach, o)
	case f.cont:
		id, ok, missing, err := c.open.newest(ctx, dir)
		if err != nil {
			return err
		}
		c.notices = append(c.notices, missing...)
		if ok {
			o.First = prompt
			return c.open.show(ctx, id, o)
		}
		c.notices = append(c.notices, "No session here to continue; started a new one")
	case f.resume:
		id, ok, err := c.open.named(ctx, prompt)
		if err != nil {
			return err
		}
		if ok {
			return c.open.show(ctx, id, o)
		}
		words := prompt
		o.Resume, prompt = &words, ""
	}
	o.First = prompt
	if err := c.open.allowed(ctx, draft.Agent, draft.Settings); err != nil {
		return err
	}
	o.Session, err = s.sessions().Draft(draft)
	return err
}

// screenOptions returns what the screen needs to know whatever it shows.
func screenOptions(a *app) (ui.Options, error) {
	keys := a.in
	if !output.IsTerminal(a.in) && a.cfg.Screen != "plain" { // piped input became part of the prompt; keys come from the terminal itself
		tty, err := os.OpenFile(terminalDevice, os.O_RDWR, 0)
		if err != nil {
			return ui.Options{}, command.Usagef("a chat reads keys from a terminal, and standard input is a pipe; use -p")
		}
		a.closing.add(func() { tty.Close() })
		keys = tty
	}
	bindings, err := a.keyBindings()
	if err != nil {
		return ui.Options{}, err
	}
	clipboard.SweepImages(a.paths.Images(), time.Now())
	return ui.Options{
		Options: chat.Options{
			Options:       core.Options{Version: programVersion(), Input: keys, Output: a.out.Raw(), Env: a.environ},
			ImageDir:      a.paths.Images(),
			EnterSteers:   a.cfg.UI.EnterSteers,
			Appearance:    appearanceOf(a.cfg, a.getenv),
			NoMouse:       !a.cfg.UI.Mouse,
			KeepSelection: !a.cfg.UI.CopyOnSelect,
			Browser:       browser.Browser{Environ: a.environ},
		},
		Keys:     bindings,
		Vim:      a.cfg.UI.Keys == "vim",
		Theme:    a.themeName(),
		Profile:  profileOf(a.cfg.UI.Colors),
		Editor:   editor.FromEnvironment(a.cfg.Editor, a.environ, a.getenv),
		CrashDir: a.paths.Crashes(),
	}, nil
}

// afterChat returns the exit code of the way the chat ended.
func afterChat(res core.Result) error {
	switch res.Reason {
	case core.LeftCrashed:
		return command.ExitError{Code: command.ExitFailed} // the screen has reported it
	case core.LeftSignal:
		return command.ExitError{Code: command.SignalCode(res.Signal)}
	default:
		return nil
	}
}

// firstRun offers to sign in or to try the demo. cause may be nil.
func firstRun(ctx context.Context, a *app, f rootFlags, dir, prompt string, cause *login.NotSignedInError) error {
	o, err := screenOptions(a)
	if err != nil {
		return err
	}
	s := a.signIn()
	o.Dir = dir
	o.SignIn = &core.SignIn{GH: s.HasGH(), Code: s.CanUseCode(), Ways: s.Ways()}
	if cause != nil {
		o.SignIn.Looked = cause.Looked
	}
	res, err := ui.Run(ctx, o)
	if err != nil {
		return err
	}
	switch res.Choice {
	case core.ChooseDemo:
		d, err := startDemo()
		if err != nil {
			return err
		}
		defer d.end()
		a.enter(d)
		f.demo, dir = true, d.project
	case core.ChooseSignIn:
		err = s.WithGH(ctx, a.in, a.err.Raw())
	case core.ChooseCode:
		err = s.WithCode(ctx, nil)
	default:
		if res.Reason == core.LeftSignal {
			return command.ExitError{Code: command.SignalCode(res.Signal)}
		}
		return command.ExitError{Code: command.ExitSignedOut}
	}
	if err != nil {
		return err
	}
	return runChat(ctx, a, f, dir, prompt)
}
