package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/copilot/login"
	"parley/internal/gitdir"
	"parley/session"
	"parley/session/live"
	"parley/session/proc"
	"parley/ui"
	"parley/ui/chat"
	"parley/ui/clipboard"
	"parley/ui/editor"
	"parley/ui/keymap"
)

// chat runs the screen.
func (a *app) chat(ctx context.Context, f rootFlags, dir, prompt string) error {
	client, err := a.signedIn(ctx)
	if signedOut(err) {
		return a.firstRun(ctx, f, dir, prompt, err)
	}
	if err != nil {
		return err
	}
	s, err := a.newServices(ctx, client, false)
	if err != nil {
		return err
	}
	defer s.closeSoon(ctx)
	s.sweep(ctx)
	s.check = func(ctx context.Context, agent string, v session.Settings) error {
		if a.asked.Model == "" && a.asked.Effort == "" {
			return nil // the screen tells, once it is known
		}
		return a.checkChosen(ctx, s.catalog, agent, v, false)
	}
	o, err := a.screenOptions(ctx, s, f, dir, prompt)
	if err != nil {
		return err
	}
	res, err := ui.Run(ctx, o)
	if err != nil {
		return err
	}
	return afterChat(res)
}

// screenOptions chooses the session and describes the screen.
func (a *app) screenOptions(ctx context.Context, s *services, f rootFlags, dir, prompt string) (ui.Options, error) {
	o, err := a.terminalOptions()
	if err != nil {
		return o, err
	}
	o.Manager, o.Catalog, o.Drafts = s.manager, s.catalog, s.drafts
	o.Agent, o.Dir, o.Branch, o.Demo = s.agent.name, dir, gitdir.Branch(ctx, dir), f.demo
	o.Offer, o.Prompts = s.offer(), s.prompts(a.claudeArchive(), dir)
	if s.processes != nil {
		o.Shell = proc.Shell{Group: s.processes, Environ: a.environ}.Run
	}
	notices := append(slices.Clip(s.agent.notices), a.exposed()...)
	o.Notice = noticeLine(notices...)
	draft, err := a.draftOptions(s.agent.name, dir)
	if err != nil {
		return o, err
	}
	if f.cont {
		id, ok, missing, err := newestSession(ctx, s, dir)
		if err != nil {
			return o, err
		}
		notices = append(notices, missing...)
		o.Notice = noticeLine(notices...)
		if ok {
			o.First = prompt
			return o, a.openSession(ctx, s, id, &o)
		}
		o.Notice = noticeLine(append(notices, "No session here to continue; started a new one")...)
	}
	if f.resume {
		id, ok, err := a.sessionNamed(ctx, s, prompt)
		if err != nil {
			return o, err
		}
		if ok {
			return o, a.openSession(ctx, s, id, &o)
		}
		words := prompt
		o.Resume, prompt = &words, ""
	}
	o.First = prompt
	if err := s.check(ctx, draft.Agent, draft.Settings); err != nil {
		return o, err
	}
	o.Session, err = s.manager.Draft(draft)
	return o, err
}

// terminalOptions are what the screen needs to know whatever it shows.
func (a *app) terminalOptions() (ui.Options, error) {
	keys := a.in
	if !isTerminal(a.in) && a.cfg.Screen != "plain" { // what was piped became part of the prompt; keys come from the terminal itself
		tty, err := os.OpenFile(terminalDevice, os.O_RDWR, 0)
		if err != nil {
			return ui.Options{}, usagef("standard input is a pipe and there is no terminal to read keys from; use -p")
		}
		a.closers = append(a.closers, func() { tty.Close() })
		keys = tty
	}
	bindings, err := a.keyBindings()
	if err != nil {
		return ui.Options{}, err
	}
	images := filepath.Join(a.paths.Data, "composer", "images")
	clipboard.SweepImages(images, time.Now())
	return ui.Options{
		Options:       chat.Options{Version: programVersion(), Input: keys, Output: a.out.to, Env: a.environ},
		PasteImage:    clipboard.ReadImage,
		ImageDir:      images,
		Keys:          bindings,
		Vim:           a.cfg.UI.Keys == "vim",
		EnterSteers:   a.cfg.UI.EnterSteers,
		Theme:         a.themeName(),
		Profile:       profileOf(a.cfg.UI.Colors),
		Appearance:    a.appearance(),
		NoMouse:       !a.cfg.UI.Mouse,
		KeepSelection: !a.cfg.UI.CopyOnSelect,
		Editor:        editor.FromEnvironment(a.cfg.Editor, a.environ, a.getenv),
		OpenURL:       a.openBrowser,
		CrashDir:      a.paths.Crashes(),
	}, nil
}

