package chat

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/features"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// field carries out what came of a call of the field.
func (c *controls) field(a input.Action, cmd tea.Cmd) tea.Cmd {
	if a == nil {
		return cmd
	}
	return tea.Batch(cmd, c.fieldAction(a))
}

// fieldAction carries out what the field asks for.
func (c *controls) fieldAction(a input.Action) tea.Cmd {
	switch a := a.(type) {
	case input.Began:
		c.current.warm()
	case input.Pressed:
		if cmd, done := c.act(a.Bound); done {
			return cmd
		}
		return c.field(c.input.Type(a.Key))
	case input.TakeBack:
		if p, ok := c.current.unqueue(); ok {
			return c.prompts.reclaim(p)
		}
		return c.field(c.input.Type(a.Key))
	case input.Submitted:
		return c.submit(prepared(a.Prompt, a.Steer))
	case input.SubmittedNothing:
		if _, elsewhere := c.current.elsewhere(); elsewhere {
			return c.sessions.goOn(nil)
		}
		if len(c.current.held()) > 0 {
			c.current.session.Release()
			return nil
		}
		return c.prompts.retry()
	case input.Command:
		return c.slash(a)
	case input.Shell:
		return c.shell.Run(a.Line)
	case input.Leave:
		c.do(c.leave())
		return c.input.SetValue("")
	case input.Read:
		return c.vimReads(a.What)
	case input.Say:
		c.notices.Add(a.Text, a.Warn)
	case input.ImageAdded:
		if mod := c.choices.model(c.current.settings().Model); mod != nil && !mod.Vision {
			c.notices.Warn(style.ShortModel(mod.ID) + " cannot see images; /model lists others")
		}
	}
	return nil
}

// enter sends what is written, into the running turn or behind it.
func (c *controls) enter(steer bool) tea.Cmd { return c.field(c.input.Submit(steer), nil) }

// submit sends a prompt. One for a service is shown first as what it becomes there; one for a session that is open in another window
// goes into a copy.
func (c *controls) submit(p core.Prepared) tea.Cmd {
	if _, elsewhere := c.current.elsewhere(); elsewhere {
		p = c.prompts.hold(p)
		return c.sessions.goOn(&p)
	}
	if c.commands.delegate.Remote() == nil || strings.TrimSpace(p.Prompt.Text) == "" {
		return c.prompts.submit(p)
	}
	c.do(c.commands.delegate.Submit(c.prompts.hold(p)))
	return nil
}

// slash runs a slash command, or sends it to an agent that understands it.
func (c *controls) slash(a input.Command) tea.Cmd {
	if f, ours := features.Find(a.Name); ours {
		cmd := c.input.SetValue("")
		c.do(f.Run(c.commands.state(), a.Args))
		return cmd
	}
	theirs := c.current.isAgentCommand(a.Name)
	if sibling := features.Sibling(a.Name, a.Args, theirs); sibling != nil {
		cmd := c.input.SetValue("")
		c.do(sibling)
		return cmd
	}
	if theirs {
		var cmd tea.Cmd
		if c.input.Value() != a.Text { // it was chosen from the list
			cmd = c.input.SetValue(a.Text)
		}
		return tea.Batch(cmd, c.agentCommand(prepared(c.input.Take(strings.TrimSpace(a.Text)), false)))
	}
	if wait := c.current.commandsToCome(); wait != nil {
		return c.prompts.awaitCommands(a.Text, wait)
	}
	c.do(features.Unknown(a.Name))
	if _, known := keymap.FindAlias(a.Name); known {
		return c.input.SetValue("") // a typing error stays to be mended
	}
	return nil
}

// agentCommand sends a command of the agent.
func (c *controls) agentCommand(p core.Prepared) tea.Cmd {
	if _, elsewhere := c.current.elsewhere(); elsewhere {
		return c.submit(p)
	}
	return c.prompts.post(p)
}

// act does what a key is bound to, and reports whether there was something to do.
func (c *controls) act(b keymap.Bound) (cmd tea.Cmd, done bool) {
	switch b.Act {
	case keymap.Send, keymap.Steer: // chosen in a list
		return c.enter((b.Act == keymap.Send) == c.opts.EnterSteers), true
	case keymap.Interrupt:
		return c.escape(), true
	case keymap.Stop:
		return c.ctrlC(), true
	case keymap.Leave:
		c.do(c.leave())
	case keymap.Editor:
		c.edit(c.input.Value(), nil)
	case keymap.Mode:
		c.choices.nextMode()
	case keymap.Redraw, keymap.Suspend:
		c.do(panel.Key{Bound: b})
	case keymap.Search:
		return c.input.OpenSearch(), true
	case keymap.Fork:
		c.do(c.commands.state().Fork(c.conv.Session().TopTurn()))
	case keymap.Image:
		return c.field(c.input.PasteImage()), true
	case keymap.Background:
		c.do(c.commands.state().ToBackground())
	case keymap.Tab:
		c.commands.run("tabs", b.Command)
	case keymap.RunCommand:
		c.commands.runKey(b.Command)
	default:
		return nil, c.reader.scrollAct(b.Act)
	}
	return nil, true
}

// vimReads does what a key of vim's normal mode means in the conversation.
func (c *controls) vimReads(what input.Reading) tea.Cmd {
	switch what {
	case input.ReadFind:
		return c.reader.find()
	case input.ReadNextMatch:
		return c.reader.findAgain(-1)
	case input.ReadPreviousMatch:
		return c.reader.findAgain(1)
	case input.ReadHelp:
		c.commands.run("help", "")
	case input.ReadPalette:
		c.commands.run("palette", "")
	case input.ReadHalfPageUp:
		c.conv.ScrollHalf(-1)
	case input.ReadHalfPageDown:
		c.conv.ScrollHalf(1)
	case input.ReadEnd:
		c.conv.Bottom()
	}
	return nil
}
