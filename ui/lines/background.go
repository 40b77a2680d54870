package lines

import (
	"context"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// workUsage is what the command /background understands.
const workUsage = "Write /background, /background NUMBER for its output, /background send for what runs in the turn, or /background tell NUMBER WORDS for a subagent"

// background lists, shows, stops and writes to what runs in the background.
type background struct{ talk *talk }

// all returns what can be named by its number: what runs in the background, then what ended there, newest first.
func (j background) all() (all []session.Work, running int) {
	t := j.talk.a.t
	all = append(all, t.Background()...)
	running = len(all)
	past := t.EndedBackground()
	for i := len(past) - 1; i >= 0; i-- {
		all = append(all, past[i])
	}
	return all, running
}

// run lists what runs in the background, prints its output, and passes words on to a child agent.
func (j background) run(args string) {
	all, _ := j.all()
	verb, rest, _ := strings.Cut(args, " ")
	n, err := strconv.Atoi(verb)
	switch {
	case args == "" && len(all) == 0:
		j.talk.print("note", "nothing runs in the background")
	case args == "":
		for i, w := range all {
			j.talk.print("background", strconv.Itoa(i+1)+" "+j.line(w))
		}
	case err == nil && n >= 1 && n <= len(all):
		j.output(all[n-1])
	case verb == "send":
		j.sendToBackground()
	case verb == "tell":
		number, words, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if n, err := strconv.Atoi(number); err != nil || n < 1 || n > len(all) || all[n-1].Child == nil || words == "" {
			j.talk.print("note", workUsage)
		} else {
			j.tell(all[n-1].Child, words)
		}
	default:
		j.talk.print("note", workUsage)
	}
}

// line describes work in one line.
func (j background) line(w session.Work) string {
	line := core.WorkLabel(w, j.talk.a.dir)
	if state := core.WorkState(w); state != "" {
		return line + ", " + state
	}
	if since := w.Since(); !since.IsZero() {
		line += ", for " + human.Seconds(max(0, j.talk.opts.Now().Sub(since)))
	}
	return line
}

// output prints the end of the output of work.
func (j background) output(w session.Work) {
	text := strings.Trim(style.PlainOutput(core.WorkOutput(w)), "\n")
	j.talk.print("background", j.line(w))
	if text == "" {
		j.talk.print("note", "no output yet")
		return
	}
	last, cut := style.LastLines(text, maxRead)
	if cut {
		j.talk.print("note", "the last "+strconv.Itoa(maxRead)+" lines:")
	}
	j.talk.print("output", last)
}

// stop stops one job by its number in the list.
func (j background) stop(number string) {
	all, running := j.all()
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > running {
		j.talk.print("note", "Write /stop for the turn, or /stop NUMBER for what /background lists as running")
		return
	}
	w := all[n-1]
	j.ask("", func(ctx context.Context) error { return j.talk.session.StopCall(ctx, w.Call()) })
}

// sendToBackground sends what runs in the turn to the background.
func (j background) sendToBackground() {
	front := j.talk.a.t.Foreground()
	if len(front) == 0 {
		j.talk.print("note", "nothing runs that can go to the background")
	}
	for _, w := range front {
		j.ask("", func(ctx context.Context) error { return j.talk.session.ToBackground(ctx, w.Call()) })
	}
}

// tell passes words on to a child agent: a running one takes them in, an ended one goes on with them.
func (j background) tell(c *session.Child, words string) {
	prompt, name := session.Prompt{Text: words}, core.WorkLabel(session.Work{Child: c}, j.talk.a.dir)
	if c.Ended {
		j.ask("resumed "+name, func(ctx context.Context) error { return j.talk.session.ResumeChild(ctx, c.ID, prompt) })
		return
	}
	j.ask("sent to "+name, func(ctx context.Context) error { return j.talk.session.SteerChild(ctx, c.ID, prompt) })
}

// ask makes a request of the session and prints what became of it.
func (j background) ask(said string, do func(ctx context.Context) error) {
	ctx := j.talk.ctx
	j.talk.background(func() func() {
		err := do(ctx)
		return func() {
			switch {
			case err != nil:
				j.talk.problem(err)
			case said != "":
				j.talk.print("note", said)
			}
		}
	})
}
