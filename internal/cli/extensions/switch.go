package extensions

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/extensions/plugin"
)

// enable is `parley extensions enable`.
func (o Options) enable() *cobra.Command {
	var yes bool
	cmd := o.switches("enable", "Switch plugins, MCP servers and skills on", true, func(ctx context.Context, i inventory.Item) error {
		if i.Kind != inventory.Plugin || i.Switch != "" || i.Runs == "" || yes {
			return nil
		}
		if err := o.with(func(s *plugin.Store) error {
			for _, p := range s.List(ctx) {
				if p.Owner == plugin.Parley && p.Name == i.Name {
					return o.describe(p, "runs what is listed below, in every directory")
				}
			}
			return nil
		}); err != nil {
			return err
		}
		return command.UsageError{Err: errors.New(i.Name + " stays off: look at what it runs"), Next: "`parley extensions enable --yes " + i.Name + "` switches it on."}
	})
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what plugins run")
	return cmd
}

// disable is `parley extensions disable`.
func (o Options) disable() *cobra.Command {
	return o.switches("disable", "Switch plugins, MCP servers and skills off", false, func(context.Context, inventory.Item) error { return nil })
}

// switches makes a command that switches items after check has agreed to each.
func (o Options) switches(name, short string, on bool, check func(ctx context.Context, i inventory.Item) error) *cobra.Command {
	cmd := &cobra.Command{Use: name + " NAME...", Short: short, Args: someNames}
	cmd.Long = short + `, in the settings of the program that they belong to: parley's, Claude Code's or the Copilot CLI's. All else in these files
stays as it is. Of two with one name, write the kind before it: skill:review.`
	scopes := []string{string(inventory.User), string(inventory.Project), "session"}
	scope := cmd.Flags().String("scope", "", "`where` it holds: user for all directories, project for this one (default: user where it can be, else project)")
	_ = cmd.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions(scopes[:2], cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch *scope {
		case "", scopes[0], scopes[1]:
		case scopes[2]:
			return command.UsageError{Err: errors.New("a session is switched in its chat"), Next: "/extensions there switches MCP servers for the session."}
		default:
			return command.UsageError{Err: errors.New("unknown scope " + *scope), Next: "Available: " + strings.Join(scopes, ", ")}
		}
		for _, name := range args {
			if err := o.set(cmd.Context(), name, inventory.Scope(*scope), on, check); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

// set switches the item of a name and prints which file says so.
func (o Options) set(ctx context.Context, name string, scope inventory.Scope, on bool, check func(ctx context.Context, i inventory.Item) error) error {
	all, dir, err := o.find(ctx)
	if err != nil {
		return err
	}
	found := inventory.Named(all, name)
	if len(found) == 0 {
		return unknown(all, name)
	}
	i := found[0]
	for _, one := range found { // those that are off come last
		if i.On == on && one.On != on && one.Over == "" {
			i = one
		}
	}
	if err := check(ctx, i); err != nil {
		return err
	}
	wanted := scope
	if scope == "" {
		wanted = inventory.User
	}
	file, err := o.Keeper.Switch(ctx, dir, i, wanted, on)
	if scope == "" && session.KindOf(err) == session.KindUnsupported {
		if in, inProject := o.Keeper.Switch(ctx, dir, i, inventory.Project, on); inProject == nil {
			file, wanted, err = in, inventory.Project, nil
		}
	}
	if err != nil {
		return err
	}
	where := map[inventory.Scope]string{inventory.User: "", inventory.Project: " in this directory"}[wanted]
	return o.Out.Sentence("%s is %s%s starting with the next prompt, by %s.", i.Name, state(inventory.Item{On: on}), where, file)
}
