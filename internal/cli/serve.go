package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/copilot"
	"parley/copilot/copilottest"
	"parley/proxy"
	"parley/proxy/repair"
)

// drainTime is how long a server that was told to stop lets running requests end.
const drainTime = 2 * time.Second

func (a *app) proxyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "proxy",
		Short: "Serve the Anthropic Messages API on this machine, for any Anthropic client",
		Long: `Serve the Anthropic Messages API on a loopback address, on top of your Copilot plan.

Once it listens it prints two lines, ANTHROPIC_BASE_URL=... and ANTHROPIC_AUTH_TOKEN=..., to stdout, then logs to stderr
and runs until it is interrupted.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			client, err := a.signedIn(ctx)
			if err != nil {
				return err
			}
			if _, err := client.User(ctx); err != nil && codeOf(err) == ExitSignedOut {
				return err // a refused login is known now; a service that is down may be back before the first request
			}
			srv, err := a.serveProxy(client)
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
	addr, _ := config.KeyByName("proxy.addr")
	cmd.Flags().String("addr", "", addr.Doc)
	return cmd
}

// serveProxy starts the proxy for programs other than this one.
func (a *app) serveProxy(client *copilot.Client) (*proxy.Server, error) {
	o := a.proxyOptions(client)
	if _, err := repair.New(o.Repair); err != nil {
		return nil, usagef("proxy.repair_off: %w", err)
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
			return nil, usagef("open access log: %w", err)
		}
		a.closers = append(a.closers, func() { f.Close() })
		o.AccessLog = f
	}
	return proxy.Start(o)
}

func (a *app) simCommand() *cobra.Command {
	var addr, script string
	var strict bool
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Serve a simulated GitHub and Copilot on this machine, for trying parley out and for tests",
		Long: `Serve a simulated GitHub and Copilot on a loopback address. No request leaves the machine.

Once it listens it prints three lines, PARLEY_GITHUB_API_URL=..., PARLEY_COPILOT_API_URL=... and GH_TOKEN=..., to stdout,
then logs each request to stderr and runs until it is interrupted. With these lines in its environment another parley
talks to it.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := copilottest.Options{Addr: addr, Log: a.err, Strict: strict}
			if script != "" {
				s, err := readScript(script)
				if err != nil {
					return usageError{err}
				}
				o.Script = s
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			srv, err := copilottest.Start(o)
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintf(a.out, "PARLEY_GITHUB_API_URL=%s\nPARLEY_COPILOT_API_URL=%s\nGH_TOKEN=%s\n",
				srv.GitHubURL(), srv.CopilotURL(), srv.Token())
			<-ctx.Done()
			if err := srv.Close(); err != nil {
				return err
			}
			return context.Cause(ctx)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "where to listen; loopback addresses only")
	cmd.Flags().StringVar(&script, "script", "", "what the simulated model says; see docs/sim.md")
	cmd.Flags().BoolVar(&strict, "strict", false, "refuse also what only some of Copilot's backends refuse")
	return cmd
}

func readScript(name string) (*copilottest.Script, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return copilottest.ParseScript(f, name)
}

// untilSignal returns a context that ends, with a [signalled] cause, when the program is told to stop.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-signals:
			cancel(signalled{s.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
		<-done
	}
}

// catchBrokenPipe makes writing to a pipe that nobody reads an error like any other, where by default it would kill the
// program before it has cleaned up. The signal is caught rather than ignored, because children inherit ignored signals.
func catchBrokenPipe() (restore func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return func() { signal.Stop(broken) }
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}
