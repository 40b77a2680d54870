package cli

import (
	"bytes"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"parley/config"
)

func (a *app) configCommand() *cobra.Command {
	cmd := group("config", "Show the effective settings and where each comes from")
	cmd.AddCommand(
		&cobra.Command{
			Use: "path", Short: "Print the configuration file's path, whether or not it exists", Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				return a.out.line("%s", a.file)
			},
		},
		&cobra.Command{
			Use: "show", Short: "Print the effective configuration and where each value comes from", Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := a.out.Write(a.cfg.Show())
				return err
			},
		},
		&cobra.Command{
			Use: "schema", Short: "Print the JSON schema of the configuration file", Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := a.out.Write(config.Schema())
				return err
			},
		},
	)
	return cmd
}

// group makes a command that only holds others. Called by itself it says so.
func group(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("%s has no command %q", cmd.CommandPath(), args[0])
			}
			return cmd.Help()
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			printVersion(a.out)
			return nil
		},
	}
}

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page, in roff", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeManPage(a.out, cmd.Root())
		},
	}
}

// writeManPage writes the manual page in roff. The page carries no date: cobra would print the current month, and the
// page must be the same on every day for the same version.
func writeManPage(w io.Writer, root *cobra.Command) error {
	root.DisableAutoGenTag = true // its HISTORY section is a date too
	var undated time.Time
	var page bytes.Buffer
	header := doc.GenManHeader{Title: "PARLEY", Section: "1", Source: "parley", Manual: "parley manual", Date: &undated}
	if err := doc.GenMan(root, &header, &page); err != nil {
		return err
	}
	month := []byte(undated.Format(`"Jan 2006"`))
	_, err := w.Write(bytes.Replace(page.Bytes(), month, []byte(`""`), 1))
	return err
}
