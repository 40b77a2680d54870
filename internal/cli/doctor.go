package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/human"
	"parley/internal/output"
	"parley/session"
	"parley/session/permission"
	"parley/session/rules"
	"parley/session/runtimes"
	"parley/ui/md"
)

// check is the result of one check.
type check struct {
	name  string
	found string // what is there, if all is well
	err   error  // what is wrong, and how to fix it
}

// result is a check as JSON.
type result struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	// Found is what is there, Problem what is wrong, and how to fix it.
	Found   string `json:"found,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// doctorCommand is `parley doctor`.
func doctorCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "doctor", Short: "Check your setup and suggest fixes", Args: noArgs}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, cancel := context.WithTimeout(cmd.Context(), lookupTime)
		defer cancel()
		results, bad := []result{}, 0
		for _, c := range (doctor{a}).examine(ctx) {
			r := result{Check: c.name, OK: c.err == nil, Found: c.found}
			if c.err != nil {
				r.Found, r.Problem = "", c.err.Error()
				bad++
			}
			results = append(results, r)
		}
		print := a.printChecks
		if *asJSON {
			print = func(results []result) error { return a.out.JSON(results) }
		}
		if err := print(results); err != nil {
			return err
		}
		if bad > 0 {
			return exitError{ExitFailed}
		}
		return nil
	}
	return cmd
}

// printChecks prints the results, and on a terminal how many problems there are.
func (a *app) printChecks(results []result) error {
	checks := output.List{Most: output.MaxMessage, Plain: [][]string{}, Columns: []output.Column{{Head: " ", Style: markStyle}, {Head: "CHECK"}, {Head: "RESULT", Wraps: true}}}
	bad := 0
	for _, r := range results {
		mark, plain, text := "✓", "ok", r.Found
		if !r.OK {
			mark, plain, text = "!", "!!", r.Problem
			bad++
		}
		checks.Rows = append(checks.Rows, []string{mark, r.Check, text})
		checks.Plain = append(checks.Plain, []string{plain, r.Check, text})
	}
	if err := a.out.List(checks); err != nil || a.out.Terminal() == nil {
		return err
	}
	if bad == 0 {
		return a.out.Canvas().Print([]string{"", "No problems found."})
	}
	return a.out.Canvas().Print([]string{"", human.Count(bad, "problem", "problems") + " found."})
}

// markStyle returns the style of the mark of a check.
func markStyle(mark string) lipgloss.Style {
	if mark == "!" {
		return output.Warn
	}
	return output.Good
}

// doctor checks the user's setup.
type doctor struct{ app *app }

// examine runs all checks.
func (d doctor) examine(ctx context.Context) []check {
	a := d.app
	checks := []check{
		{name: "version", found: programVersion()},
		{name: "configuration", found: d.configuration()},
		d.keys(),
		d.theme(),
		writable("sessions", a.paths.Sessions()),
		writable("state", a.paths.State),
		d.terminal(),
		programFound("git", "the builtin agent works without, but knows no branch names"),
		programFound("gh", "parley can sign in without; set GH_TOKEN or COPILOT_GITHUB_TOKEN then"),
	}
	checks = append(checks, d.rules()...)
	checks = append(checks, d.store(ctx)...)
	copies, err := copiesOfFiles(ctx, a)
	checks = append(checks, check{name: "changes", found: copies, err: err})
	checks = append(checks, d.runtimes(ctx)...)
	languages, err := languagesOf(a)
	checks = append(checks, check{name: "languages", found: languages, err: err})
	client, err := newSignIn(a).client(ctx)
	if err != nil {
		return append(checks, check{name: "login", err: err})
	}
	cred := client.Credential()
	checks = append(checks, check{name: "login", found: fmt.Sprintf("token from %s for %s", cred.Source, cred.Host)})
	return append(checks, d.service(ctx, client)...)
}

// configuration reports the configuration file.
func (d doctor) configuration() string {
	if _, err := os.Stat(d.app.file); err != nil {
		return d.app.file + " (not there; defaults are used)"
	}
	return d.app.file
}

// keys checks the user's own key bindings.
func (d doctor) keys() check {
	all, err := d.app.keyBindings()
	switch {
	case err != nil:
		return check{name: "keys", err: fmt.Errorf("%w; docs/keys.md lists keys and actions", err)}
	case len(all) == 0:
		return check{name: "keys", found: "none of your own"}
	}
	return check{name: "keys", found: fmt.Sprintf("%d of your own", len(all))}
}

// theme checks that the theme can be loaded.
func (d doctor) theme() check {
	name := d.app.themeName()
	if name == "auto" {
		return check{name: "theme", found: name}
	}
	if _, err := md.LoadTheme(name); err != nil {
		from := d.app.cfg.SourceOf("theme")
		if d.app.cfg.Theme != name {
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
	r := d.app.runtimes()
	for _, name := range runtimes.Names() {
		found, err := r.Resolve(ctx, name)
		c := check{name: name}
		switch {
		case err == nil:
			c.found = fmt.Sprintf("%s %s at %s, %s", found.Title, found.Version, found.Path, standing(found.Standing))
		case runtimes.ReasonOf(err) == runtimes.ReasonNotFound && d.app.cfg.Agent != name:
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

// rules checks the administrator's policy and the user's files of rules.
func (d doctor) rules() []check {
	store := d.app.rules()
	checks := []check{policyCheck(store.Policy())}
	dir, err := d.app.workingDir()
	if err != nil {
		return append(checks, check{name: "rules", err: err})
	}
	for _, f := range store.Files(dir) {
		if f.Origin == permission.FromPolicy {
			continue
		}
		c := check{name: string(f.Origin) + " rules", found: fmt.Sprintf("%s (%s)", f.Path, human.Count(len(f.Rules), "rule", "rules"))}
		switch {
		case f.Problem != nil:
			c.err = fmt.Errorf("%w; until it is mended, everything is asked about", f.Problem)
		case f.Missing:
			c.found = f.Path + " (not there; no rules)"
		}
		checks = append(checks, c)
	}
	return checks
}

// policyCheck describes the administrator's policy.
func policyCheck(p rules.Policy) check {
	c := check{name: "policy"}
	switch {
	case p.File.Path == "" || p.File.Missing:
		c.found = "none"
	case p.Ignored != "":
		c.err = errors.New(p.Ignored + " It has to be owned by root, like every directory above it, and writable by nobody else.")
	case p.File.Problem != nil:
		c.err = fmt.Errorf("%w; until it is mended, everything is asked about and nothing bypasses permissions", p.File.Problem)
	default:
		c.found = fmt.Sprintf("%s (%s)", p.File.Path, p.Summary())
	}
	return c
}

// store returns the faults of the stored sessions.
func (d doctor) store(ctx context.Context) []check {
	var checks []check
	for _, text := range exposed(d.app.paths) {
		checks = append(checks, check{name: "sessions", err: errors.New(text)})
	}
	if _, err := d.app.store().List(ctx); err != nil {
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
	if d.app.interactive() {
		return check{name: "terminal", found: d.app.getenv("TERM")}
	}
	return check{name: "terminal", found: "none to draw on; -p works"}
}

// programFound reports an optional program.
func programFound(name, without string) check {
	path, err := exec.LookPath(name)
	if err != nil {
		return check{name: name, found: "not found: " + without}
	}
	return check{name: name, found: path}
}

// service checks the account and its models.
func (d doctor) service(ctx context.Context, client *copilot.Client) []check {
	c := newCatalog(d.app, client, nil)
	acc, err := c.Account(ctx)
	if err != nil {
		return []check{{name: "account", err: advise(err)}}
	}
	plan := check{name: "account", found: fmt.Sprintf("%s, plan %s", output.OrUnknown(acc.Login), output.OrUnknown(acc.Plan))}
	models, err := c.Models(ctx)
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

// advise returns an error with the advice that the chat gives. That of a token has its own.
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
