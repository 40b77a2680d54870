package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"parley/copilot"
	"parley/copilot/login"
	"parley/session"
	"parley/session/runtimes"
	"parley/session/store"
	"parley/ui/md"
)

// check is one thing doctor looked at.
type check struct {
	name  string
	found string // what is there, if all is well
	err   error  // what is wrong, and how to mend it
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check your setup and suggest fixes", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), lookupTime)
			defer cancel()
			bad := false
			var rows [][]string
			for _, c := range a.examine(ctx) {
				mark, text := "ok", c.found
				if c.err != nil {
					mark, text, bad = "!!", c.err.Error(), true
				}
				rows = append(rows, []string{mark, c.name, text})
			}
			if err := a.out.table(maxMessage, rows); err != nil {
				return err
			}
			if bad {
				return exitError{ExitFailed}
			}
			return nil
		},
	}
}

func (a *app) examine(ctx context.Context) []check {
	checks := []check{
		{name: "version", found: programVersion()},
		{name: "configuration", found: a.configurationFound()},
		a.keysFound(),
		a.themeFound(),
		a.writable("sessions", a.paths.Sessions()),
		a.writable("state", a.paths.State),
		a.terminalFound(),
		programFound("git", "the builtin agent works without, but knows no branch names"),
		programFound("gh", "parley can sign in without; set GH_TOKEN or COPILOT_GITHUB_TOKEN then"),
	}
	checks = append(checks, a.storeFound(ctx)...)
	checks = append(checks, a.runtimesFound(ctx)...)
	client, err := a.signedIn(ctx)
	if err != nil {
		return append(checks, check{name: "login", err: err})
	}
	cred := client.Credential()
	checks = append(checks, check{name: "login", found: fmt.Sprintf("token from %s for %s", cred.Source, cred.Host)})
	return append(checks, serviceFound(ctx, client)...)
}

func (a *app) configurationFound() string {
	if _, err := os.Stat(a.file); err != nil {
		return a.file + " (not there; defaults are used)"
	}
	return a.file
}

// keysFound says whether the user's own keys make sense.
func (a *app) keysFound() check {
	all, err := a.keyBindings()
	switch {
	case err != nil:
		return check{name: "keys", err: fmt.Errorf("%w; docs/keys.md lists keys and actions", err)}
	case len(all) == 0:
		return check{name: "keys", found: "none of your own"}
	}
	return check{name: "keys", found: fmt.Sprintf("%d of your own", len(all))}
}

// themeFound says whether the theme can be loaded.
func (a *app) themeFound() check {
	name := a.themeName()
	if name == "auto" {
		return check{name: "theme", found: name}
	}
	if _, err := md.LoadTheme(name); err != nil {
		from := a.cfg.SourceOf("theme")
		if a.cfg.Theme != name {
			from = "GLAMOUR_STYLE"
		}
		return check{name: "theme", err: fmt.Errorf("%s: %w", from, err)}
	}
	return check{name: "theme", found: name}
}

// runtimesFound says for each agent with a runtime of its own whether that can be started. Having none is no fault, as the
// builtin agent needs none, unless the configuration asks for it.
func (a *app) runtimesFound(ctx context.Context) []check {
	var checks []check
	r := a.runtimes()
	for _, name := range runtimes.Names() {
		found, err := r.Resolve(ctx, name)
		c := check{name: name}
		switch {
		case err == nil:
			c.found = fmt.Sprintf("%s %s at %s, %s", found.Title, found.Version, found.Path, standing(found.Standing))
		case runtimes.ReasonOf(err) == runtimes.ReasonNotFound && a.cfg.Agent != name:
			c.found = plainCause(err) + "; the builtin agent needs none"
		default:
			c.err = errors.New(plainCause(err))
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

// storeFound says what is wrong with the stored sessions: nothing if all is well.
func (a *app) storeFound(ctx context.Context) []check {
	var checks []check
	for _, text := range a.exposed() {
		checks = append(checks, check{name: "sessions", err: errors.New(text)})
	}
	if _, err := a.newStore().List(ctx); err != nil {
		checks = append(checks, check{name: "sessions", err: errors.New(session.ProblemOf(err, time.Now()).What)})
	}
	return checks
}

// exposed says which of the directories of sessions and drafts others can write to, and what to do about it.
func (a *app) exposed() []string {
	var out []string
	for _, dir := range store.Exposed(a.paths.Data, a.paths.Sessions(), a.paths.Composer(), a.paths.State, a.paths.Locks()) {
		out = append(out, fmt.Sprintf("Other users can write to %s, and so change your sessions. Run: chmod go-w %s", dir, dir))
	}
	return out
}

// writable tries to make a file where parley will want to.
func (a *app) writable(name, dir string) check {
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

func (a *app) terminalFound() check {
	if a.interactive() {
		return check{name: "terminal", found: a.getenv("TERM")}
	}
	return check{name: "terminal", found: "none to draw on; -p works"}
}

// programFound reports a program that is useful and not needed: its absence is no fault.
func programFound(name, without string) check {
	path, err := exec.LookPath(name)
	if err != nil {
		return check{name: name, found: "not found: " + without}
	}
	return check{name: name, found: path}
}

func serviceFound(ctx context.Context, client *copilot.Client) []check {
	acc, err := catalog{client: client}.Account(ctx)
	if err != nil {
		return []check{{name: "account", err: advise(err)}}
	}
	plan := check{name: "account", found: fmt.Sprintf("%s, plan %s", orUnknown(acc.Login), orUnknown(acc.Plan))}
	models, err := catalog{client: client}.Models(ctx)
	if err != nil {
		return []check{plan, {name: "models", err: advise(err)}}
	}
	usable := 0
	for _, m := range models {
		if m.Unusable == "" {
			usable++
		}
	}
	if usable == 0 {
		return []check{plan, {name: "models", err: errors.New("none can be used; see parley models for the reasons")}}
	}
	return []check{plan, {name: "models", found: fmt.Sprintf("%d, %d of them usable", len(models), usable)}}
}

// advise says what is wrong and what to do about it, as the chat would. What is wrong with a token says both by itself.
func advise(err error) error {
	if t, ok := errors.AsType[*login.TokenError](err); ok {
		return fmt.Errorf("GitHub did not accept the sign-in: %w", t)
	}
	p := session.ProblemOf(err, time.Now())
	if p.Next == "" {
		return errors.New(p.What)
	}
	return fmt.Errorf("%s %s", p.What, p.Next)
}
