package background

import (
	"context"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// workUsage lists the forms of the command /background.
const workUsage = "Write /background, /background NUMBER for its output, /background send for what runs in the turn, or /background tell NUMBER WORDS for a subagent"

// Lines lists, shows, stops and writes to what runs in the background.
type Lines struct{ talk *core.Lines }

// InLines returns the command for the chat in lines.
func InLines(talk *core.Lines) *Lines { return &Lines{talk} }

// all returns what can be named by its number: what runs in the background, then what ended there, newest first.
func (j *Lines) all() (all []session.Work, running int) {
	t := j.talk.Current().Transcript
	all = append(all, t.Background()...)
	running = len(all)
	past := t.EndedBackground()
	for i := len(past) - 1; i >= 0; i-- {
		all = append(all, past[i])
	}
	return all, running
}

// Run lists what runs in the background, prints its output, and passes words on to a child agent.
func (j *Lines) Run(args string) {
	all, _ := j.all()
	verb, rest, _ := strings.Cut(args, " ")
	n, err := strconv.Atoi(verb)
	switch {
	case args == "" && len(all) == 0:
		j.talk.Print("note", "nothing runs in the background")
	case args == "":
		for i, w := range all {
			j.talk.Print("background", strconv.Itoa(i+1)+" "+j.line(w))
		}
	case err == nil && n >= 1 && n <= len(all):
		j.output(all[n-1])
	case verb == "send":
		j.sendToBackground()
	case verb == "tell":
		number, words, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if n, err := strconv.Atoi(number); err != nil || n < 1 || n > len(all) || all[n-1].Child == nil || words == "" {
			j.talk.Print("note", workUsage)
		} else {
			j.tell(all[n-1].Child, words)
		}
	default:
		j.talk.Print("note", workUsage)
	}
}

// line describes work in one line.
func (j *Lines) line(w session.Work) string {
	line := core.WorkLabel(w, j.talk.Current().Dir)
	if state := core.WorkState(w); state != "" {
		return line + ", " + state
	}
	if since := w.Since(); !since.IsZero() {
		line += ", for " + human.Seconds(max(0, j.talk.Options.Now().Sub(since)))
	}
	return line
}

// output prints the end of the output of work.
func (j *Lines) output(w session.Work) {
	text := strings.Trim(style.PlainOutput(core.WorkOutput(w)), "\n")
	j.talk.Print("background", j.line(w))
	if text == "" {
		j.talk.Print("note", "no output yet")
		return
	}
	last, cut := style.LastLines(text, core.MaxLines)
	if cut {
		j.talk.Print("note", "the last "+strconv.Itoa(core.MaxLines)+" lines:")
	}
	j.talk.Print("output", last)
}

// Stop stops one job by its number in the list.
func (j *Lines) Stop(number string) {
	all, running := j.all()
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > running {
		j.talk.Print("note", "Write /stop for the turn, or /stop NUMBER for what /background lists as running")
		return
	}
	w := all[n-1]
	j.ask("", func(ctx context.Context) error { return j.talk.Current().Session.StopCall(ctx, w.Call()) })
}

// sendToBackground sends what runs in the turn to the background.
func (j *Lines) sendToBackground() {
	front := j.talk.Current().Transcript.Foreground()
	if len(front) == 0 {
		j.talk.Print("note", "nothing runs that can go to the background")
	}
	for _, w := range front {
		j.ask("", func(ctx context.Context) error { return j.talk.Current().Session.ToBackground(ctx, w.Call()) })
	}
}

// tell passes words on to a child agent: a running one takes them in, an ended one goes on with them.
func (j *Lines) tell(c *session.Child, words string) {
	prompt, name := session.Prompt{Text: words}, core.WorkLabel(session.Work{Child: c}, j.talk.Current().Dir)
	if c.Ended {
		j.ask("resumed "+name, func(ctx context.Context) error { return j.talk.Current().Session.ResumeChild(ctx, c.ID, prompt) })
		return
	}
	j.ask("sent to "+name, func(ctx context.Context) error { return j.talk.Current().Session.SteerChild(ctx, c.ID, prompt) })
}

// ask makes a request of the session and prints what became of it.
func (j *Lines) ask(said string, do func(ctx context.Context) error) {
	ctx := j.talk.Context
	j.talk.Background(func() func() {
		err := do(ctx)
		return func() {
			switch {
			case err != nil:
				j.talk.Problem(err)
			case said != "":
				j.talk.Print("note", said)
			}
		}
	})
}
