package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
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

// userAgent is the description of this program that services read.
func userAgent() string { return "parley/" + programVersion() }

func printVersion(w io.Writer) { fmt.Fprintln(w, "parley", programVersion()) }

// versionCommand is `parley version`.
func versionCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		if !*asJSON {
			printVersion(a.out)
			return nil
		}
		return a.out.JSON(struct {
			Version string `json:"version"`
			Go      string `json:"go"`
			OS      string `json:"os"`
			Arch    string `json:"arch"`
		}{programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH})
	}
	return cmd
}
