package plain

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/keymap"
	"parley/ui/style"
)

// plainCommand is a command of the plain chat. It reports whether the user leaves.
type plainCommand struct {
	name, args, help string
	run              func(p *console, args string) (leaves bool)
}

// plainCommands are the commands of the plain chat. It is filled by init because one of them lists them.
var plainCommands []plainCommand

func init() {
	plainCommands = []plainCommand{
		{"help", "", "these commands", (*console).help},
		{"stop", "", "stop what runs, as ctrl+c does", (*console).stopAll},
		{"answer", "[words]", "answer the open question in your own words", func(p *console, _ string) bool { p.say("note", "no question is open"); return false }},
		{"status", "", "what runs, which model and mode, what waits", (*console).status},
		{"usage", "", "what this session cost and what is left of the plan", (*console).usage},
		{"output", "[number]", "read what the last call gave back; 2 is the one before it", (*console).output},
		{"model", "[name or number]", "list the models, or choose one", (*console).model},
		{"effort", "[level]", "choose how hard it thinks", (*console).effort},
		{"mode", "[name]", "choose what needs permission: default, acceptEdits, plan, bypassPermissions", (*console).mode},
		{"resume", "[words, id or number]", "list the sessions, or go on in one", (*console).resume},
		{"fork", "[number]", "list the turns, or go on in a copy that ends with one", (*console).fork},
		{"new", "", "begin a new session", (*console).fresh},
		{"clear", "", "as /new: what was said stays under /resume", (*console).fresh},
		{"trust", "[yes or no]", "hear what the directory brings along, or decide about it", (*console).decide},
		{"export", "[file]", "write the conversation as markdown", (*console).export},
		{"drop", "", "drop what a command wrote and would go along", (*console).drop},
		{"again", "", "read the last answer again", func(p *console, _ string) bool { p.recap(); return false }},
		{"quit", "", "leave", func(*console, string) bool { return true }},
	}
}

// whileAsked are the commands that are understood while something is asked. Others would be lost between two questions.
var whileAsked = []string{"help", "stop", "status", "output", "quit"}

func (p *console) command(name, args string) (leaves bool) {
	for _, c := range plainCommands {
		if c.name == name {
			return c.run(p, args)
		}
	}
	if p.agentCommand(name, args) {
		return false
	}
	p.say("note", "no command /"+name+": /help lists them, // sends a slash")
	return false
}

// agentCommand sends a command that the agent itself understands, and reports whether it may be one. Before the agent has
// said which it has, that is waited for.
func (p *console) agentCommand(name, args string) bool {
	agent, dir := p.session.Meta().Agent, p.session.Meta().Dir
	for _, c := range p.opts.Manager.Commands(agent, dir) {
		if c.Name == name {
			p.post(strings.TrimSpace("/" + name + " " + args))
			return true
		}
	}
	wait := p.opts.Manager.AwaitCommands(agent, dir)
	if wait == nil {
		return false
	}
	p.say("note", "waiting for the agent to start: it says which commands it has")
	if w, ok := any(p.session).(interface{ Warm() }); ok {
		w.Warm()
	}
	ctx := p.ctx
	p.background(func() func() {
		ctx, cancel := context.WithTimeout(ctx, chat.CommandsTimeout)
		defer cancel()
		err := wait(ctx)
		return func() {
			if err != nil {
				p.problem(err)
				return
			}
			p.command(name, args)
		}
	})
	return true
}

func (p *console) help(string) bool {
	for _, c := range plainCommands {
		p.out(strings.TrimSpace("/"+c.name+" "+c.args) + ": " + c.help)
	}
	p.out("A line is sent as it is; one that ends with a backslash goes on in the next. While something runs, it waits.")
	p.out("@ before a path lets a file go along, with :10-20 behind it those lines; the path of an image lets the image go along.")
	p.out("! before a command runs it in your shell; !! sends an exclamation mark, // a slash.")
	p.out(strings.Join(keymap.LeavingWords, ", ") + " alone leave too.")
	return false
}

func (p *console) status(string) bool {
	s := p.session.Settings()
	parts := []string{"agent " + p.agent()}
	if model := cmp.Or(s.Model, p.session.Meta().Model); model != "" {
		parts = append(parts, "model "+strings.TrimSpace(style.ShortModel(model)+" "+s.Effort))
	}
	parts = append(parts, chat.ModeName(s.Mode)+" mode")
	if c := p.a.t.Context; c.Window > 0 {
		parts = append(parts, fmt.Sprintf("context %d%% full", min(100, c.Used*100/c.Window)))
	}
	if left := chat.QuotaLeft(p.opts.Quotas(p.a.t, session.Account{})); left != "" {
		parts = append(parts, left)
	}
	if n := len(p.a.t.Queue); n > 0 {
		parts = append(parts, style.Count(n, "prompt waits", "prompts wait"))
	}
	p.say("note", strings.Join(parts, ", "))
	if t := p.a.running(); t != nil {
		p.a.still(t, p.opts.Now())
	} else {
		p.say("note", "nothing runs")
	}
	return false
}

