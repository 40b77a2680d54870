package job

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"parley/session"
)

// Reason is why a command was stopped.
type Reason string

// The reasons; the zero value means that it was not stopped.
const (
	ByUser     Reason = "stopped by the user"
	ByModel    Reason = "stopped"
	WithChild  Reason = "ended with its agent"
	WithParley Reason = "ended with parley"
)

// maxKept bounds the newest output of a command that can be read, in bytes.
const maxKept = 256 << 10

// Job is one command. It is safe for concurrent use.
type Job struct {
	table   *Table
	agent   session.ChildID
	call    session.CallID
	command string
	// stopping is closed when the command is to end, background when it is in the background, ended after its end.
	stopping, background, ended chan struct{}

	// The lock of the table guards these.
	name   string
	reason Reason
	over   bool

	input input

	mu      sync.Mutex
	kept    []byte
	size    int64 // of the whole output
	read    int64 // up to here it was read
	outcome string
	waiting int
	told    bool          // a reader has reported the end
	news    chan struct{} // closed and replaced when output comes or the command ends
}

var errOver = errors.New("the command has ended")

// Call returns the call that started the command.
func (j *Job) Call() session.CallID { return j.call }

// Command returns the command line.
func (j *Job) Command() string { return j.command }

// Stop asks for the end of the command; the first reason counts.
func (j *Job) Stop(why Reason) {
	j.table.mu.Lock()
	defer j.table.mu.Unlock()
	if j.reason == "" && !j.over {
		j.reason = why
		close(j.stopping)
	}
}

// Stopping returns a channel that is closed when the command is to end; see [Job.Why].
func (j *Job) Stopping() <-chan struct{} { return j.stopping }

// Why returns why the command was stopped, "" if it was not.
func (j *Job) Why() Reason {
	j.table.mu.Lock()
	defer j.table.mu.Unlock()
	return j.reason
}

// Leave sends the command to the background and returns its name there. The error is [ErrFull], or that it has ended.
func (j *Job) Leave() (string, error) {
	j.table.mu.Lock()
	defer j.table.mu.Unlock()
	switch {
	case j.name != "":
		return j.name, nil
	case j.over || j.reason != "":
		return "", errOver
	}
	running := 0
	for _, other := range j.table.jobs {
		if other.name != "" && !other.over {
			running++
		}
	}
	if running >= MaxRunning {
		return "", ErrFull
	}
	j.table.number++
	j.name = fmt.Sprintf("sh%d", j.table.number)
	close(j.background)
	return j.name, nil
}

// InBackground returns a channel that is closed when the command goes to the background.
func (j *Job) InBackground() <-chan struct{} { return j.background }

// Ended returns a channel that is closed after the end of the command.
func (j *Job) Ended() <-chan struct{} { return j.ended }

// Finish reports whether the command is in the background at its end. If not, it is over, and never goes there.
func (j *Job) Finish() (background bool) {
	j.table.mu.Lock()
	defer j.table.mu.Unlock()
	if j.name == "" {
		j.over = true
		j.table.prune()
	}
	return j.name != ""
}

// End records the end of a command in the background in a few words, such as "exit code 0". It reports whether a reader waits, who will tell the
// model. It is called once.
func (j *Job) End(outcome string) (told bool) {
	j.table.mu.Lock()
	j.over = true
	j.table.prune()
	j.table.mu.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.outcome, j.told = outcome, j.waiting > 0
	close(j.ended)
	j.wake()
	return j.told
}

// wake wakes readers. The lock is held.
func (j *Job) wake() {
	close(j.news)
	j.news = make(chan struct{})
}

// Write adds output. It never fails.
func (j *Job) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.size += int64(len(p))
	j.kept = append(j.kept, p[max(0, len(p)-maxKept):]...)
	if len(j.kept) > 2*maxKept {
		j.kept = append([]byte{}, j.kept[len(j.kept)-maxKept:]...)
	}
	j.wake()
	return len(p), nil
}

// News is output that was not read before.
type News struct {
	Output []byte
	// Missed is the number of bytes before Output that are no longer kept, and Left of those after it for a next time.
	Missed, Left int64
	// Outcome is the way in which the command ended, "" while it runs.
	Outcome string
}

// Read returns the output since the last time, at most that many bytes, and counts it as read. With lines, a last line without
// its end waits for a next time while the command runs.
func (j *Job) Read(most int, lines bool) News {
	j.mu.Lock()
	defer j.mu.Unlock()
	from := j.size - int64(len(j.kept))
	n := News{Missed: max(0, from-j.read), Outcome: j.outcome}
	output := j.kept[max(0, j.read-from):]
	all := len(output)
	if all > most {
		output = output[:most]
		n.Left = int64(all - most)
	}
	if end := bytes.LastIndexByte(output, '\n') + 1; lines && (end > 0 || n.Left == 0) && (n.Left > 0 || j.outcome == "") {
		output = output[:end]
	}
	n.Output = append([]byte{}, output...)
	j.read = j.size - int64(all-len(output))
	return n
}

// Peek returns the last bytes of the output that was not read, without counting it as read, and the number of all that was not.
func (j *Job) Peek(most int) (last []byte, unread int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	unread = j.size - j.read
	n := min(int64(most), unread, int64(len(j.kept)))
	return append([]byte{}, j.kept[int64(len(j.kept))-n:]...), unread
}

// Wait registers a reader that waits. next returns a channel that is closed when something happens after its call; the reader
// calls done at the end.
func (j *Job) Wait() (next func() <-chan struct{}, done func()) {
	j.mu.Lock()
	j.waiting++
	j.mu.Unlock()
	next = func() <-chan struct{} {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.news
	}
	return next, func() {
		j.mu.Lock()
		j.waiting--
		j.mu.Unlock()
	}
}
