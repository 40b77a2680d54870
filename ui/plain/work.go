package plain

import (
	"context"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/chat"
	"parley/ui/style"
)

// workUsage is what the command /background understands.
const workUsage = "Write /background, /background NUMBER for its output, /background send for what runs in the turn, or /background tell NUMBER WORDS for a subagent"

// jobs returns what can be named by its number: what runs in the background, then what ended there, newest first.
func (p *console) jobs() (all []session.Work, running int) {
	t := p.talk.a.t
	all = append(all, t.Background()...)
	running = len(all)
	past := t.EndedBackground()
	for i := len(past) - 1; i >= 0; i-- {
		all = append(all, past[i])
	}
	return all, running
}

// background lists what runs in the background, prints its output, and passes words on to a child agent.
func (p *console) background(args string) bool {
	all, _ := p.jobs()
	verb, rest, _ := strings.Cut(args, " ")
	n, err := strconv.Atoi(verb)
	switch {
	case args == "" && len(all) == 0:
		p.talk.print("note", "nothing runs in the background")
	case args == "":
		for i, w := range all {
			p.talk.print("background", strconv.Itoa(i+1)+" "+p.jobLine(w))
		}
	case err == nil && n >= 1 && n <= len(all):
		p.jobOutput(all[n-1])
	case verb == "send":
		p.sendBehind()
	case verb == "tell":
		number, words, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if n, err := strconv.Atoi(number); err != nil || n < 1 || n > len(all) || all[n-1].Child == nil || words == "" {
			p.talk.print("note", workUsage)
		} else {
			p.tell(all[n-1].Child, words)
		}
	default:
		p.talk.print("note", workUsage)
	}
	return false
}

// jobLine describes work in one line.
func (p *console) jobLine(w session.Work) string {
	line := chat.WorkLabel(w, p.talk.a.dir)
	if state := chat.WorkState(w); state != "" {
		return line + ", " + state
	}
	if since := w.Since(); !since.IsZero() {
		line += ", for " + human.Seconds(max(0, p.talk.opts.Now().Sub(since)))
	}
	return line
}

// jobOutput prints the end of the output of work.
func (p *console) jobOutput(w session.Work) {
	text := strings.Trim(style.PlainOutput(chat.WorkOutput(w)), "\n")
	p.talk.print("background", p.jobLine(w))
	if text == "" {
		p.talk.print("note", "no output yet")
		return
	}
	last, cut := style.LastLines(text, mostRead)
	if cut {
		p.talk.print("note", "the last "+strconv.Itoa(mostRead)+" lines:")
	}
	p.talk.print("output", last)
}

// stopJob stops one job by its number in the list.
func (p *console) stopJob(number string) bool {
	all, running := p.jobs()
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > running {
		p.talk.print("note", "Write /stop for the turn, or /stop NUMBER for what /background lists as running")
		return false
	}
	w := all[n-1]
	p.ask("", func(ctx context.Context) error { return p.talk.session.StopCall(ctx, w.Call()) })
	return false
}

// sendBehind sends what runs in the turn to the background.
func (p *console) sendBehind() {
	front := p.talk.a.t.Foreground()
	if len(front) == 0 {
		p.talk.print("note", "nothing runs that can go to the background")
	}
	for _, w := range front {
		p.ask("", func(ctx context.Context) error { return p.talk.session.ToBackground(ctx, w.Call()) })
	}
}

// tell passes words on to a child agent: a running one takes them in, an ended one goes on with them.
func (p *console) tell(c *session.Child, words string) {
	prompt, name := session.Prompt{Text: words}, chat.WorkLabel(session.Work{Child: c}, p.talk.a.dir)
	if c.Ended {
		p.ask("resumed "+name, func(ctx context.Context) error { return p.talk.session.ResumeChild(ctx, c.ID, prompt) })
		return
	}
	p.ask("sent to "+name, func(ctx context.Context) error { return p.talk.session.SteerChild(ctx, c.ID, prompt) })
}

// ask makes a request of the session and prints what became of it.
func (p *console) ask(said string, do func(ctx context.Context) error) {
	ctx := p.talk.ctx
	p.talk.background(func() func() {
		err := do(ctx)
		return func() {
			switch {
			case err != nil:
				p.talk.problem(err)
			case said != "":
				p.talk.print("note", said)
			}
		}
	})
}
