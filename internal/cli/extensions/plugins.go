package extensions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/session"
	"parley/session/extensions/plugin"
)

// changes are the commands that install plugins and switch them.
func (o Options) changes() []*cobra.Command {
	return []*cobra.Command{o.add(), o.update(), o.enable(), o.disable(),
		o.each("rm", "Remove plugins with what they keep, or marketplaces", func(ctx context.Context, s *plugin.Store, name string) error {
			err := s.Remove(ctx, name)
			none := []session.Kind{session.KindNotFound, session.KindUnsupported} // parley has no plugin of that name
			if slices.Contains(none, session.KindOf(err)) && s.RemoveMarketplace(ctx, name) == nil {
				err = nil
			}
			if err != nil {
				return err
			}
			return o.Out.Sentence("%s is removed.", name)
		}), o.marketplaces()}
}

// each makes a command that does something with each plugin that it is given.
func (o Options) each(name, short string, do func(ctx context.Context, s *plugin.Store, name string) error) *cobra.Command {
	return &cobra.Command{Use: name + " NAME...", Short: short, Args: someNames, RunE: func(cmd *cobra.Command, args []string) error {
		return o.with(func(s *plugin.Store) error {
			for _, name := range args {
				if err := do(cmd.Context(), s, name); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

func someNames(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return command.UsageError{Err: errors.New(cmd.CommandPath() + " takes the name of a plugin"), Next: "`parley extensions list plugin` shows them."}
	}
	return nil
}

// with does something with the plugins while git can run.
func (o Options) with(do func(s *plugin.Store) error) error {
	s, end := o.Plugins()
	return errors.Join(do(s), end())
}

// add is `parley extensions add`.
func (o Options) add() *cobra.Command {
	cmd := &cobra.Command{Use: "add SOURCE", Short: "Install a plugin, switched off, and show what it would run"}
	cmd.Long = `Install a plugin from a folder, a git address (https://…, ssh://…, git@…, OWNER/REPOSITORY, each with #REF or #REF:FOLDER) or
NAME@MARKETPLACE. It is copied, pinned and switched off; what it would run is listed. --marketplace adds a marketplace instead.`
	market := cmd.Flags().Bool("marketplace", false, "add a marketplace, whose plugins are then NAME@MARKETPLACE")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return command.UsageError{Err: errors.New(cmd.CommandPath() + " takes a folder, a git address or NAME@MARKETPLACE")}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return o.with(func(s *plugin.Store) error {
			if *market {
				m, err := s.AddMarketplace(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return o.Out.Sentence("The marketplace %s is added. Install a plugin with: `parley extensions add NAME@%s`", m.Name, m.Name)
			}
			p, err := s.Install(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return o.describe(p, "is installed and off")
		})
	}
	return cmd
}

// describe prints a plugin with what it would run.
func (o Options) describe(p plugin.Plugin, state string) error {
	if err := o.Out.Sentence("%s %s. Switch it on with: `parley extensions enable %s`", p.Name, state, p.Name); err != nil {
		return err
	}
	l := output.List{Most: 500, Columns: []output.Column{{Head: "FIELD", Style: output.Quiet}, {Head: "VALUE", Wraps: true}}}
	for _, row := range [][]string{{"source", p.Source}, {"commit", p.Commit}, {"hash", p.Hash}, {"version", p.Version}, {"author", p.Author}, {"about", p.About},
		{"notes", strings.Join(p.Notes, "; ")}} {
		if row[1] != "" {
			l.Rows = append(l.Rows, row)
		}
	}
	for _, part := range p.Parts {
		value := part.Name
		if part.Why != "" {
			value += " (not used: " + part.Why + ")"
		}
		if part.Runs != "" {
			value += " runs: " + part.Runs
		}
		l.Rows = append(l.Rows, []string{string(part.Kind), value})
	}
	return o.Out.List(l)
}

// update is `parley extensions update`.
func (o Options) update() *cobra.Command {
	cmd := o.each("update", "Fetch plugins again", func(ctx context.Context, s *plugin.Store, name string) error {
		p, changed, err := s.Update(ctx, name)
		switch {
		case err != nil:
			return err
		case !changed:
			return o.Out.Sentence("%s is up to date.", p.Name)
		case p.Enabled:
			return o.Out.Sentence("%s is updated.", p.Name)
		}
		return o.describe(p, "is updated and off")
	})
	cmd.Long = "Fetch plugins from where they came from. One that has changed and runs something is switched off until you enable it again."
	return cmd
}

// marketplaces is `parley extensions marketplaces`.
func (o Options) marketplaces() *cobra.Command {
	cmd := &cobra.Command{Use: "marketplaces", Short: "List the marketplaces and their plugins", Args: command.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return o.with(func(s *plugin.Store) error {
			l := output.List{Most: output.MaxCell, Columns: []output.Column{{Head: "PLUGIN"}, {Head: "SOURCE"}, {Head: "ABOUT", Wraps: true, Below: true, Style: output.Quiet}}}
			for _, m := range s.Marketplaces(cmd.Context()) {
				l.Rows = append(l.Rows, []string{"@" + m.Name, m.Source, strings.Join(append(m.Notes, m.Why), " ")})
				for _, offer := range m.Offers {
					l.Rows = append(l.Rows, []string{offer.Name + "@" + m.Name, offer.Source, strings.TrimSpace(offer.About + " " + offer.Why)})
				}
			}
			if len(l.Rows) == 0 {
				return o.Out.Sentence("No marketplaces yet. Add one with `parley extensions add --marketplace SOURCE`.")
			}
			return o.Out.List(l)
		})
	}
	return cmd
}
