package shell

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// BashOutput reads the new output of a command in the background.
var BashOutput = &tool.Tool{
	Name: "BashOutput", Kind: toolview.Read,
	Description: "Returns the output of a command in the background since you last read it, and whether it still runs. With wait " +
		"it waits up to that many milliseconds (at most 600000) for output or, with until end, for the end of the command: do " +
		"that instead of sleeping or asking again and again. With filter it returns only lines that match, and drops the others.",
	Schema: `{"type":"object","properties":{` +
		`"bash_id":{"type":"string","description":"The name of the command, such as sh1"},` +
		`"filter":{"type":"string","description":"A regular expression for lines (RE2)"},` +
		`"wait":{"type":"integer","description":"Milliseconds"},` +
		`"until":{"type":"string","enum":["output","end"],"description":"What to wait for; output if left out"}},` +
		`"required":["bash_id"],"additionalProperties":false}`,
	Prepare: prepareOutput,
}

// KillShell stops a command in the background.
var KillShell = &tool.Tool{
	Name: "KillShell", Kind: toolview.Command,
	Description: "Stops a command in the background with all that it has started.",
	Schema: `{"type":"object","properties":{"shell_id":{"type":"string","description":"The name of the command, such as sh1"}},` +
		`"required":["shell_id"],"additionalProperties":false}`,
	Prepare: prepareKill,
}

// reading is a call of BashOutput.
type reading struct {
	job    *job.Job
	name   string
	filter *regexp.Regexp
	wait   time.Duration
	toEnd  bool
}

func prepareOutput(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Name   string  `json:"bash_id"`
		Filter string  `json:"filter"`
		Wait   float64 `json:"wait"`
		Until  string  `json:"until"`
	}
	if err := tool.DecodeInput(input, &in, "bash_id"); err != nil {
		return nil, err
	}
	j, err := named(w, in.Name)
	if err != nil {
		return nil, err
	}
	r := reading{job: j, name: in.Name, toEnd: in.Until == "end"}
	if in.Until != "" && in.Until != "end" && in.Until != "output" {
		return nil, tool.Errorf(`"until" must be "output" or "end", not %q.`, in.Until)
	}
	if in.Wait > 0 {
		r.wait = min(time.Duration(in.Wait*float64(time.Millisecond)), bashLongest)
	}
	if in.Filter != "" {
		if r.filter, err = regexp.Compile(in.Filter); err != nil {
			return nil, tool.Errorf("The filter is not a regular expression: %v. Go's syntax (RE2) has no look-around.", err)
		}
	}
	return &tool.Job{Own: true, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome { return r.run(ctx) }}, nil
}

// named returns a command of the agent in the background.
func named(w *tool.Workspace, name string) (*job.Job, error) {
	if j := w.Jobs.Named(w.Child, name); j != nil {
		return j, nil
	}
	if running := w.Jobs.Running(w.Child); len(running) > 0 {
		return nil, tool.Errorf("There is no command %q in the background. There are: %s.", name, strings.Join(running, ", "))
	}
	return nil, tool.Errorf("There is no command %q in the background, and no other: those of an earlier run ended with it.", name)
}

// maxRead bounds the output that one call returns, in bytes.
const maxRead = captureHead + captureTail

func (r reading) run(ctx context.Context) tool.Outcome {
	next, done := r.job.Wait()
	defer done()
	late := make(<-chan time.Time)
	if r.wait > 0 {
		timer := time.NewTimer(r.wait)
		defer timer.Stop()
		late = timer.C
	} else {
		r.toEnd = false
	}
	if r.toEnd {
		select {
		case <-r.job.Ended():
		case <-late:
		case <-ctx.Done():
		}
		r.wait = 0
	}
	var got strings.Builder
	for {
		news := next()
		n := r.job.Read(maxRead, r.filter != nil)
		got.WriteString(r.text(n))
		waits := r.wait > 0 && n.Outcome == "" && got.Len() == 0
		if !waits && (r.filter == nil || n.Left == 0 || got.Len() >= maxRead) {
			return r.outcome(got.String(), n)
		}
		if !waits {
			continue // the filter dropped it, and there is more
		}
		select {
		case <-news:
		case <-late:
			r.wait = 0
		case <-r.job.Ended():
		case <-ctx.Done():
			return r.outcome(got.String(), n)
		}
	}
}

// text returns the part of the output that the model gets.
func (r reading) text(n job.News) string {
	var b strings.Builder
	if n.Missed > 0 {
		fmt.Fprintf(&b, "(%s before this are no longer kept)\n", human.Count(int(n.Missed), "byte", "bytes"))
	}
	if isBinary(n.Output) {
		return b.String() + "(" + human.Count(len(n.Output), "byte", "bytes") + " of binary output)\n"
	}
	if r.filter == nil {
		return b.String() + shownAs(n.Output)
	}
	for line := range bytes.Lines([]byte(shownAs(n.Output))) {
		if r.filter.Match(bytes.TrimSuffix(line, []byte("\n"))) {
			b.Write(line)
		}
	}
	return b.String()
}

func (r reading) outcome(text string, n job.News) tool.Outcome {
	res := session.ToolResult{Text: text, Job: r.name, Summary: "no new output"}
	if lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; strings.TrimSpace(text) != "" {
		res.Summary = human.Count(lines, "line", "lines")
	}
	note := "still running"
	if n.Outcome != "" {
		note = n.Outcome
	}
	if n.Left > 0 {
		note += fmt.Sprintf("; %d more bytes of output: call again", n.Left)
	}
	res.Sent = strings.TrimLeft(strings.TrimRight(text, "\n")+"\n("+note+")", "\n")
	if text == "" {
		res.Text, res.Sent = "("+note+")", ""
	}
	return tool.Outcome{How: session.ToolOK, Result: res}
}

// killWait bounds how long a call waits for the end of the command that it stops.
const killWait = 2 * time.Second

func prepareKill(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Name string `json:"shell_id"`
	}
	if err := tool.DecodeInput(input, &in, "shell_id"); err != nil {
		return nil, err
	}
	j, err := named(w, in.Name)
	if err != nil {
		return nil, err
	}
	return &tool.Job{Own: true, Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		return kill(ctx, j, in.Name)
	}}, nil
}

func kill(ctx context.Context, j *job.Job, name string) tool.Outcome {
	select {
	case <-j.Ended():
		text := name + " had already " + j.Read(0, false).Outcome + "."
		return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: text, Job: name, Summary: "had ended"}}
	default:
	}
	j.Stop(job.ByModel)
	timer := time.NewTimer(killWait)
	defer timer.Stop()
	select {
	case <-j.Ended():
	case <-timer.C:
		return tool.Failed("%s does not end although it was killed: it may wait for a device.", name)
	case <-ctx.Done():
	}
	return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: "Stopped " + name + " (" + title(j.Command()) + ").", Job: name}}
}