// keyBindings are the user's own keys, if they make sense.
func (a *app) keyBindings() ([]keymap.UserBinding, error) {
	var all []keymap.UserBinding
	for _, b := range a.cfg.UI.Bindings {
		all = append(all, keymap.UserBinding{Key: b.Key, Action: b.Action, Where: b.Where})
	}
	if err := keymap.Check(all); err != nil {
		return nil, usagef("ui.bindings: %v", err)
	}
	return all, nil
}

// themeName lets GLAMOUR_STYLE decide where the configuration leaves it open.
func (a *app) themeName() string {
	if style := a.getenv("GLAMOUR_STYLE"); a.cfg.Theme == "auto" && style != "" {
		return style
	}
	return a.cfg.Theme
}

// resumeSession resumes a session, which keeps what was chosen for it but for what flags ask for now.
func (a *app) resumeSession(ctx context.Context, s *services, id session.ID) (*live.Session, error) {
	conv, err := s.manager.Resume(ctx, id)
	if err != nil {
		return nil, err
	}
	was := conv.Settings()
	now := a.askedOr(was)
	if now == was {
		return conv, nil
	}
	if err := s.check(ctx, conv.Meta().Agent, now); err != nil {
		return nil, err
	}
	return conv, conv.Configure(now)
}

// askedOr is what flags ask for, and what was chosen for the rest.
func (a *app) askedOr(was session.Settings) session.Settings {
	return session.Settings{
		Model: cmp.Or(a.asked.Model, was.Model), Effort: cmp.Or(a.asked.Effort, was.Effort), Mode: cmp.Or(a.asked.Mode, was.Mode),
	}
}

// sessionNamed finds the session that words name: false if they are not the beginning of exactly one id.
func (a *app) sessionNamed(ctx context.Context, s *services, words string) (session.ID, bool, error) {
	if words == "" || strings.ContainsAny(words, " \n") {
		return "", false, nil
	}
	list, _, err := listAll(ctx, s.manager) // the picker, or the session, says what is missing
	if err != nil {
		return "", false, err
	}
	id, err := live.Match(list, words)
	return id, err == nil, nil // otherwise they are words to search for
}

// afterChat turns the way the chat ended into an exit code.
func afterChat(res chat.Result) error {
	switch res.Reason {
	case chat.LeftCrashed:
		return exitError{ExitFailed} // the screen has said what happened
	case chat.LeftSignal:
		return exitError{signalCode(res.Signal)}
	default:
		return nil
	}
}

// firstRun offers to sign in or to try the demo.
func (a *app) firstRun(ctx context.Context, f rootFlags, dir, prompt string, cause error) error {
	o, err := a.terminalOptions()
	if err != nil {
		return err
	}
	o.Dir = dir
	o.SignIn = &chat.SignIn{GH: haveProgram("gh"), Code: a.cfg.GitHub.ClientID != "", Ways: a.waysToSignIn()}
	if e, ok := errors.AsType[*login.NotSignedInError](cause); ok {
		o.SignIn.Looked = e.Looked
	}
	res, err := ui.Run(ctx, o)
	if err != nil {
		return err
	}
	switch res.Choice {
	case chat.ChooseDemo:
		f.demo = true
		end, err := a.startDemo()
		if err != nil {
			return err
		}
		defer end()
		return a.chat(ctx, f, a.dir, prompt)
	case chat.ChooseSignIn:
		if err := a.runSignIn(ctx); err != nil {
			return err
		}
		return a.chat(ctx, f, dir, prompt)
	case chat.ChooseCode:
		if err := a.deviceSignIn(ctx, nil); err != nil {
			return err
		}
		return a.chat(ctx, f, dir, prompt)
	default:
		if res.Reason == chat.LeftSignal {
			return exitError{signalCode(res.Signal)}
		}
		return exitError{ExitSignedOut}
	}
}

func haveProgram(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// runSignIn hands the terminal to gh.
func (a *app) runSignIn(ctx context.Context) error {
	args := []string{"auth", "login", "--web", "--hostname", a.cfg.GitHubHost}
	cmd := exec.CommandContext(ctx, "gh", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.out.to, a.err.to
	cmd.WaitDelay = time.Second
	a.out.line("gh %s", strings.Join(args, " "))
	if err := cmd.Run(); err != nil {
		return &session.Error{Op: "sign in with gh", Kind: session.KindAuth, Err: err}
	}
	if _, err := a.credential(ctx); err != nil {
		return fmt.Errorf("gh has signed in, but its token cannot be read: %w", err)
	}
	return nil
}
