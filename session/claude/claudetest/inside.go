package claudetest

import (
	"context"

	"parley/session/agenttest"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// Starter starts the script within the test's process, for driver.Options.Start.
func Starter(s Script) driver.Starter {
	return func(context.Context, proc.Command) (driver.Child, error) {
		return agenttest.Start(proc.Exit{Code: 143}, func(p *agenttest.Streams) { s(&Conn{Streams: p}) }), nil
	}
}
