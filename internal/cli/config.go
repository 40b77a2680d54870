package cli

import (
	"os"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/internal/cli/command"
	"parley/internal/cli/output"
)

// configCommand is `parley config`.
func configCommand(a *app) *cobra.Command {
	cmd := command.Group("config", "Show the effective settings and where each comes from")
	schema := &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of the configuration file", Args: command.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(config.Schema())
			return err
		},
	}
	cmd.AddCommand(showConfig(a), configPath(a), schema)
	return cmd
}

// setting is a value of the configuration as JSON.
type setting struct {
	Key     string `json:"key"`
	Value   any    `json:"value"`
	Source  string `json:"source"`
	Default bool   `json:"default"`
}

// showConfig is `parley config show`: a table on a terminal, elsewhere a file that gives the same configuration.
func showConfig(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "show", Aliases: []string{"list"}, Short: "Print the effective configuration and where each value comes from", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		if *asJSON {
			all := []setting{}
			for _, v := range a.cfg.Values {
				all = append(all, setting{v.Key.Name, v.Plain(), v.Source, v.Source == "default"})
			}
			return a.out.JSON(all)
		}
		if a.out.Terminal() == nil {
			_, err := a.out.Write(a.cfg.Show())
			return err
		}
		l := output.List{Columns: []output.Column{{Head: "KEY"}, {Head: "VALUE", Wraps: true}, {Head: "SET BY", Wraps: true, Below: true, Style: output.Quiet}}}
		for _, v := range a.cfg.Values {
			by := v.Source
			if by == "default" {
				by = ""
			}
			l.Rows = append(l.Rows, []string{v.Key.Name, v.YAML(), by})
		}
		return a.out.List(l)
	}
	return cmd
}

// configPath is `parley config path`.
func configPath(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "path", Short: "Print the configuration file's path, whether or not it exists", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		if !*asJSON {
			return a.out.Line("%s", a.file)
		}
		_, err := os.Stat(a.file)
		return a.out.JSON(struct {
			Path   string `json:"path"`
			Exists bool   `json:"exists"`
		}{a.file, err == nil})
	}
	return cmd
}
