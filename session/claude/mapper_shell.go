package claude

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
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

// maxShellOutput is how much of the end of what a background command wrote is shown, in bytes.
const maxShellOutput = 64 << 10

// shellOutput returns the end of what a background command has written, if the line tells the end of one. It reads a file,
// so it is called before a lock is taken.
func shellOutput(line []byte) string {
	if !bytes.Contains(line, []byte(`"task_notification"`)) {
		return ""
	}
	var l struct {
		Subtype string `json:"subtype"`
		File    string `json:"output_file"`
	}
	if json.Unmarshal(line, &l) != nil || l.Subtype != "task_notification" || l.File == "" {
		return ""
	}
	info, err := os.Stat(l.File)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(l.File)
	if err != nil {
		return ""
	}
	defer f.Close()
	cut := info.Size() > maxShellOutput
	if cut {
		if _, err := f.Seek(-maxShellOutput, io.SeekEnd); err != nil {
			return ""
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxShellOutput))
	if err != nil {
		return ""
	}
	if _, rest, ok := bytes.Cut(data, []byte("\n")); cut && ok {
		data = rest
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}
