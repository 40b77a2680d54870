package copilot

import (
	"context"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/copilot/driver"
)

// leaveTime bounds the end of the session that listed the commands.
const leaveTime = 5 * time.Second

// learnAhead learns the commands of a directory where no conversation is open yet, once somebody waits for them: the runtime
// lists those of an open session only. It returns when they are known, or when ctx ends.
func (a *Agent) learnAhead(ctx context.Context, client *driver.Client, o session.OpenOptions) {
	for seen := a.Slash.Asked(ctx, o.Dir, 0); seen > 0; seen = a.Slash.Asked(ctx, o.Dir, seen) {
		list, err := a.commandsOf(ctx, client, o)
		if ctx.Err() != nil {
			return
		}
		a.Slash.Learn(o.Dir, slashCommands(list), err) // after a failure the next one who asks gets another answer
	}
}

// commandsOf lists the commands of a directory by a session that is deleted at once. It has no tools, hooks and servers.
func (a *Agent) commandsOf(ctx context.Context, client *driver.Client, o session.OpenOptions) ([]command, error) {
	trust := a.trustOf(ctx, o.Dir, a.o.Trusted(o.Dir))
	trust.FileHooks, trust.Git, trust.SkipInstructions, trust.Servers = false, false, true, nil
	id := session.ID(uuid.NewString())
	p := params{SessionID: string(id), ClientName: clientName, Dir: o.Dir, EnvValueMode: "direct", trustParams: trust}
	if a.o.Token == nil {
		p.Provider = &provider{Type: "anthropic", BaseURL: o.Endpoint.BaseURL, Bearer: o.Endpoint.Bearer}
	}
	if err := client.Call(ctx, "session.create", p, nil); err != nil {
		return nil, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		if err := client.Call(ctx, "session.delete", map[string]any{"sessionId": string(id)}, nil); err != nil {
			a.o.Log.Debug("delete the session that listed the commands", "error", err)
		}
	}()
	return listCommands(ctx, client, id)
}
