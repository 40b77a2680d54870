package mapper

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/process/record"
)

// background holds the shell commands that run on after their first result.
type background struct {
	rec      *record.Recorder
	commands map[session.CallID]*command
	output   string // of the command whose end the next line reports
}

// command is a shell command in the background.
type command struct {
	*toolCall
	file   string // its output file, empty if unknown
	over   bool
	update *taskUpdate // an end that no notification has reported yet
}

// taskUpdate is a task update about the end of a command.
type taskUpdate struct {
	status, output string
	turns          int // turns that were over at the time
}

func newBackground(rec *record.Recorder) *background {
	return &background{rec: rec, commands: map[session.CallID]*command{}}
}

// add records that a call runs on in the background. result is the text of its first result.
func (b *background) add(t *toolCall, result string) {
	b.commands[t.ID] = &command{toolCall: t, file: outputFile(result)}
}

// end reports how a command ended and what it wrote, in the turn that started it.
func (b *background) end(c *command, status, summary, output string, at time.Time) {
	c.over = true
	e := session.ToolEnded{Head: b.rec.In(c.Child, at), Call: c.ID, Outcome: session.ToolOK, Duration: at.Sub(c.Began),
		Result: session.ToolResult{Text: strings.TrimRight(output, "\n")}}
	e.Turn = c.Turn
	if digits := exitCode.FindStringSubmatch(summary); digits != nil {
		if code, err := strconv.Atoi(digits[1]); err == nil {
			e.Result.ExitCode = &code
		}
	}
	switch outcomeOfTask(status) {
	case session.TurnCancelled:
		e.Outcome = session.ToolCancelled
	case session.TurnFailed:
		e.Outcome = session.ToolFailed
	}
	b.rec.Emit(e)
}

var exitCode = lazyregexp.New(`exit code (\d+)`)

// endAll reports every running command as killed: commands die with their runtime.
func (b *background) endAll(at time.Time) {
	for _, id := range slices.Sorted(maps.Keys(b.commands)) {
		if c := b.commands[id]; !c.over {
			b.end(c, "killed", "", "", at)
		}
	}
}

// notified handles the notification that a command has ended. It reports whether the call is a command in the background
// whose notification was still due.
func (b *background) notified(call session.CallID, status, summary string, at time.Time) bool {
	c := b.commands[call]
	if c == nil || c.over && c.update == nil {
		return false
	}
	if !c.over {
		b.end(c, status, summary, b.output, at)
	}
	c.update = nil
	return true
}

// updated records that a command has ended. Its notification says more; 2.1.112 prints none if it passes the news to the
// model within a running turn.
func (b *background) updated(task, status string) {
	c := b.find(task)
	if c == nil || !TaskEnded(status) {
		return
	}
	c.update = &taskUpdate{status: status, output: b.output, turns: b.rec.Turns}
	if b.rec.Turn != "" {
		c.update.turns--
	}
}

// flush reports the commands whose update came before the newest of that many turns ended: no notification is due any
// more. The runtime passes the news to the model in that turn, or prints it before the next.
func (b *background) flush(turns int, at time.Time) {
	for _, id := range slices.Sorted(maps.Keys(b.commands)) {
		if c := b.commands[id]; !c.over && c.update != nil && c.update.turns < turns {
			b.end(c, c.update.status, "", c.update.output, at)
		}
	}
}

// find returns the running command with that task id, nil if there is none.
func (b *background) find(task string) *command {
	for _, c := range b.commands {
		if !c.over && c.With.task == task && task != "" {
			return c
		}
	}
	return nil
}

// TaskEnded reports whether a task with that status is over.
func TaskEnded(status string) bool {
	switch status {
	case "completed", "failed", "killed", "stopped":
		return true
	}
	return false
}

func outcomeOfTask(status string) session.TurnOutcome {
	switch status {
	case "completed":
		return session.TurnCompleted
	case "killed", "stopped", "cancelled":
		return session.TurnCancelled
	default:
		return session.TurnFailed
	}
}

var writtenTo = lazyregexp.New(`Output is being written to: (.+?\.output)\b`)

// outputFile returns the output file that a result names, "" if it names none.
func outputFile(result string) string {
	if named := writtenTo.FindStringSubmatch(result); named != nil {
		return named[1]
	}
	return ""
}
