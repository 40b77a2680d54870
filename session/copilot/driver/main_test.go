package driver_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"parley/session/copilot/copilottest"
	"parley/session/copilot/driver"
	"parley/session/proc"
	"parley/session/proc/pipe"
	"parley/session/proc/proctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(proctest.Watch(m)) }

// simulated returns the options for runtimes that play a script, and a channel of the commands that were started.
func simulated(script copilottest.Script) (driver.Options, <-chan proc.Command) {
	commands := make(chan proc.Command, 100)
	return driver.Options{Argv: []string{filepath.Join(string(filepath.Separator)+"opt", "copilot-runtime")}, Version: "1.2.3",
		Environ: []string{"PATH=/bin"}, Home: "/home/u/.copilot",
		Start: func(_ context.Context, c proc.Command) (pipe.Process, error) {
			commands <- c
			return copilottest.Start(script, c), nil
		}}, commands
}

// start starts a runtime that ends with the test.
func start(t *testing.T, o driver.Options) *driver.Client {
	t.Helper()
	c, err := driver.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, c) })
	return c
}

func stop(t *testing.T, c *driver.Client) {
	t.Helper()
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// token returns a source of a token.
func token(value string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		if value == "" {
			return "", errors.New("signed out")
		}
		return value, nil
	}
}

// object is a JSON object.
type object = map[string]any
