package cli

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the release build; otherwise the module's version is used, where the build knows one.
var version = ""

// programVersion is the version shown to people and services.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// userAgent is what services read about this program.
func userAgent() string { return "parley/" + programVersion() }

func printVersion(w io.Writer) { fmt.Fprintln(w, "parley", programVersion()) }

// versionCommand is `parley version`.
func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			printVersion(a.out)
			return nil
		},
	}
}
