package lines

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/style"
)

// plainCommand is a command of the chat. It reports whether the user leaves.
type plainCommand struct {
	name, args, help string
	run              func(p *console, args string) (leaves bool)
}

// plainCommands are the commands. init sets them because help lists them.
var plainCommands []plainCommand

func init() {
	plainCommands = []plainCommand{
		{"help", "", "list the commands", (*console).help},
		{"stop", "[number]", "stop the turn or the shell command; same as ctrl+c. With a number, what /background lists", (*console).stopAll},
		{"background", "[number, send or tell]", "list what runs in the background, print its output, write to a subagent", func(p *console, args string) bool { p.background.run(args); return false }},
		{"answer", "[words]", "answer the open question in your own words", func(p *console, _ string) bool { p.talk.print("note", "no question is open"); return false }},
		{"status", "", "show the model, the mode, what is running and what is queued", (*console).status},
		{"queue", "[send or drop]", "list the prompts that wait, send them or drop them", (*console).queue},
		{"usage", "", "show what this session cost and what is left of your plan", (*console).usage},
		{"output", "[number]", "print the output of the last tool call; 2 is the one before it", (*console).output},
		{"btw", "question", "ask beside the conversation, also while the agent works", (*console).aside},
		{"delegate", "[words, go or drop]", "hand this work over to GitHub's cloud agent", func(p *console, args string) bool { p.delegation.run(args); return false }},
		{"post", "", "post the comment that was shown", func(p *console, _ string) bool { p.delegation.postHeld(); return false }},
		{"browse", "", "print the address of the pull request of this session", func(p *console, _ string) bool { p.delegation.browse(); return false }},
		{"model", "[name or number]", "list the models, or switch to one", func(p *console, args string) bool { p.settings.model(args); return false }},
		{"effort", "[level]", "show or set the effort of the model", func(p *console, args string) bool { p.settings.effort(args); return false }},
		{"mode", "[name]", "show or set the permission mode: default, acceptEdits, plan, bypassPermissions", func(p *console, args string) bool { p.settings.mode(args); return false }},
		{"agents", "[name or none]", "list the custom agents, or let one hold this session", func(p *console, args string) bool { p.settings.agents(args); return false }},
		{"permissions", "[explain, allow, ask, deny, edit, remove or move]", "list, explain and change what runs without asking", (*console).permissions},
		{"changes", "[diff, accept, undo or redo]", "review, accept and undo what agents did to files", func(p *console, args string) bool { return p.review.run(args) }},
		{"resume", "[words, id or number]", "list the sessions, or resume one", (*console).resume},
		{"fork", "[number]", "list the turns, or continue from one in a copy of the session", (*console).fork},
		{"new", "", "start a new session", (*console).fresh},
		{"clear", "", "same as /new; this chat stays in /resume", (*console).fresh},
		{"rename", "title", "give this session a title", (*console).rename},
		{"trust", "[yes or no]", "review this project's hooks and settings", func(p *console, args string) bool { p.trust.decide(args); return false }},
		{"export", "[file]", "save the conversation as markdown", (*console).export},
		{"drop", "", "remove the attachments of the next prompt", func(p *console, _ string) bool { p.prompts.drop(); return false }},
		{"again", "", "print the last answer again", func(p *console, _ string) bool { p.recap(); return false }},
		{"quit", "", "leave", func(*console, string) bool { return true }},
	}
}

// whileAsked are the commands that work while an ask is open.
var whileAsked = []string{"help", "stop", "status", "output", "background", "quit"}

func (p *console) command(name, args string) (leaves bool) {
	for _, c := range plainCommands {
		if c.name == name {
			return c.run(p, args)
		}
	}
	if p.agentCommand(name, args) {
		return false
	}
	p.talk.print("note", "no command /"+name+": /help lists them, // sends a slash")
	return false
}

