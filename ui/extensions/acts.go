package extensions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// The keys of what can be done with a row.
const (
	keyHere    = "alt+s"
	keyUser    = "alt+y"
	keyProject = "alt+p"
	keyUpdate  = "alt+u"
	keyRemove  = "alt+r"
)

// offers are what can be done with a row besides using it and opening its file.
var offers = []list.Offer{{Name: "on or off in this session", Letter: "s", Key: keyHere}, {Name: "on or off for you", Letter: "y", Key: keyUser}, {Name: "in this project", Letter: "p", Key: keyProject},
	{Name: "update the plugin", Letter: "u", Key: keyUpdate}, {Name: "remove it", Letter: "r", Key: keyRemove}}

// act does what was chosen with a row. What runs something or loses something is done with the second press.
func (l *listing) act(a list.Acted) panel.Effect {
	i := l.item(a.Row.ID)
	if i == nil {
		return nil
	}
	again := a.Key + " " + a.Row.ID
	asked := l.sure == again
	l.sure = ""
	ask := func(text string) panel.Effect {
		l.sure = again
		return panel.Notice{Text: style.VisibleLine(text), Warn: true}
	}
	on := !i.On && i.Over == ""
	switch {
	case i.Fixed():
		return panel.Notice{Text: "Your administrator decides about that: " + style.VisibleLine(i.From)}
	case a.Key == keyUpdate || a.Key == keyRemove:
		switch {
		case i.Kind != inventory.Plugin:
			return panel.Notice{Text: "That is for plugins. ctrl+x opens the file"}
		case a.Key == keyRemove && !asked:
			return ask("This removes " + i.Name + " and what it keeps. Press the same again to do it")
		case a.Key == keyRemove:
			return l.work(func(ctx context.Context) (string, error) {
				return i.Name + " is removed", l.Keeper.Remove(ctx, *i)
			})
		}
		return l.work(func(ctx context.Context) (string, error) {
			changed, err := l.Keeper.Update(ctx, *i)
			return i.Name + map[bool]string{true: " is updated; it is off if it runs something", false: " is up to date"}[changed], err
		})
	case a.Key == keyHere:
		return l.switchHere(*i)
	case i.Why == inventory.OffHere:
		return panel.Notice{Text: style.VisibleLine(i.Name + " is off in this session only: tab s switches it on"), Warn: true}
	case i.Why == inventory.NotAgreed:
		return panel.Notice{Text: "Agree to what this project brings first: /trust", Warn: true}
	case !i.On && i.Over != "":
		return panel.Notice{Text: style.VisibleLine(i.Name + " is " + i.Why), Warn: true}
	case on && i.Kind == inventory.Plugin && i.Runs != "" && !asked:
		return ask("It runs what the preview lists, in every directory. Press the same again to switch it on")
	}
	scope := map[string]inventory.Scope{keyUser: inventory.User, keyProject: inventory.Project}[a.Key]
	where := map[string]string{keyUser: "", keyProject: " in this project"}[a.Key]
	return l.work(func(ctx context.Context) (string, error) {
		file, err := l.Keeper.Switch(ctx, l.Dir, *i, scope, on)
		return fmt.Sprintf("%s is %s%s starting with the next prompt, by %s", i.Name, map[bool]string{true: "on", false: "off"}[on], where, style.ShortPath(file, l.Look.Home)), err
	})
}

// switchHere switches an item for this session only. An MCP server of a runtime is switched in the runtime.
func (l *listing) switchHere(i inventory.Item) panel.Effect {
	kinds := []inventory.Kind{inventory.Plugin, inventory.Skill, inventory.Command, inventory.Server}
	switch {
	case !slices.Contains(kinds, i.Kind):
		return panel.Notice{Text: "Plugins, skills, commands and MCP servers can be off in one session"}
	case i.Kind == inventory.Server && !l.reads().All && l.server(i) != nil:
		return l.toggle(*l.server(i))
	case i.Kind == inventory.Server && !l.reads().All:
		return panel.Notice{Text: beforePrompt}
	case !i.On && i.Why != inventory.OffHere:
		return panel.Notice{Text: style.VisibleLine(i.Name + " is off for all sessions: " + i.Why), Warn: true}
	case l.Session == "":
		return panel.Notice{Text: "There is no session yet"}
	}
	return l.work(func(context.Context) (string, error) {
		return i.Name + map[bool]string{true: " is on again in this session", false: " is off in this session"}[!i.On] + ", starting with the next prompt", l.Keeper.SwitchIn(l.Session, l.Agent, i, !i.On)
	})
}

// work does something in the background, reports it, and reads the list again.
func (l *listing) work(do func(ctx context.Context) (string, error)) panel.Effect {
	c := l.Command
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		return panel.All{c.outcome(do(ctx)), panel.Tell{Msg: foundMsg{c.read(ctx, false)}}}
	}}
}

// outcome reports what came of something.
func (c Command) outcome(text string, err error) panel.Effect {
	if problem, is := errors.AsType[*session.Error](err); is && problem.Kind == session.KindUnsupported {
		return panel.Notice{Text: style.VisibleLine(problem.Err.Error()), Warn: true}
	}
	if err != nil {
		return panel.Notice{Text: style.VisibleLine(session.ProblemOf(err, c.Look.Now()).What), Warn: true}
	}
	return panel.Notice{Text: style.VisibleLine(text)}
}

// install installs a plugin, switched off.
func (c Command) install(source string) panel.Effect {
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		name, err := c.Keeper.Install(ctx, source)
		return c.outcome(name+" is installed and off. /extensions "+name+" shows what it would run", err)
	}}
}
