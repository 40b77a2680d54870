package shell

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/tool"
)

// ended returns the outcome of a command that ended in the foreground.
func (r *running) ended() tool.Outcome {
	whole, exit := r.out.close(), r.exit()
	out := result(whole)
	code := exit.Code
	if code >= 0 { // a signal leaves none
		out.ExitCode = &code
	}
	if code == 0 {
		if whole.lines > 0 {
			out.Summary = human.Count(whole.lines, "line", "lines")
		}
		return r.withState(tool.Outcome{How: session.ToolOK, Result: out}, "")
	}
	note := fmt.Sprintf("exit code %d", code)
	out.Summary = human.Count(whole.lines, "line", "lines")
	if code < 0 {
		out.Summary = "signal: " + exit.Signal
		note = out.Summary
	}
	return r.withState(tool.Outcome{How: session.ToolFailed, Result: out}, note)
}

// broken returns the outcome of a command that was killed in the foreground.
func (r *running) broken(how session.ToolOutcome, summary, note string) tool.Outcome {
	out := result(r.out.close())
	if how != session.ToolCancelled {
		out.Summary = summary
	}
	return r.withState(tool.Outcome{How: how, Result: out}, note)
}

// stopped returns the outcome of a command that was stopped in the foreground on request.
func (r *running) stopped() tool.Outcome {
	why := r.job.Why()
	if why == job.ByUser {
		return r.broken(session.ToolCancelled, "", "the user stopped this command; what it has done so far stands. Go on without it, and do not run it again unless asked")
	}
	return r.broken(session.ToolCancelled, "", string(why)+"; what it has done so far stands")
}

// result returns the result with an output.
func result(whole captured) session.ToolResult {
	return session.ToolResult{Text: whole.text + whole.where(), Truncated: whole.cut, FullPath: whole.path}
}

// withState adds to the model's text how the command ended and where its shell is now, and leaves the user's text as it is.
func (r *running) withState(out tool.Outcome, note string) tool.Outcome {
	notes := r.w.Shell.Notes()
	if note != "" {
		notes = append([]string{note}, notes...)
	}
	res := &out.Result
	if moved := r.w.Shell.Moved(); moved != "" {
		notes = append(notes, "now in "+r.w.Short(moved))
	} else if r.run.Dir() != r.w.Dir {
		notes = append(notes, "back in the working directory "+r.w.Dir)
	}
	res.Shell = left(r.w)
	if len(notes) == 0 {
		return out
	}
	all := "(" + strings.Join(notes, ")\n(") + ")"
	if res.Text == "" && note != "" {
		res.Text = "(" + note + ")"
	}
	if all == res.Text {
		return out
	}
	read := strings.TrimRight(res.Text, "\n")
	if read == "("+note+")" && note != "" {
		read = ""
	}
	res.Sent = strings.TrimLeft(read+"\n"+all, "\n")
	return out
}

// left returns what the next command of the agent finds, nil if it is what the first one found.
func left(w *tool.Workspace) *session.ShellState {
	s := session.ShellState{Dir: w.Shell.Moved(), Environ: len(w.Shell.Changed())+len(w.Shell.Functions()) > 0}
	if s == (session.ShellState{}) {
		return nil
	}
	return &s
}

// maxSoFar bounds the output that the model gets of a command that goes to the background, and of one that ends there.
const maxSoFar = 8 << 10

// handOver returns the outcome of a command that is in the background now; why says why it does, "" if the model asked for it.
func (r *running) handOver(why string) tool.Outcome {
	r.detach()
	r.out.background()
	name, _ := r.job.Leave()
	news := r.job.Read(maxSoFar, false)
	text := "Runs in the background as " + name + "."
	sent := text
	if why != "" {
		sent = "(" + why + ": it goes on in the background as " + name + ")"
		if so := strings.TrimRight(shownAs(news.Output), "\n"); so != "" {
			sent = so + "\n" + sent
		}
	} else if so := strings.TrimRight(shownAs(news.Output), "\n"); so != "" {
		sent += " Output so far:\n" + so
	}
	sent += "\n" + r.end() + " Read its new output with BashOutput, and stop it with KillShell."
	return tool.Outcome{How: session.ToolOK, Reported: func() { close(r.reported) },
		Result: session.ToolResult{Text: text, Sent: sent, Summary: "in the background", Background: true, Job: name, Shell: left(r.w)}}
}

// end returns what becomes of a command in the background.
func (r *running) end() string {
	if r.w.Unattended {
		return "It ends with this run, which ends with your last answer, and you are not told: wait with BashOutput where you need its end."
	}
	return "You are told when it ends."
}

// finish reports the end of a command in the background. The table waits for it.
func (r *running) finish() {
	<-r.reported
	whole, exit, why, took := r.out.close(), r.exit(), r.job.Why(), r.w.Now().Sub(r.began)
	out := tool.Outcome{How: session.ToolOK, Result: result(whole), Duration: took}
	outcome := fmt.Sprintf("ended with exit code %d", exit.Code)
	switch {
	case why != "":
		outcome, out.How, out.Result.Summary = string(why), session.ToolCancelled, string(why)
	case exit.Code < 0:
		outcome, out.How, out.Result.Summary = "ended by signal: "+exit.Signal, session.ToolFailed, "signal: "+exit.Signal
	case exit.Code > 0:
		out.How = session.ToolFailed
	}
	if exit.Code >= 0 && why == "" {
		code := exit.Code
		out.Result.ExitCode = &code
		out.Result.Summary = human.Count(whole.lines, "line", "lines")
	}
	name, _ := r.job.Leave()
	out.Result.Job = name
	if out.Result.Text == "" {
		out.Result.Text = "(" + outcome + ")"
	}
	last, unread := r.job.Peek(maxSoFar)
	out.Result.Sent = fmt.Sprintf("%s (%s) %s after %s.", name, title(r.job.Command()), outcome, rounded(took))
	if so := strings.TrimRight(shownAs(last), "\n"); so != "" {
		if unread > int64(len(last)) {
			so = fmt.Sprintf("(%d bytes before this: BashOutput has them)\n", unread-int64(len(last))) + so
		}
		out.Result.Sent += " Its unread output:\n" + so
	} else {
		out.Result.Sent += " It has no unread output."
	}
	because := title(r.job.Command()) + " " + outcome
	if r.job.End(outcome) || why == job.ByModel || why == job.WithChild {
		because = "" // the model has read it, or is no longer there
	}
	if r.w.Ended != nil {
		r.w.Ended(r.job.Call(), out, because)
	}
}

// title returns a command in a few words: the beginning of its first line.
func title(command string) string {
	const most = 60
	line, _, more := strings.Cut(strings.TrimSpace(command), "\n")
	if len(line) > most {
		for n := most; ; n-- {
			if utf8.RuneStart(line[n]) {
				return line[:n] + "…"
			}
		}
	}
	if more {
		line += "…"
	}
	return line
}

// rounded returns a duration as people write it.
func rounded(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// where returns a note that names the file with the whole output.
func (c captured) where() string {
	switch {
	case !c.cut || c.path == "":
		return ""
	case c.kept < c.size:
		return fmt.Sprintf("\n(the first %d MiB of the output, of %d bytes, are in %s; the rest was not kept)", c.kept>>20, c.size, c.path)
	}
	return fmt.Sprintf("\n(the whole output, %d bytes, is in %s)", c.size, filepath.Clean(c.path))
}
