package claudetest

import (
	"context"

	"parley/session/agenttest"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// Starter starts the script within the test's process, for driver.Options.Start.
func Starter(s Script) pipe.Starter {
	return func(context.Context, proc.Command) (pipe.Process, error) {
		return agenttest.Start(proc.Exit{Code: 143}, func(p *agenttest.Streams) { s(&Conn{Streams: p}) }), nil
	}
}
