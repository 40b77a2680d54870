package rules

import (
	"context"

	"parley/session/rules"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command is the command /permissions on the screen. The event loop owns it; files are read and changed in the background.
type Command struct {
	// Store are the permission rules on disk, nil for none.
	Store *rules.Store
	Look  *style.Look
	// Chat returns what rules are listed for.
	Chat func() Chat
}

// Run opens the list, or carries out what is written behind the command.
func (c *Command) Run(args string) panel.Effect {
	switch {
	case c.Store == nil:
		return panel.Notice{Text: "There are no permission rules here"}
	case args == "":
		l := &ruleList{Command: *c, loading: true}
		return panel.Push{Panel: list.Open(c.Look, l, ""), Start: l.read(), Of: "rules"}
	}
	store, chat, now := c.Store, c.Chat(), c.Look.Now()
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		written := "/permissions " + args
		lines, err := Run(ctx, store, chat, args, now)
		if err != nil { // the mistake is back in the field
			return panel.All{panel.Notice{Text: err.Error(), Warn: true}, panel.Write{Text: written}}
		}
		return panel.Report{Title: written, Lines: lines}
	}}
}
