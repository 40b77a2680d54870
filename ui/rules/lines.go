package rules

import (
	"cmp"
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
func chatOf(t *core.Lines) Chat { return ChatOf(t.Current(), t.Options.Env, t.Options.Getenv("HOME")) }

// ChatOf returns what rules are listed for in a session. environ is the environment of its commands, home the user's directory.
func ChatOf(now core.Current, environ []string, home string) Chat {
	c := Chat{Dir: now.Dir, Dirs: now.Meta.Dirs, Mode: cmp.Or(now.Settings.Mode, session.ModeDefault), Grants: permission.Grants(now.Transcript), Environ: environ, Home: home}
	if now.Session != nil {
		c.Revoke = now.Session.RevokeRule
	}
	return c
}

// CoversInLines reports whether a rule of the user's covers a call. It reads the disk.
func CoversInLines(t *core.Lines, r permission.Rule, call *session.PermissionAsk) bool {
	return t.Options.Rules == nil || Covers(t.Context, t.Options.Rules, chatOf(t), r, call)
}
