package cli

import (
	"fmt"
	"io"
	"runtime/debug"
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

func printVersion(w io.Writer) { fmt.Fprintln(w, "parley", programVersion()) }
