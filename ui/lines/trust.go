package lines

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/question"
	"parley/ui/style"
)

// trust is the question of what the session's directory may load, in lines.
type trust struct {
	talk *talk

	directory question.Directory // its items are undecided
	truster   session.RepositoryTruster
	listed    bool // the items were printed
}

// look finds what the session's directory would load, and prints a note if there is something to decide.
func (d *trust) look() {
	t := d.talk
	agent, dir := t.agent(), t.a.dir
	if d.directory.Agent == agent && d.directory.Dir == dir {
		return
	}
	*d = trust{talk: t, directory: question.Directory{Agent: agent, Dir: dir}, truster: t.opts.Manager.Truster(agent)}
	truster := d.truster
	if truster == nil {
		return
	}
	t.background(func() func() {
		items, err := truster.Untrusted(t.ctx, dir)
		return func() {
			if d.directory.Agent != agent || d.directory.Dir != dir {
				return
			}
			switch d.directory.Items = items; {
			case err != nil:
				t.print("warning", "Couldn't read this project's hooks and settings; nothing was loaded: "+style.OneLine(err.Error()))
			case len(items) > 0:
				t.print("note", "This project has "+human.Count(len(items), "item", "items")+" to review, such as settings or hooks. Nothing is loaded yet. "+
					"List them with /trust")
			}
		}
	})
}

// decide lists the items, or stores the user's decision once they were listed.
func (d *trust) decide(args string) {
	t, list := d.talk, &d.directory
	yes := strings.EqualFold(args, "yes")
	switch {
	case len(list.Items) == 0:
		t.print("note", "nothing to review in this directory")
	case !yes && !strings.EqualFold(args, "no") || !d.listed:
		d.listed = true
		t.print("items", strings.Join(list.Rows(t.look.Home), "\n"))
		t.print("answer", "/trust yes loads all of them, /trust no never asks about them again. Until then nothing is loaded")
	default:
		truster, dir, items := d.truster, list.Dir, list.Items
		list.Items = nil
		t.background(func() func() {
			err := core.DecideTrust(t.ctx, truster, dir, items, yes)
			return func() {
				who := "note"
				if err != nil {
					who = "warning"
				}
				t.print(who, question.TrustOutcome(err, yes, t.session.Draft()))
			}
		})
	}
}
