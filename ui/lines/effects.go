package lines

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/models"
	"parley/ui/panel"
	"parley/ui/style"
)

// CarryOut carries out an effect of a feature, see [panel.Owner].
func (f *shared) CarryOut(from panel.ID, e panel.Effect) tea.Cmd {
	t, v := f.talk, f.talk.session.Settings()
	switch e := e.(type) {
	case panel.Notice:
		t.print(map[bool]string{true: "warning", false: "note"}[e.Warn], style.OneLine(e.Text))
	case panel.Report:
		for _, line := range e.Lines {
			t.print("note", style.OneLine(line))
		}
	case panel.Command:
		f.run(e.Name, e.Args)
	case panel.SetModel:
		f.set(core.WithModel(v, e.ID, f.models), "model "+style.ShortModel(e.ID))
	case panel.TermsAccepted:
		f.models = core.AcceptedModel(f.models, e.ID)
	case panel.UseModel:
		v.Model, v.Effort = e.ID, e.Effort
		f.set(v, "model "+core.ModelWords(e.ID, e.Effort))
		if e.Lasting {
			return f.stack.Do(from, models.SaveDefault(t.opts.Settings, e.ID, e.Effort))
		}
	case panel.SetEffort:
		v.Effort = e.Effort
		f.set(v, core.EffortWords(e.Effort))
	case panel.SetMode:
		if e.Mode == session.ModeBypass && v.Mode != e.Mode && !e.Confirmed {
			t.print("note", core.BypassMeans+" Turn it on with /mode bypassPermissions yes")
			return nil
		}
		v.Mode = e.Mode
		f.set(v, core.ModeName(e.Mode)+" mode")
	case panel.OpenPage:
		return f.stack.Do(from, e.With(nil))
	case panel.SetDefault:
		return f.stack.Do(from, e.In(t.opts.Settings))
	case panel.SetCustom:
		f.set(core.WithCustom(v, e.Agent, f.models), core.CustomWords(e.Agent))
	case panel.SetDirs:
		f.set(core.WithDirs(t.session, e.Add, e.Remove), e.Said)
	case panel.Post:
		f.post(e.Prompt.Prompt.Text)
	case panel.Rename:
		f.rename(e.Title)
	case panel.Export:
		return f.stack.Do(from, e.Of(t.current(), t.look))
	case panel.Tasks:
		t.a.Todos(t.a.Transcript.Todos)
	case panel.EditFile:
		t.print("note", "Edit "+style.ShortPath(style.VisibleLine(e.Path), t.look.Home))
	case panel.Quit:
		f.leaves = true
	case panel.Reclaim:
		if p, ok := t.session.Unqueue(e.ID); ok {
			t.print("note", "Taken out of the queue: "+style.Visible(style.OneLine(p.Text)))
		}
	default:
		f.carryOutOnSessions(e)
	}
	return nil
}

// carryOutOnSessions carries out an effect on which session the chat is in. What needs the screen does nothing.
func (f *shared) carryOutOnSessions(e panel.Effect) {
	t, mgr, ctx := f.talk, f.talk.opts.Manager, f.talk.ctx
	switch e := e.(type) {
	case panel.Resume:
		f.open(func() (*live.Session, error) { return mgr.Resume(ctx, e.ID) })
	case panel.Begin:
		o := core.NextDraft(t.session, e.Agent, e.Dir)
		f.open(func() (*live.Session, error) { return mgr.Draft(o) })
	case panel.Fork:
		t.print("note", "Copying the session")
		id := cmp.Or(e.Session, t.session.ID())
		f.open(func() (*live.Session, error) { return mgr.Fork(ctx, id, e.After) })
	case panel.Reopen:
		f.tabs.ReopenInLines(t.face(), e.Sessions, f.open)
	case panel.Rewound:
		f.open(func() (*live.Session, error) { return e.Session, nil })
		t.print("note", "Your prompt was: "+style.Visible(style.OneLine(e.Prompt.Text)))
	}
}

// Unused is not called: the chat in lines has no keys.
func (f *shared) Unused(tea.KeyPressMsg) tea.Cmd { return nil }

// open gets a session in the background and switches to it.
func (f *shared) open(get func() (*live.Session, error)) {
	f.talk.background(func() func() {
		s, err := get()
		return func() {
			if err != nil {
				f.talk.problem(err)
				return
			}
			f.printed = map[string]*list.Printed{} // they were about the session that is left
			f.show(s)
		}
	})
}

// set changes the settings of the session and prints done.
func (f *shared) set(v session.Settings, done string) {
	if err := f.talk.session.Configure(v); err != nil {
		f.talk.problem(err)
		return
	}
	f.talk.a.Known = v
	f.talk.print("note", done)
}

// rename gives the session a title.
func (f *shared) rename(title string) {
	if err := f.talk.session.Rename(title); err != nil {
		f.talk.problem(err)
		return
	}
	f.talk.print("note", "Renamed to "+style.OneLine(f.talk.session.Meta().Title))
}
