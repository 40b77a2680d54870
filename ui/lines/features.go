package lines

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/agents"
	"parley/ui/core"
	"parley/ui/features"
	"parley/ui/list"
	"parley/ui/models"
	"parley/ui/panel"
	"parley/ui/rewind"
	"parley/ui/style"
	"parley/ui/tabs"
)

// shared runs the commands that the screen has too, prints their lists, and carries out what follows from a choice.
type shared struct {
	talk *talk
	show func(*live.Session)
	post func(text string) // sends a prompt

	rewind  *rewind.Command
	tabs    *tabs.Set
	stack   *panel.Stack
	name    string                   // of the command that runs
	args    string                   // behind it
	printed map[string]*list.Printed // by command
	asked   map[panel.Panel]*ask     // the lists that are read
	leaves  bool

	models []session.Model
	loaded bool                // the models are
	agents []session.AgentInfo // nil until they were looked for
}

// ask is the command that opened a list.
type ask struct {
	name, args string
	number     int // of the row to choose, 0 for none
}

// newShared returns the shared commands. show switches to a session.
func newShared(t *talk, show func(*live.Session)) *shared {
	f := &shared{talk: t, show: show, tabs: tabs.InLines(t.face()), rewind: rewind.New(t.look, t.opts.Manager, t.opts.Changes), printed: map[string]*list.Printed{}, asked: map[panel.Panel]*ask{}}
	f.stack = panel.NewStack(t.ctx, f, bottom{})
	return f
}

// bottom is the chat below the lists: it is not drawn, and gets no keys.
type bottom struct{}

func (bottom) Update(tea.Msg) (panel.Effect, panel.Cmd) { return panel.Pass{}, nil }
func (bottom) Draw(int, int) panel.Frame                { return panel.Frame{Y: -1} }
func (bottom) Close() panel.Effect                      { return nil }

// run runs a command, and reports whether there is one of that name. Behind it stand a name, words to find one by, or the number
// that was printed.
func (f *shared) run(name, args string) bool {
	command, known := features.Find(name)
	if !known {
		return false
	}
	if command.Screen {
		f.talk.print("note", "/"+name+" needs the screen")
		return true
	}
	if (name == "model" || name == "effort" || name == "agents" && args != "") && !f.loaded && f.talk.opts.Catalog != nil {
		f.load(func() { f.run(name, args) })
		return true
	}
	if name == "agent" && f.agents == nil { // looking for them may read the disk
		f.findAgents(func() { f.run(name, args) })
		return true
	}
	n, err := strconv.Atoi(args)
	if p := f.printed[name]; err == nil && p != nil {
		f.do(p.Choose(n))
		return true
	}
	f.name, f.args = name, args
	if err == nil { // it was not printed: the list comes first
		args = ""
	}
	f.do(command.Run(f.state(), args))
	return true
}

// load reads the models that the login can use, once.
func (f *shared) load(then func()) {
	t := f.talk
	t.background(func() func() {
		all, err := t.opts.Catalog.Models(t.ctx)
		return func() {
			if err != nil {
				t.problem(err)
				return
			}
			f.models, f.loaded = all, true
			then()
		}
	})
}

// findAgents looks once for the agents that a new session can have.
func (f *shared) findAgents(then func()) {
	mgr := f.talk.opts.Manager
	f.talk.background(func() func() {
		all := mgr.Agents()
		return func() {
			f.agents = append([]session.AgentInfo{}, all...)
			then()
		}
	})
}

// refreshTimeout bounds how long services are asked for their sessions.
const refreshTimeout = 3 * time.Second

// hasty is a manager that waits for services only for a while.
type hasty struct{ core.Manager }

// Refresh asks the services.
func (h hasty) Refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	return h.Manager.Refresh(ctx)
}

// state returns what features look at.
func (f *shared) state() *features.State {
	t := f.talk
	cur, mgr := t.current(), t.opts.Manager
	return &features.State{Look: t.look, Manager: hasty{mgr}, Agents: f.agents, Rewind: f.rewind, Tabs: f.tabs, Trees: t.opts.Trees,
		Current: cur,
		Models:  models.Known{Look: t.look, Terms: core.TermsOf(t.opts.Catalog), All: f.models, Now: cur.Settings, Lasts: t.opts.Settings != nil, ByTokens: core.ByTokens(t.opts.Quotas(t.a.Transcript, session.Account{}), f.models)},
		Problem: func(m session.Mode) string { return style.VisibleLine(mgr.ModeProblem(cur.Agent, m)) },
		Usage: func() [][2]string {
			return core.UsageLines(t.a.Transcript, t.opts.Quotas(t.a.Transcript, session.Account{}), f.models, t.opts.Now())
		},
		File: t.opts.Settings, Version: t.opts.Version, Setup: t.opts.Setup, Extensions: t.opts.Extensions, Spent: t.opts.Spent,
		Custom: &agents.Command{Look: t.look, Create: t.opts.NewAgent, Leads: func() string { return cur.Settings.Custom }, Find: func() func(context.Context) session.Customs {
			return agents.Finder(mgr, cur.Agent, cur.Dir)
		}}}
}

// do carries out an effect, and prints the list that it opened.
func (f *shared) do(e panel.Effect) {
	f.start(f.stack.Do(panel.Bottom, e))
	f.ready()
}

// start runs a command of a list beside the chat.
func (f *shared) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	f.talk.background(func() func() {
		msg := cmd()
		return func() {
			several, is := msg.(tea.BatchMsg)
			for _, one := range several {
				f.start(one)
			}
			if !is && msg != nil {
				f.start(f.stack.Route(msg))
			}
			f.ready()
		}
	})
}

// ready prints the open lists that are complete, or chooses from them.
func (f *shared) ready() {
	for f.stack.Covered() {
		p, is := f.stack.Top().(*list.Panel)
		if !is {
			f.start(f.stack.Back())
			f.talk.print("note", "/"+f.name+" needs the screen")
			continue
		}
		of := f.asked[p]
		if of == nil {
			of = &ask{name: f.name, args: f.args}
			if n, err := strconv.Atoi(f.args); err == nil {
				of.number, of.args = n, ""
			}
			f.asked[p] = of
			p.Picker.SetFilter(of.args)
		}
		rows, wait, trouble := p.Found()
		if wait != "" {
			return
		}
		delete(f.asked, p)
		f.start(f.stack.Back())
		if trouble != "" {
			f.talk.print("warning", trouble)
			continue
		}
		f.found(of, &list.Printed{Source: p.Source, Rows: rows, Command: of.name})
	}
}

// found prints the rows of a list, or chooses the one that was asked for.
func (f *shared) found(of *ask, p *list.Printed) {
	if e, found := p.Meant(of.args); found {
		f.do(e)
		return
	}
	f.printed[of.name] = p
	if of.number > 0 {
		f.do(p.Choose(of.number))
		return
	}
	for _, line := range p.Lines(of.args) {
		f.talk.print(line.Who, line.Text)
	}
}
