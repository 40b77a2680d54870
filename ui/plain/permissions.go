package plain

import (
	"strings"

	"parley/session/permission"
	"parley/ui/permissions"
	"parley/ui/style"
)

// permissions lists, explains and changes the permission rules, in the background.
func (p *console) permissions(args string) bool {
	t := p.talk
	store := t.opts.Rules
	if store == nil {
		t.print("note", "there are no permission rules here")
		return false
	}
	if strings.TrimSpace(args) == "help" {
		for _, way := range permissions.Usage {
			t.out(way[0] + ": " + way[1])
		}
		return false
	}
	meta, now := t.session.Meta(), t.opts.Now()
	chat := permissions.Chat{Dir: meta.Dir, Dirs: meta.Dirs, Mode: t.session.Settings().Mode, Grants: permission.Grants(t.a.t), Revoke: t.session.RevokeRule,
		Environ: t.opts.Env, Home: t.opts.Getenv("HOME")}
	t.background(func() func() {
		lines, err := permissions.Run(t.ctx, store, chat, args, now)
		return func() {
			if err != nil {
				t.print("warning", style.OneLine(err.Error()))
			}
			for _, line := range lines {
				t.print("rules", line)
			}
		}
	})
	return false
}
