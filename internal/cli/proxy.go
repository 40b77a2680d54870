package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"parley/copilot"
	"parley/internal/cli/command"
	"parley/proxy"
	"parley/proxy/repair"
)

// drainTime is the time that running requests have once the server stops.
const drainTime = 2 * time.Second

// proxyCommand is `parley proxy`.
func proxyCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "proxy",
		Short: "Serve the Anthropic Messages API on this machine, for any Anthropic client",
		Long: `Serve the Anthropic Messages API on a loopback address, on top of your Copilot plan.

Once it listens it prints two lines, ANTHROPIC_BASE_URL=... and ANTHROPIC_AUTH_TOKEN=..., to stdout, then logs to stderr
and runs until it is interrupted.`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := command.UntilSignal(cmd.Context())
			defer stop()
			client, err := a.signIn().Client(ctx)
			if err != nil {
				return err
			}
			if _, err := client.User(ctx); err != nil && command.CodeOf(err) == command.ExitSignedOut {
				return err // a refused login is known now; a service that is down may be back before the first request
			}
			srv, err := serveProxy(a, client)
			if err != nil {
				return err
			}
			defer func() {
				end, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
				defer cancel()
				if err := srv.Close(end); err != nil {
					a.log.Warn("proxy did not close in time", "error", err)
				}
			}()
			bearer, err := srv.Open("cli")
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "ANTHROPIC_BASE_URL=%s\nANTHROPIC_AUTH_TOKEN=%s\n", srv.URL(), bearer)
			<-ctx.Done()
			return context.Cause(ctx)
		},
	}
	cmd.Flags().String("addr", "", "`ADDRESS` loopback address to listen at, such as 127.0.0.1:8080; port 0 picks a free port")
	return cmd
}

// serveProxy starts the proxy for programs other than this one.
func serveProxy(a *app, client *copilot.Client) (*proxy.Server, error) {
	o := proxyOptions(a, client)
	if _, err := repair.New(o.Repair); err != nil {
		return nil, command.Usagef("proxy.repair_off: %w", err)
	}
	o.Addr = a.cfg.Proxy.Addr
	for _, name := range a.cfg.Proxy.BearerFiles {
		o.Bearers = append(o.Bearers, proxy.Bearer{Name: filepath.Base(name), File: name})
	}
	switch name := a.cfg.Proxy.AccessLog; name {
	case "":
	case "-":
		o.AccessLog = a.err
	default:
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, command.Usagef("open access log: %w", err)
		}
		a.closing.add(func() { f.Close() })
		o.AccessLog = f
	}
	return proxy.Start(o)
}