func (p *console) stopAll(string) bool {
	if !p.stop() {
		p.say("note", "nothing runs")
	}
	return false
}

func (p *console) configure(s session.Settings, done string) {
	if err := p.session.Configure(s); err != nil {
		p.problem(err)
		return
	}
	p.a.known = s
	p.say("note", done)
}

func (p *console) effort(args string) bool {
	s := p.session.Settings()
	if args == "" {
		p.sayEffort(s)
		return false
	}
	s.Effort = args
	p.configure(s, "effort "+args)
	return false
}

// sayEffort says how hard the model thinks, and which levels it has.
func (p *console) sayEffort(s session.Settings) {
	text := "the effort is the model's own"
	if s.Effort != "" {
		text = "the effort is " + s.Effort
	}
	if p.opts.Catalog == nil {
		p.say("note", text+"; /effort and a level changes it")
		return
	}
	catalog, ctx := p.opts.Catalog, p.ctx
	p.background(func() func() {
		models, _ := catalog.Models(ctx) // without them it is said what is known
		return func() {
			for _, m := range models {
				if m.ID == s.Model || s.Model == "" && m.Default {
					if len(m.Efforts) == 0 {
						p.say("note", style.ShortModel(m.ID)+" has no effort levels")
						return
					}
					text += "; there are " + strings.Join(m.Efforts, ", ")
				}
			}
			p.say("note", text)
		}
	})
}

func (p *console) mode(args string) bool {
	s := p.session.Settings()
	args, sure := strings.CutSuffix(args, " yes")
	for _, m := range session.Modes {
		if !strings.EqualFold(string(m), args) && !strings.EqualFold(chat.ModeName(m), args) {
			continue
		}
		if why := p.opts.Manager.ModeProblem(p.session.Meta().Agent, m); why != "" {
			p.say("note", why)
			return false
		}
		if m == session.ModeBypass && s.Mode != m && !sure {
			p.say("note", chat.BypassMeans+" /mode bypassPermissions yes turns it on")
			return false
		}
		s.Mode = m
		p.configure(s, chat.ModeName(m)+" mode")
		return false
	}
	p.say("note", "the mode is "+chat.ModeName(s.Mode)+"; there are default, acceptEdits, plan and bypassPermissions")
	return false
}

// model lists the models, or chooses one.
func (p *console) model(args string) bool {
	if p.opts.Catalog == nil {
		p.say("note", "the models cannot be listed")
		return false
	}
	catalog, ctx := p.opts.Catalog, p.ctx
	p.background(func() func() {
		models, err := catalog.Models(ctx)
		return func() { p.gotModels(models, err, args) }
	})
	return false
}

func (p *console) gotModels(models []session.Model, err error, args string) {
	if err != nil {
		p.problem(err)
		return
	}
	s, n := p.session.Settings(), 0
	for _, m := range models {
		if m.Unusable == "" {
			n++
		}
		switch {
		case args == "" && m.Unusable == "":
			text := m.ID
			if m.ID == s.Model || s.Model == "" && m.Default {
				text += ", in use"
			}
			p.say(fmt.Sprintf("model %d", n), text)
		case args != "" && (strings.EqualFold(m.ID, args) || strings.EqualFold(style.ShortModel(m.ID), args) || m.Unusable == "" && strconv.Itoa(n) == args):
			s.Model = m.ID
			p.configure(s, "model "+style.ShortModel(m.ID))
			return
		}
	}
	if args != "" {
		p.say("note", "there is no model "+args+"; /model lists them")
		return
	}
	p.say("note", "/model and a name or a number chooses one")
}

func (p *console) fresh(string) bool {
	s, err := p.opts.Manager.Draft(live.DraftOptions{Agent: p.session.Meta().Agent, Dir: p.a.dir, Settings: chat.NextSettings(p.session.Settings())})
	if err != nil {
		p.problem(err)
		return false
	}
	p.attach(s)
	p.greet()
	return false
}

// usage prints what the session cost and what is left of the plan.
func (p *console) usage(string) bool {
	for _, line := range chat.UsageLines(p.a.t, p.opts.Quotas(p.a.t, session.Account{}), p.opts.Now()) {
		p.say("note", line[0]+": "+line[1])
	}
	return false
}
