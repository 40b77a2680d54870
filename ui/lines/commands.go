package lines

import (
	"context"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/features"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/queue"
	"parley/ui/rules"
	"parley/ui/sidequestion"
	"parley/ui/style"
)

// plainCommand is a command that only the chat in lines has, or has in another form.
type plainCommand struct {
	name, args, help string
	run              func(p *console, args string)
}

// plainCommands are the commands. init sets them because help lists them.
var plainCommands []plainCommand

func init() {
	plainCommands = []plainCommand{
		{"help", "", "list the commands", (*console).help},
		{"stop", "[number]", "stop the turn or the shell command; same as ctrl+c. With a number, what /background lists", (*console).stopAll},
		{"background", "[number, send or tell]", "list what runs in the background, print its output, write to a subagent", func(p *console, args string) { p.background.Run(args) }},
		{"answer", "[words]", "answer the open question in your own words", func(p *console, _ string) { p.talk.print("note", "No question is open") }},
		{"status", "", "show what is running and queued, and what this session works with", (*console).status},
		{"queue", "[number, send or drop]", "list the prompts that wait, take one out, send them or drop them", (*console).queue},
		{"output", "[number]", "print the output of the last tool call; 2 is the one before it", func(p *console, args string) { p.talk.a.Output(args) }},
		{"btw", "question", "ask beside the conversation, also while the agent works", func(p *console, args string) { sidequestion.InLines(p.talk.face(), args) }},
		{"delegate", "[words, go or drop]", "hand this work over to GitHub's cloud agent", func(p *console, args string) { p.delegate.Run(args) }},
		{"post", "", "post the comment that was shown", func(p *console, _ string) { p.delegate.PostHeld() }},
		{"browse", "", "print the address of the pull request of this session", func(p *console, _ string) { p.delegate.Browse() }},
		{"permissions", "[explain, allow, ask, deny, edit, remove or move]", "list, explain and change what runs without asking", func(p *console, args string) { rules.InLines(p.talk.face(), args) }},
		{"changes", "[diff, accept, undo or redo]", "review, accept and undo what agents did to files", func(p *console, args string) { p.changes.Run(args) }},
		{"trust", "[yes or no]", "review this project's hooks and settings", func(p *console, args string) { p.trust.Decide(args) }},
		{"drop", "", "remove the attachments of the next prompt", func(p *console, _ string) { p.prompts.drop() }},
		{"again", "", "print the last answer again", func(p *console, _ string) { p.talk.a.Recap() }},
	}
}

// whileAsked are the commands that work while an ask is open.
var whileAsked = []string{"help", "stop", "status", "output", "background", "quit"}

// command runs a command and reports whether the user leaves.
func (p *console) command(name, args string) (leaves bool) {
	for _, c := range plainCommands {
		if c.name == name {
			c.run(p, args)
			return false
		}
	}
	if p.shared.run(name, args) {
		return p.shared.leaves
	}
	if to, is := features.Sibling(name, args, p.hasAgentCommand(name)).(panel.Command); is {
		return p.command(to.Name, to.Args)
	}
	if p.agentCommand(name, args) {
		return false
	}
	p.shared.do(features.Unknown(name))
	return false
}

// hasAgentCommand reports whether the agent has a command of a name, as far as is known.
func (p *console) hasAgentCommand(name string) bool {
	m := p.talk.session.Meta()
	return slices.ContainsFunc(p.talk.opts.Manager.Commands(m.Agent, m.Dir), func(c session.SlashCommand) bool { return c.Name == name })
}

// agentCommand sends a command of the agent, and reports whether it may be one. It waits for the agent to list its
// commands.
func (p *console) agentCommand(name, args string) bool {
	if p.hasAgentCommand(name) {
		p.prompts.post(strings.TrimSpace("/" + name + " " + args))
		return true
	}
	agent, dir := p.talk.session.Meta().Agent, p.talk.session.Meta().Dir
	wait := p.talk.opts.Manager.AwaitCommands(agent, dir)
	if wait == nil {
		return false
	}
	p.talk.print("note", "Starting the agent to look up its commands")
	if w, ok := any(p.talk.session).(interface{ Warm() }); ok {
		w.Warm()
	}
	ctx := p.talk.ctx
	p.talk.background(func() func() {
		ctx, cancel := context.WithTimeout(ctx, core.CommandsTimeout)
		defer cancel()
		err := wait(ctx)
		return func() {
			if err != nil {
				p.talk.problem(err)
				return
			}
			p.command(name, args)
		}
	})
	return true
}

func (p *console) help(string) {
	var own []string
	for _, c := range plainCommands {
		own = append(own, c.name)
		p.talk.out(strings.TrimSpace("/"+c.name+" "+c.args) + ": " + c.help)
	}
	for _, c := range features.All {
		if !c.Screen && !slices.Contains(own, c.Name) {
			p.talk.out(c.Usage() + ": " + c.Help)
		}
	}
	m := p.talk.session.Meta()
	for _, c := range p.talk.opts.Manager.Commands(m.Agent, m.Dir) {
		if _, known := features.Find(c.Name); !known && !slices.Contains(own, c.Name) {
			p.talk.out(style.VisibleLine(strings.TrimSpace("/"+c.Name+" "+c.Arguments) + ": " + c.About + " (of the agent)"))
		}
	}
	p.talk.out("A command that lists something takes the number of a row, its name, or words to find it by.")
	p.talk.out("Each line is a prompt. End it with a backslash to continue in the next line. Prompts queue while a turn runs.")
	p.talk.out("@PATH attaches a file, @PATH:10-20 some of its lines. The path of an image attaches the image.")
	p.talk.out("!COMMAND runs in your shell. !! sends an exclamation mark, // a slash.")
	p.talk.out(strings.Join(keymap.LeavingWords, ", ") + " on a line alone leave too.")
}

// status prints what runs and waits, and then what the screen lists too.
func (p *console) status(string) {
	if t := p.talk.a.Running(); t != nil {
		p.talk.a.Still(t, p.talk.opts.Now())
	} else {
		p.talk.print("note", "Nothing is running")
	}
	if n := len(p.talk.a.Transcript.Queue); n > 0 {
		p.talk.print("note", human.Count(n, "prompt queued", "prompts queued"))
	}
	if n := len(p.talk.a.Transcript.Background()); n > 0 {
		p.talk.print("note", human.Number(n)+" in the background: /background lists them")
	}
	p.shared.run("status", "")
}

func (p *console) queue(what string) {
	if !queue.InLines(p.talk.face(), what) {
		p.shared.run("queue", what)
	}
}

func (p *console) stopAll(number string) {
	if number != "" {
		p.background.Stop(number)
		return
	}
	if !p.prompts.stop() {
		p.talk.print("note", "Nothing is running")
	}
}
