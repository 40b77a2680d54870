package mapper

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"parley/session"
)

// because joins the reasons why a turn begins by itself.
func because(before, why string) string {
	why = strings.TrimSpace(why)
	if before == "" || why == "" || before == why {
		return firstOf(why, before)
	}
	return before + "; " + why
}

var exitCode = regexp.MustCompile(`exit code (\d+)`)

// shellEnded tells how a command in the background ended and what it wrote. It belongs to the turn that began it.
func (m *Mapper) shellEnded(t *toolCall, status, summary, output string, at time.Time) {
	t.behind = false
	e := session.ToolEnded{Head: m.in(string(t.child), at), Call: t.call, Outcome: session.ToolOK, Duration: at.Sub(t.began),
		Result: session.ToolResult{Text: strings.TrimRight(output, "\n")}}
	e.Turn = t.turn
	if c := exitCode.FindStringSubmatch(summary); c != nil {
		if code, err := strconv.Atoi(c[1]); err == nil {
			e.Result.ExitCode = &code
		}
	}
	switch outcomeOfTask(status) {
	case session.TurnCancelled:
		e.Outcome = session.ToolCancelled
	case session.TurnFailed:
		e.Outcome = session.ToolFailed
	}
	m.emit(e)
}

// taskPatch is what has changed of a task.
type taskPatch struct {
	Status string `json:"status"`
}

// TaskEnded reports whether a task with that status is over.
func TaskEnded(status string) bool {
	switch status {
	case "completed", "failed", "killed", "stopped":
		return true
	}
	return false
}

// shellLeft is what is known of a command in the background that has ended without a notification.
type shellLeft struct {
	status, output string
	turns          int // how many turns were over by then
}

// shellUpdated notes that a command in the background has ended. A notification says so too, and more; 2.1.112 prints none
// where it gives it to the model within a running turn.
func (m *Mapper) shellUpdated(l line) {
	t := m.shell(l.TaskID)
	if t == nil || !TaskEnded(l.Patch.Status) {
		return
	}
	t.update = &shellLeft{status: l.Patch.Status, output: m.output, turns: m.turns}
	if m.turn != "" {
		t.update.turns--
	}
}

// overdue ends the commands in the background that had ended before the newest of so many turns began or while it ran: no
// notification of them is still to come. The runtime gives it to the model in that turn, or prints it before the next.
func (m *Mapper) overdue(turns int, at time.Time) {
	for _, id := range sortedKeys(m.tools) {
		if t := m.tools[id]; t.behind && t.update != nil && t.update.turns < turns {
			m.shellEnded(t, t.update.status, "", t.update.output, at)
		}
	}
}

// shell returns the call of a command that goes on in the background as that task, nil if there is none.
func (m *Mapper) shell(task string) *toolCall {
	for _, t := range m.tools {
		if t.behind && t.task == task && task != "" {
			return t
		}
	}
	return nil
}

// ShellFile returns the path of the file that the command in the background with that task id writes to, "" if it is not known.
func (m *Mapper) ShellFile(task string) string {
	if t := m.shell(task); t != nil {
		return t.file
	}
	return ""
}

var writtenTo = regexp.MustCompile(`Output is being written to: (.+?\.output)\b`)

// outputFile returns the file that a result names for the output of a command in the background, "" if it names none.
func outputFile(result string) string {
	if named := writtenTo.FindStringSubmatch(result); named != nil {
		return named[1]
	}
	return ""
}
