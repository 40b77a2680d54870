package lines

import (
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/ui/rules"
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
		for _, way := range rules.Usage {
			t.out(way[0] + ": " + way[1])
		}
		return false
	}
	chat, now := t.permits(), t.opts.Now()
	t.background(func() func() {
		lines, err := rules.Run(t.ctx, store, chat, args, now)
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

// permits returns what rules are listed for.
func (t *talk) permits() rules.Chat {
	meta := t.session.Meta()
	return rules.Chat{Dir: meta.Dir, Dirs: meta.Dirs, Mode: t.session.Settings().Mode, Grants: permission.Grants(t.a.t), Revoke: t.session.RevokeRule,
		Environ: t.opts.Env, Home: t.opts.Getenv("HOME")}
}

// covers reports whether a rule of the user's covers a call.
func (t *talk) covers(r permission.Rule, call *session.PermissionAsk) bool {
	return t.opts.Rules == nil || rules.Covers(t.ctx, t.opts.Rules, t.permits(), r, call)
}
