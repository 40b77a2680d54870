package shell

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// BashInput writes to the input of a command in the background. Its kind has every mode ask or refuse as it does for unknown
// tools: no rule for commands can say what a program does with a text.
var BashInput = &tool.Tool{
	Name: "BashInput", Kind: toolview.Other,
	Description: "Writes text to a command that Bash started with input, waits for output (wait milliseconds, one second if left " +
		"out) and returns it as BashOutput does. The text is written as it is: end a line with \\n. There is no terminal. With close its input ends.",
	Schema: `{"type":"object","properties":{` +
		`"bash_id":{"type":"string","description":"The name of the command, such as sh1"},` +
		`"text":{"type":"string"},` +
		`"close":{"type":"boolean","description":"End the input after the text"},` +
		`"wait":{"type":"integer","description":"Milliseconds"}},` +
		`"required":["bash_id"],"additionalProperties":false}`,
	Prepare: prepareInput,
}

const (
	// maxInput bounds the text of one call in bytes.
	maxInput = 32 << 10
	// inputWait is the time that a call waits for output, and inputQuiet the pause of output after which it returns.
	inputWait  = time.Second
	inputQuiet = 100 * time.Millisecond
)

// typing is a call of BashInput.
type typing struct {
	job  *job.Job
	name string
	text string
	end  bool
	wait time.Duration
}

func prepareInput(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Name  string  `json:"bash_id"`
		Text  string  `json:"text"`
		Close bool    `json:"close"`
		Wait  float64 `json:"wait"`
	}
	if err := tool.DecodeInput(input, &in, "bash_id"); err != nil {
		return nil, err
	}
	j, err := named(w, in.Name)
	if err != nil {
		return nil, err
	}
	if in.Text == "" && !in.Close {
		return nil, tool.Errorf("There is nothing to write: give \"text\", or \"close\" to end the input. BashOutput reads the output.")
	}
	if len(in.Text) > maxInput {
		return nil, tool.Errorf("The text has %d bytes, and at most %d are possible in one call. Write it to a file and let the command read that.", len(in.Text), maxInput)
	}
	t := typing{job: j, name: in.Name, text: in.Text, end: in.Close, wait: inputWait}
	if in.Wait > 0 {
		t.wait = min(time.Duration(in.Wait*float64(time.Millisecond)), bashLongest)
	}
	return &tool.Job{Run: func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome { return t.run(ctx) }}, nil
}

func (t typing) run(ctx context.Context) tool.Outcome {
	next, done := t.job.Wait()
	defer done()
	select {
	case <-t.job.Ended():
		return tool.Failed("%s has %s and reads no more.", t.name, t.job.Read(0, false).Outcome)
	default:
	}
	news := next()
	written, err := t.job.Type(t.text, t.end)
	if err != nil {
		return tool.Failed("Nothing was written to %s: %v.%s", t.name, err, hint(err))
	}
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	note := ""
	select {
	case err := <-written:
		if err != nil {
			note = "it has closed its input, and may not have read all of the text"
		}
		t.settle(ctx, next, news, timer.C)
	case <-t.job.Ended():
	case <-timer.C:
		note = "it has not read all of the text yet; the rest waits for it"
	case <-ctx.Done():
	}
	if note == "" && !t.end && !strings.HasSuffix(t.text, "\n") {
		note = "the text ended without \\n, so a program that reads lines still waits"
	}
	return t.outcome(note)
}

// settle waits until output has come and paused, the command has ended, or it is late. After the end of the input it waits for
// the end of the command.
func (t typing) settle(ctx context.Context, next func() <-chan struct{}, news <-chan struct{}, late <-chan time.Time) {
	var quiet <-chan time.Time
	pause := time.NewTimer(inputQuiet)
	defer pause.Stop()
	for {
		select {
		case <-news:
			news = next()
			if !t.end {
				pause.Reset(inputQuiet)
				quiet = pause.C
			}
		case <-quiet:
			return
		case <-late:
			return
		case <-t.job.Ended():
			return
		case <-ctx.Done():
			return
		}
	}
}

// outcome returns the output since the last time, as BashOutput does.
func (t typing) outcome(note string) tool.Outcome {
	r := reading{job: t.job, name: t.name}
	n := t.job.Read(maxRead, false)
	out := r.outcome(r.text(n), n)
	out.Result.Summary = human.Count(len(t.text), "byte", "bytes") + " written, " + out.Result.Summary
	if note != "" {
		read := out.Result.Sent
		if read == "" {
			read = out.Result.Text
		}
		out.Result.Sent = read + "\n(" + note + ")"
	}
	return out
}

// hint returns what to do about a command that takes no input.
func hint(err error) string {
	switch err {
	case job.ErrNoInput:
		return " Stop it and start it again with input set."
	case job.ErrBusy:
		return " See with BashOutput what it does, or stop it with KillShell."
	}
	return ""
}
