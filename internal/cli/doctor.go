package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/cli/command"
	"parley/internal/cli/doctor"
	"parley/session/catalog"
)

// doctorCommand is `parley doctor`.
func doctorCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "doctor", Short: "Check your setup and suggest fixes", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, cancel := context.WithTimeout(cmd.Context(), command.LookupTime)
		defer cancel()
		results, bad := []doctor.Result{}, 0
		doctor.Examine(ctx, a.examined(), func(r doctor.Result) {
			if results = append(results, r); !r.OK {
				bad++
			}
		})
		print := func() error { return doctor.Print(a.out, results) }
		if *asJSON {
			print = func() error { return a.out.JSON(results) }
		}
		if err := print(); err != nil {
			return err
		}
		if bad > 0 {
			return command.ExitError{Code: command.ExitFailed}
		}
		return nil
	}
	return cmd
}

// examined returns what the doctor looks at.
func (a *app) examined() doctor.Options {
	o := doctor.Options{
		Version: programVersion(), Config: a.cfg, Broken: a.broken, File: a.file, Paths: a.paths, Theme: a.themeName(),
		Rules: a.rules(), Dir: a.workingDir, Sessions: a.store(), Exposed: exposed(a.paths), Runtimes: a.runtimes(),
		Keys: func() (int, error) {
			all, err := a.keyBindings()
			return len(all), err
		},
		Languages: func() (string, error) { return languagesOf(a) },
		Client: func(ctx context.Context) (*copilot.Client, error) {
			client, err := a.signIn().Client(ctx)
			if e, ok := errors.AsType[*login.NotSignedInError](err); ok {
				err = fmt.Errorf("%s. %s", signedOut(e), a.signIn().Advice())
			}
			return client, err
		},
		Catalog: func(c *copilot.Client) *catalog.Catalog { return newCatalog(a, c, nil) },
	}
	if a.interactive() {
		o.Terminal = a.getenv("TERM")
	}
	return o
}
