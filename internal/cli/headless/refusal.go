package headless

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
)

// Refusal is a call that a rule, a mode or a hook refused, or an ask that was refused because nobody could answer it.
type Refusal struct {
	Tool    string `json:"tool,omitempty"`
	Subject string `json:"subject,omitempty"` // the command or path
	Kind    string `json:"kind"`
	// Why is the reason why the call may not run or is asked about, in a few words; empty if only nobody could answer.
	Why string `json:"why,omitempty"`
	// Allow are the flags each of which would have allowed it; empty if none would.
	Allow []string `json:"allow,omitempty"`

	answered bool // by the program that drives the run
}

// refusalOf describes an ask. Without anybody to answer, every ask is a refusal.
func refusalOf(a session.Asked, dir string) Refusal {
	r := Refusal{Kind: string(a.Kind)}
	p := a.Permission
	if p == nil {
		return r
	}
	r.Tool, r.Subject, r.Why = p.Tool, cmp.Or(p.Command, p.Path), strings.TrimSuffix(p.Reason, ".")
	for _, rule := range p.Rules {
		if rule.Text != "" {
			var flags []string
			for text := range strings.SplitSeq(rule.Text, "\n") { // rules that are granted together
				flags = append(flags, "--allow "+quoted(text))
			}
			r.Allow = append(r.Allow, strings.Join(flags, " "))
			break
		}
	}
	if len(r.Allow) > 0 && toolview.Describe(p.Tool, p.Input, dir).Kind == toolview.Edit {
		r.Allow = append(r.Allow, "--permission-mode "+string(session.ModeAcceptEdits))
	}
	return r
}

// refusalOfCall describes a call that was refused without an ask.
func refusalOfCall(c *session.Tool, mode session.Mode, dir string) Refusal {
	d := toolview.Describe(c.Name, c.Input, dir)
	why, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(c.Result.Text), "Refused: "), "\n")
	why, _, _ = strings.Cut(why, ". ")
	r := Refusal{Kind: string(session.AskPermission), Tool: c.Name, Subject: d.Subject, Why: strings.TrimSuffix(session.Subject(why), ".")}
	if mode == session.ModePlan {
		r.Allow = []string{"--permission-mode " + string(session.ModeAcceptEdits)}
	}
	return r
}

// quoted returns a text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// note records what an event says of refusals. Unless asks can be answered, all are refused.
func (p *Printer) note(e session.Event) {
	dir := p.session.Meta().Dir
	add := func(call session.CallID, r Refusal) {
		p.refused[call] = true
		p.refusals = append(p.refusals, r)
	}
	switch e := e.(type) {
	case session.Asked:
		if p.o.Each != nil {
			p.asked[e.Ask] = e
			if p.alone {
				p.refuse(e.Ask)
			}
			return
		}
		if e.Plan != nil {
			p.plan = e.Plan.Plan
		}
		add(e.Call, refusalOf(e, dir))
	case session.Settled:
		if asked, ok := p.asked[e.Ask]; ok && e.Answer.Decision != session.Allow {
			r := refusalOf(asked, dir)
			r.answered = !p.alone
			add(asked.Call, r)
		}
		delete(p.asked, e.Ask)
	case session.ToolEnded:
		if call := p.t.Call(e.Call); call != nil && e.Outcome == session.ToolDenied && !p.refused[e.Call] {
			add(e.Call, refusalOfCall(call, p.t.Settings.Mode, dir))
		}
	}
}

// recordTime bounds the wait for what commands have changed.
const recordTime = 10 * time.Second

// InVain reports whether something was refused and the run has changed no file. It waits until what commands have changed is
// known.
func (p *Printer) InVain(ctx context.Context) bool {
	p.mu.Lock()
	vain, known := p.inVain()
	p.mu.Unlock()
	if !known {
		ctx, cancel := context.WithTimeout(ctx, recordTime)
		defer cancel()
		_ = p.session.Recorded(ctx) // what is known counts
		p.mu.Lock()
		defer p.mu.Unlock()
		vain, _ = p.inVain()
	}
	return vain
}

// inVain is InVain as far as it is known.
func (p *Printer) inVain() (vain, known bool) {
	if !slices.ContainsFunc(p.refusals, func(r Refusal) bool { return !r.answered && r.Kind != string(session.AskPlan) }) {
		return false, true
	}
	known = true
	for _, turn := range p.t.Turns[min(p.first, len(p.t.Turns)):] {
		changed, all := changes(turn.Entries, p.session.Meta().Dir)
		if changed {
			return false, true
		}
		known = known && all
	}
	return true, known
}

// changes reports whether calls have changed files, and whether that is known of all.
func changes(entries []session.Entry, dir string) (changed, known bool) {
	known = true
	for _, e := range entries {
		here, all := false, true
		switch e := e.(type) {
		case *session.Child:
			here, all = changes(e.Entries, dir)
		case *session.Tool:
			switch c := e.Changes; {
			case len(e.Edits) > 0 && e.Outcome == session.ToolOK || c != nil && (len(c.Edits) > 0 || c.More > 0):
				here = true
			case c == nil && e.Ended && e.Outcome != session.ToolDenied:
				all = toolview.Describe(e.Name, e.Input, dir).Kind != toolview.Command
			}
		}
		if here {
			return true, true
		}
		known = known && all
	}
	return false, known
}

// maxNoted bounds the refusals that are printed.
const maxNoted = 10

// Note is something that a person should know of a run.
type Note struct {
	// What is the problem, Next what to do about it, which may be empty.
	What, Next string
}

// Notes returns what a person should know of the run. With text these are also what the result says in JSON: refusals, each once, and
// that work at a service waits.
func (p *Printer) Notes(text bool) (all []Note) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text {
		all = notesOf(p.refusals, p.session.Meta().Dir)
		if r := p.t.Remote; r != nil && r.State == session.RemoteWaiting {
			all = append(all, Note{"the task waits for your answer", strings.TrimSpace("Answer with `parley -p -r " + string(p.session.ID()) + " WORDS`. " + r.URL)})
		}
	}
	var left []string
	for _, w := range workOf(p.t.Background(), p.session.Meta().Dir) {
		left = append(left, cmp.Or(w.Subject, w.Tool, w.Child))
	}
	if len(left) > 0 {
		all = append(all, Note{"ended with the run, because it was still in the background: " + strings.Join(left, "; "),
			"Ask for it in the foreground, or drive the run with --input-format stream-json."})
	}
	return all
}

func notesOf(refusals []Refusal, dir string) (all []Note) {
	for _, r := range refusals {
		n := Note{What: "refused: " + strings.TrimSpace(cmp.Or(r.Tool, "a "+r.Kind)+" "+strings.TrimPrefix(r.Subject, dir+string(filepath.Separator)))}
		if r.Why != "" {
			n.What += ": " + r.Why
		}
		if len(r.Allow) > 0 {
			n.Next = "Allow it with " + strings.Join(r.Allow, " or ") + "."
		}
		if !slices.Contains(all, n) && r.Kind != string(session.AskPlan) {
			all = append(all, n)
		}
	}
	if more := len(all) - maxNoted; more > 0 {
		all = append(all[:maxNoted:maxNoted], Note{What: "refused: " + human.Count(more, "more call", "more calls"), Next: "--output-format json lists them."})
	}
	return all
}
