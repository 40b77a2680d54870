package rules

import (
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/ui/core"
	"parley/ui/style"
)

// InLines lists, explains and changes the permission rules in the chat in lines, in the background.
func InLines(t *core.Lines, args string) {
	store := t.Options.Rules
	if store == nil {
		t.Print("note", "there are no permission rules here")
		return
	}
	if strings.TrimSpace(args) == "help" {
		for _, way := range Usage {
			t.Out(way[0] + ": " + way[1])
		}
		return
	}
	chat, now := chatOf(t), t.Options.Now()
	t.Background(func() func() {
		lines, err := Run(t.Context, store, chat, args, now)
		return func() {
			if err != nil {
				t.Print("warning", style.OneLine(err.Error()))
			}
			for _, line := range lines {
				t.Print("rules", line)
			}
		}
	})
}

// chatOf returns what rules are listed for.
func chatOf(t *core.Lines) Chat {
	now := t.Current()
	return Chat{Dir: now.Meta.Dir, Dirs: now.Meta.Dirs, Mode: now.Settings.Mode, Grants: permission.Grants(now.Transcript), Revoke: now.Session.RevokeRule,
		Environ: t.Options.Env, Home: t.Options.Getenv("HOME")}
}

// CoversInLines reports whether a rule of the user's covers a call. It reads the disk.
func CoversInLines(t *core.Lines, r permission.Rule, call *session.PermissionAsk) bool {
	return t.Options.Rules == nil || Covers(t.Context, t.Options.Rules, chatOf(t), r, call)
}
