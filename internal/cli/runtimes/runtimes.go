package runtimes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/internal/progress"
	"parley/session/runtimes"
)

// Options are the parts of a run that the commands need.
type Options struct {
	Out, Err *output.Stream
	// Runtimes returns what finds and installs runtimes in this run; it is called once a command runs.
	Runtimes func() *runtimes.Runtimes
	// Term is the kind of the terminal.
	Term string
}

// Command makes `parley runtimes`.
func Command(o Options) *cobra.Command {
	cmd := command.Group("runtimes", "List, install and remove the runtimes of agents")
	cmd.Long = `List, install and remove the runtimes of agents that are separate programs: Claude Code and Copilot.

parley uses, in this order: the program that the configuration names (claude.path, copilot.path), the best of those it installed
itself, and claude or copilot on PATH. Listing starts no program and sends nothing.`
	cmd.AddCommand(o.list(), o.install(), o.remove())
	return cmd
}

// foundRuntimes describes the runtimes of one agent.
type foundRuntimes struct {
	Name string `json:"name"`
	// Used is the one that new sessions use, nil if there is none.
	Used *runtimes.Runtime `json:"used"`
	// Problem is the reason why there is none, and what to do.
	Problem   string               `json:"problem,omitempty"`
	Notices   []runtimes.Notice    `json:"notices"`
	Installed []runtimes.Installed `json:"installed"`
}

// findRuntimes describes the runtimes of all agents. It looks at files only.
func findRuntimes(r *runtimes.Runtimes) []foundRuntimes {
	all := []foundRuntimes{}
	installed := r.List()
	for _, name := range runtimes.Names() {
		row := foundRuntimes{Name: name, Notices: []runtimes.Notice{}, Installed: []runtimes.Installed{}}
		found, err := r.Find(name)
		if err == nil {
			row.Used = &found.Runtime
		} else {
			row.Problem = runtimes.Cause(err)
		}
		row.Notices = append(row.Notices, found.Notices...)
		for _, i := range installed {
			if i.Name == name {
				row.Installed = append(row.Installed, i)
			}
		}
		all = append(all, row)
	}
	return all
}

// list is `parley runtimes list`.
func (o Options) list() *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "list", Short: "List installed runtimes and which one new sessions use", Args: command.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all := findRuntimes(o.Runtimes())
			if *asJSON {
				return o.Out.JSON(all)
			}
			return printRuntimes(o.Out, all)
		},
	}
	asJSON = command.JSONFlag(cmd)
	return cmd
}

// printRuntimes writes a line for each runtime, the used one marked, and below what there is to say about them.
func printRuntimes(w *output.Stream, all []foundRuntimes) error {
	l := output.List{Most: output.MaxCell, Columns: []output.Column{{Head: " "}, {Head: "AGENT"}, {Head: "VERSION"}, {Head: "TESTED", Style: output.Quiet}, {Head: "SIZE"},
		{Head: "WHERE", Wraps: true, Style: output.Quiet}}}
	for _, row := range all {
		listed := false
		for _, i := range row.Installed {
			used := row.Used != nil && row.Used.Source == runtimes.SourceInstalled && row.Used.Version == i.Version
			listed = listed || used
			l.Rows = append(l.Rows, []string{mark(used), row.Name, i.Version, i.Standing.Words(), human.Megabytes(i.Size), usedBy(i)})
		}
		if row.Used != nil && !listed {
			l.Rows = append(l.Rows, []string{mark(true), row.Name, output.OrUnknown(row.Used.Version), row.Used.Standing.Words(), "", row.Used.Path})
		}
	}
	if err := w.List(l); err != nil {
		return err
	}
	if used := slices.ContainsFunc(all, func(r foundRuntimes) bool { return r.Used != nil }); used && w.Terminal() != nil {
		w.Sentence("* new sessions use this one.")
	}
	for _, row := range all {
		for _, n := range row.Notices {
			w.Sentence("%s: %s.", row.Name, n.Text)
		}
		if row.Problem != "" {
			w.Sentence("%s: %s.", row.Name, row.Problem)
		}
	}
	return nil
}

func mark(used bool) string {
	if used {
		return "*"
	}
	return " "
}

func usedBy(i runtimes.Installed) string {
	var by []string
	for _, u := range i.Uses {
		by = append(by, fmt.Sprintf("%s (pid %d)", u.By, u.PID))
	}
	if len(by) == 0 {
		return i.Dir
	}
	return "in use by " + strings.Join(by, ", ")
}

// install is `parley runtimes install`.
func (o Options) install() *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "install NAME[@VERSION]", Short: "Install a runtime with npm, by default the newest tested version",
		Long: `Install a runtime with npm, from the registry npm is set up for, into parley's cache directory.

Without a version, the newest that parley was tested with; of Copilot the newest that starts fast. The archive of a tested version is checked against a hash that is
built into parley, any other against npm's. No script of the package runs. Interrupting the installation leaves nothing behind.`,
		Example: `  parley runtimes install claude
  parley runtimes install claude@2.1.112
  parley runtimes install copilot`,
		Args: oneRuntime,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, version, err := runtimes.Spec(args[0])
			if err != nil {
				return err
			}
			ctx, stop := command.UntilSignal(cmd.Context())
			defer stop()
			line, show := progress.New(o.Err, o.Term), func(runtimes.Progress) {}
			if !*asJSON {
				show = line.Show
			}
			i, err := o.Runtimes().Install(ctx, name, version, show)
			line.End()
			if sig, ok := errors.AsType[command.Signaled](context.Cause(ctx)); ok && err != nil {
				o.Err.Message("interrupted; nothing was installed")
				return command.ExitError{Code: sig.Code()}
			}
			if err != nil {
				return err
			}
			if *asJSON {
				return o.Out.JSON(i)
			}
			return printInstalled(o.Out, i)
		},
	}
	asJSON = command.JSONFlag(cmd)
	return cmd
}

func printInstalled(w *output.Stream, i runtimes.Installed) error {
	was := "is installed"
	if i.Already {
		was = "was installed before"
	}
	if err := w.Sentence("%s %s %s in %s (%s).", i.Title, i.Version, was, i.Dir, human.Megabytes(i.Size)); err != nil {
		return err
	}
	if !i.Pinned {
		w.Sentence("It is not a version parley was tested with: its archive was checked against npm's hash, not parley's.")
	}
	return w.Sentence("Start a session with it: `parley --agent %s`", i.Name)
}

// remove is `parley runtimes rm`.
func (o Options) remove() *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "rm NAME[@VERSION]", Short: "Remove an installed runtime, or all versions of it", Args: oneRuntime,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, version, err := runtimes.Spec(args[0])
			if err != nil {
				return err
			}
			gone, err := o.Runtimes().Remove(cmd.Context(), name, version)
			if *asJSON && err == nil {
				return o.Out.JSON(gone)
			}
			for _, i := range gone {
				o.Out.Sentence("%s %s is removed (%s).", i.Title, i.Version, human.Megabytes(i.Size))
			}
			return err
		},
	}
	asJSON = command.JSONFlag(cmd)
	return cmd
}

func oneRuntime(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return command.Usagef("%s takes one runtime: %s, or one with a version such as claude@2.1.197", cmd.CommandPath(),
			strings.Join(runtimes.Names(), ", "))
	}
	if name, _, _ := strings.Cut(args[0], "@"); !slices.Contains(runtimes.Names(), name) {
		return command.UsageError{Err: fmt.Errorf("unknown runtime %q", name), Next: "Available: " + strings.Join(runtimes.Names(), ", ")}
	}
	return nil
}
