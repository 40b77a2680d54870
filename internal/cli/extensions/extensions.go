package extensions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/internal/nearest"
	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/extensions/plugin"
)

// Options are the parts of a run that the commands need.
type Options struct {
	Out *output.Stream
	// Keeper finds and changes the items, for an agent and a directory, which Where returns.
	Keeper inventory.Keeper
	Where  func() (agent, dir string, err error)
	// Plugins returns the plugins, and what ends the processes that their changes have started.
	Plugins func() (s *plugin.Store, end func() error)
}

// find returns the items for the working directory, as the chosen agent has them.
func (o Options) find(ctx context.Context) (all []inventory.Item, dir string, err error) {
	agent, dir, err := o.Where()
	if err != nil {
		return nil, "", err
	}
	return o.Keeper.Find(ctx, agent, dir).Items(), dir, nil
}

// Command makes `parley extensions`.
func Command(o Options) *cobra.Command {
	cmd := command.Group("extensions", "List instructions, agents, skills, hooks, MCP servers and plugins")
	cmd.Long = `List what extends agents in this directory: instructions, custom agents, skills, commands, hooks, MCP servers and plugins, with
the file of each, whether it is used and why not, and what it costs in the model's window. Nothing of it is started.

--agent shows them as that agent has them. /extensions is the same list in the chat.`
	cmd.AddCommand(o.list(), o.show())
	cmd.AddCommand(o.changes()...)
	return cmd
}

// list is `parley extensions list`.
func (o Options) list() *cobra.Command {
	kinds := []string{}
	for _, k := range inventory.Kinds {
		kinds = append(kinds, string(k))
	}
	cmd := &cobra.Command{Use: "list [KIND]", Short: "List what extends agents here, all or one kind", ValidArgs: kinds, Args: cobra.MaximumNArgs(1)}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && !slices.Contains(kinds, args[0]) {
			return command.UsageError{Err: fmt.Errorf("unknown kind %q", args[0]), Next: "Available: " + strings.Join(kinds, ", ")}
		}
		all, _, err := o.find(cmd.Context())
		if err != nil {
			return err
		}
		if len(args) > 0 {
			all = slices.DeleteFunc(all, func(i inventory.Item) bool { return string(i.Kind) != args[0] })
		}
		if *asJSON {
			return o.Out.JSON(append([]inventory.Item{}, all...))
		}
		if len(all) == 0 {
			return o.Out.Sentence("Nothing extends agents here. docs/extensions.md says where parley looks.")
		}
		return o.Out.List(listed(all))
	}
	return cmd
}

// listed describes items in columns.
func listed(all []inventory.Item) output.List {
	l := output.List{Most: output.MaxCell, Plain: [][]string{{"KIND", "NAME", "STATE", "SCOPE", "TOKENS", "FILE", "WHY"}},
		Columns: []output.Column{{Head: "KIND"}, {Head: "NAME"}, {Head: "STATE"}, {Head: "SCOPE"}, {Head: "TOKENS"},
			{Head: "FILE", Wraps: true, Below: true, Style: output.Quiet}, {Head: "WHY", Wraps: true, Below: true, Style: output.Quiet}}}
	for _, i := range all {
		row := []string{string(i.Kind), i.Name, state(i), string(i.Scope), cost(i.Start), i.From, i.Why}
		l.Rows, l.Plain = append(l.Rows, row), append(l.Plain, row)
	}
	return l
}

func state(i inventory.Item) string {
	if i.On {
		return "on"
	}
	return "off"
}

// cost returns tokens, "" for none.
func cost(tokens int) string {
	if tokens == 0 {
		return ""
	}
	return human.Tokens(int64(tokens))
}

// show is `parley extensions show`.
func (o Options) show() *cobra.Command {
	cmd := &cobra.Command{Use: "show NAME", Short: "Describe one: its file, why it is off, what it runs and costs", Args: cobra.ArbitraryArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		words := strings.Join(args, " ")
		if words == "" {
			return command.UsageError{Err: errors.New(cmd.CommandPath() + " takes a name, such as skill:review"), Next: "`parley extensions list` shows them."}
		}
		all, _, err := o.find(cmd.Context())
		if err != nil {
			return err
		}
		found := inventory.Named(all, words)
		if len(found) == 0 {
			return unknown(all, words)
		}
		if *asJSON {
			return o.Out.JSON(found)
		}
		l := output.List{Most: 500, Columns: []output.Column{{Head: "FIELD", Style: output.Quiet}, {Head: "VALUE", Wraps: true}}}
		for _, i := range found {
			l.Rows = append(l.Rows, about(i)...)
		}
		return o.Out.List(l)
	}
	return cmd
}

// about describes an item in rows of a name and a value.
func about(i inventory.Item) (rows [][]string) {
	for _, row := range [][]string{{"name", i.Name}, {"kind", string(i.Kind)}, {"state", state(i)}, {"why", i.Why}, {"about", i.About}, {"scope", string(i.Scope)},
		{"file", i.From}, {"runs", i.Runs}, {"of the agent", i.Agents}, {"tokens at the start", cost(i.Start)}, {"tokens when used", cost(i.Used)}, {"notes", strings.Join(i.Notes, "; ")}} {
		if row[1] != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// unknown returns the error for words that name no item, with the nearest name.
func unknown(all []inventory.Item, words string) error {
	var names []string
	for _, i := range all {
		names = append(names, i.Name, i.ID())
	}
	what := "nothing here is called " + strconv.Quote(words)
	if near := nearest.Of(words, names); near != "" {
		what += "; did you mean " + strconv.Quote(near) + "?"
	}
	return &session.Error{Op: "show an extension", Kind: session.KindNotFound, Err: errors.New(what)}
}
