// Command parley is a terminal chat with coding agents for people with a GitHub Copilot plan.
package main

import (
	"context"
	"os"

	"parley/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), cli.Process{
		Args:    os.Args[1:],
		Environ: os.Environ(),
		In:      os.Stdin,
		Out:     os.Stdout,
		Err:     os.Stderr,
		Exit:    os.Exit,
	}))
}