// agentCommand sends a command of the agent, and reports whether it may be one. It waits for the agent to list its
// commands.
func (p *console) agentCommand(name, args string) bool {
	agent, dir := p.talk.session.Meta().Agent, p.talk.session.Meta().Dir
	for _, c := range p.talk.opts.Manager.Commands(agent, dir) {
		if c.Name == name {
			p.prompts.post(strings.TrimSpace("/" + name + " " + args))
			return true
		}
	}
	wait := p.talk.opts.Manager.AwaitCommands(agent, dir)
	if wait == nil {
		return false
	}
	p.talk.print("note", "waiting for the agent to start and list its commands")
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

func (p *console) help(string) bool {
	for _, c := range plainCommands {
		p.talk.out(strings.TrimSpace("/"+c.name+" "+c.args) + ": " + c.help)
	}
	p.talk.out("Each line is a prompt. End it with a backslash to continue in the next line. Prompts queue while a turn runs.")
	p.talk.out("@PATH attaches a file, @PATH:10-20 some of its lines. The path of an image attaches the image.")
	p.talk.out("!COMMAND runs in your shell. !! sends an exclamation mark, // a slash.")
	p.talk.out(strings.Join(keymap.LeavingWords, ", ") + " on a line alone leave too.")
	return false
}

func (p *console) status(string) bool {
	s := p.talk.session.Settings()
	parts := []string{"agent " + p.talk.agent()}
	if model := cmp.Or(s.Model, p.talk.session.Meta().Model); model != "" {
		parts = append(parts, "model "+strings.TrimSpace(style.ShortModel(model)+" "+s.Effort))
	}
	parts = append(parts, core.ModeName(s.Mode)+" mode")
	if c := p.talk.a.t.Context; c.Window > 0 {
		parts = append(parts, fmt.Sprintf("context %d%% full", min(100, c.Used*100/c.Window)))
	}
	if left := core.QuotaLeft(p.talk.opts.Quotas(p.talk.a.t, session.Account{})); left != "" {
		parts = append(parts, left)
	}
	if n := len(p.talk.a.t.Queue); n > 0 {
		parts = append(parts, human.Count(n, "prompt queued", "prompts queued"))
	}
	p.talk.print("note", strings.Join(parts, ", "))
	if n := len(p.talk.a.t.Background()); n > 0 {
		p.talk.print("note", human.Number(n)+" in the background: /background lists them")
	}
	if t := p.talk.a.running(); t != nil {
		p.talk.a.still(t, p.talk.opts.Now())
	} else {
		p.talk.print("note", "nothing is running")
	}
	return false
}

// queue lists the prompts that wait, sends those that are held, or drops all.
func (p *console) queue(what string) bool {
	waiting := p.talk.a.t.Queue
	switch {
	case what != "" && what != "send" && what != "drop":
		p.talk.print("error", "/queue takes send or drop")
	case len(waiting) == 0:
		p.talk.print("note", "No prompt waits.")
	case what == "send":
		p.talk.session.Release()
	case what == "drop":
		n := 0
		for _, q := range waiting {
			if _, ok := p.talk.session.Unqueue(q.ID); ok {
				n++
			}
		}
		p.talk.print("note", "dropped "+human.Count(n, "prompt", "prompts"))
	default:
		for i, q := range waiting {
			p.talk.print("note", human.Number(i+1)+". "+style.Visible(style.OneLine(q.Text)))
		}
	}
	return false
}

func (p *console) stopAll(number string) bool {
	if number != "" {
		p.background.stop(number)
		return false
	}
	if !p.prompts.stop() {
		p.talk.print("note", "nothing is running")
	}
	return false
}

func (p *console) fresh(string) bool {
	s, err := p.talk.opts.Manager.Draft(live.DraftOptions{Agent: p.talk.session.Meta().Agent, Dir: p.talk.a.dir, Settings: core.NextSettings(p.talk.session.Settings())})
	if err != nil {
		p.talk.problem(err)
		return false
	}
	p.show(s)
	return false
}

// usage prints what the session cost and what is left of the plan.
func (p *console) usage(string) bool {
	for _, line := range core.UsageLines(p.talk.a.t, p.talk.opts.Quotas(p.talk.a.t, session.Account{}), p.talk.opts.Now()) {
		p.talk.print("note", line[0]+": "+line[1])
	}
	return false
}
