package printed

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/question"
	"parley/ui/style"
)

// Trust is the question of what the session's directory may load, in lines.
type Trust struct {
	talk *core.Lines

	directory question.Directory // its items are undecided
	truster   session.RepositoryTruster
	listed    bool // the items were printed
}

// NewTrust returns the question for no directory.
func NewTrust(talk *core.Lines) *Trust { return &Trust{talk: talk} }

// Look finds what the session's directory would load, and prints a note if there is something to decide.
func (d *Trust) Look() {
	t := d.talk
	agent, dir := t.Current().Agent, t.Current().Dir
	if d.directory.Agent == agent && d.directory.Dir == dir {
		return
	}
	*d = Trust{talk: t, directory: question.Directory{Agent: agent, Dir: dir}, truster: t.Options.Manager.Truster(agent)}
	truster := d.truster
	if truster == nil {
		return
	}
	t.Background(func() func() {
		items, err := truster.Untrusted(t.Context, dir)
		return func() {
			if d.directory.Agent != agent || d.directory.Dir != dir {
				return
			}
			switch d.directory.Items = items; {
			case err != nil:
				t.Print("warning", "Couldn't read this project's hooks and settings; nothing was loaded: "+style.OneLine(err.Error()))
			case len(items) > 0:
				t.Print("note", "This project has "+human.Count(len(items), "item", "items")+" to review, such as settings or hooks. Nothing is loaded yet. "+
					"List them with /trust")
			}
		}
	})
}

// Decide lists the items, or stores the user's decision once they were listed.
func (d *Trust) Decide(args string) {
	t, list := d.talk, &d.directory
	yes := strings.EqualFold(args, "yes")
	switch {
	case len(list.Items) == 0:
		t.Print("note", "nothing to review in this directory")
	case !yes && !strings.EqualFold(args, "no") || !d.listed:
		d.listed = true
		t.Print("items", strings.Join(list.Rows(t.Look.Home), "\n"))
		t.Print("answer", "/trust yes loads all of them, /trust no never asks about them again. Until then nothing is loaded")
	default:
		truster, dir, items := d.truster, list.Dir, list.Items
		list.Items = nil
		t.Background(func() func() {
			err := core.DecideTrust(t.Context, truster, dir, items, yes)
			return func() {
				who := "note"
				if err != nil {
					who = "warning"
				}
				t.Print(who, question.TrustOutcome(err, yes, t.Current().Session.Draft()))
			}
		})
	}
}
