package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/style"
)

// shell is the command of the user's own shell that runs. It is started by an exclamation mark, and what it wrote goes
// along with the next prompt.
type shell struct {
	line   string
	cancel context.CancelFunc // nil while nothing runs
	began  time.Time
	out    *shellOutput
	text   string // what was written when it was looked at last
}

// mostOutput is how much of what a command wrote is kept, in bytes: its beginning and its end.
const mostOutput = 32 << 10

// shellEvery is how often it is shown what a running command wrote.
const shellEvery = 200 * time.Millisecond

// shellOutput is what a command wrote. It is written by who runs it and read by the event loop.
type shellOutput struct {
	mu         sync.Mutex
	head, tail []byte
	lost       int // bytes between the two
}

func (o *shellOutput) write(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := mostOutput/2 - len(o.head); room > 0 {
		n := min(room, len(b))
		o.head, b = append(o.head, b[:n]...), b[n:]
	}
	o.tail = append(o.tail, b...)
	if over := len(o.tail) - mostOutput/2; over > mostOutput/2 { // now and then, not with each line
		o.tail = append(o.tail[:0], o.tail[over:]...)
		o.lost += over
	}
}

// text is what was written, without the sequences that drive a terminal, and with a remark where something is left out.
func (o *shellOutput) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	tail, lost := o.tail, o.lost
	if over := len(tail) - mostOutput/2; over > 0 {
		tail, lost = tail[over:], lost+over
	}
	s := string(o.head)
	if lost > 0 {
		s += fmt.Sprintf("\n[%d bytes left out]\n", lost)
	}
	return strings.TrimRight(style.PlainOutput(strings.ToValidUTF8(s+string(tail), "\ufffd")), "\n")
}

// ended is what was written by a command that has ended, and how it ended if not well.
func (o *shellOutput) ended(status int, err error) string {
	text, end := o.text(), ""
	switch {
	case errors.Is(err, context.Canceled) || err == nil && status < 0:
		end = "stopped"
	case err != nil:
		end = "could not be run: " + style.OneLine(err.Error())
	case status > 0:
		end = fmt.Sprintf("exit status %d", status)
	case text == "":
		end = "no output"
	}
	if text != "" && end != "" {
		text += "\n"
	}
	return text + end
}

type (
	// shellTickMsg says that it is time to show what the running command wrote.
	shellTickMsg struct{}
	// shellMsg says how a command ended.
	shellMsg struct {
		out    *shellOutput
		status int
		err    error
	}
)

// runShell runs a command line of the user's in the session's directory.
func (m *Model) runShell(line string) tea.Cmd {
	switch {
	case m.opts.Shell == nil:
		m.say("there is no shell here; !! sends an exclamation mark", true)
		return nil
	case m.shell.cancel != nil:
		m.say("a command is running: esc stops it", true)
		return nil
	}
	m.remember("! " + line)
	m.emptied()
	ctx, cancel := context.WithCancel(m.ctx)
	out, dir, run := &shellOutput{}, m.dir(), m.opts.Shell
	m.shell = shell{line: line, cancel: cancel, began: m.now(), out: out}
	return tea.Batch(m.changed(), m.after(shellEvery, shellTickMsg{}), m.command(func() tea.Msg {
		defer cancel()
		status, err := run(ctx, dir, line, out.write)
		return shellMsg{out, status, err}
	}))
}

// stop ends the running command, and reports whether there was one.
func (s *shell) stop() bool {
	if s.cancel == nil {
		return false
	}
	s.cancel()
	return true
}

// shellTick shows what the running command wrote, as long as it runs.
func (m *Model) shellTick() tea.Cmd {
	if m.shell.cancel == nil {
		return nil
	}
	m.shell.text = m.shell.out.text()
	m.touch()
	return m.after(shellEvery, shellTickMsg{})
}

// shellEnded keeps what a command wrote for the next prompt.
func (m *Model) shellEnded(msg shellMsg) tea.Cmd {
	if msg.out != m.shell.out {
		return nil
	}
	m.along = append(m.along, session.Attachment{Kind: session.AttachCommand, Path: m.shell.line, Text: msg.out.ended(msg.status, msg.err)})
	m.shell = shell{}
	return m.changed() // it is part of the draft from here on
}

// lastRows are the last lines of a text as rows, at most n, and how many lines there are before them.
func lastRows(l *style.Look, text string, n int) (rows []string, before int) {
	text = strings.TrimRight(text, "\n")
	if text == "" || n <= 0 {
		return nil, style.Lines(text)
	}
	lines := bytes.Count([]byte(text), []byte("\n")) + 1
	part, _ := style.LastLines(text, n)
	for line := range strings.SplitSeq(part, "\n") {
		rows = append(rows, l.Measure.Clip(style.Visible(strings.ReplaceAll(line, "\t", "    ")), l.Inner()-2))
	}
	return rows, lines - len(rows)
}
