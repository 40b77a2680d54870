package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parley/session"
)

const (
	// MaxRunning bounds the commands in the background that run at the same time.
	MaxRunning = 16
	// maxEnded bounds the ended ones whose output can still be read.
	maxEnded = 16
)

// ErrFull is the error of a command that cannot go to the background because as many run there as may.
var ErrFull = fmt.Errorf("%d commands run in the background already, which is as many as may", MaxRunning)

// Table holds the commands of one conversation. It is safe for concurrent use.
type Table struct {
	mu     sync.Mutex
	jobs   []*Job // in order of their start
	number int    // of the newest name
	closed bool
	busy   sync.WaitGroup // what works on jobs; added to under mu while not closed
}

// NewTable returns an empty table.
func NewTable() *Table { return &Table{} }

// Reserve makes new names differ from one of an earlier process of the session.
func (t *Table) Reserve(name string) {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "sh")); err == nil {
		t.mu.Lock()
		t.number = max(t.number, n)
		t.mu.Unlock()
	}
}

// Add adds a running command of an agent, the child of that id or the top for "", in the foreground. The table waits with its
// end until done is called, once. In a closed table the command is to be stopped at once.
func (t *Table) Add(agent session.ChildID, call session.CallID, command string) (j *Job, done func()) {
	j = &Job{table: t, agent: agent, call: call, command: command, stopping: make(chan struct{}), background: make(chan struct{}),
		ended: make(chan struct{}), news: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		j.reason = WithParley
		close(j.stopping)
		return j, func() {}
	}
	t.jobs = append(t.jobs, j)
	t.busy.Add(1)
	return j, t.busy.Done
}

// Named returns a command of an agent in the background by its name, nil if there is none.
func (t *Table) Named(agent session.ChildID, name string) *Job {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, j := range t.jobs {
		if j.name != "" && j.name == name && j.agent == agent {
			return j
		}
	}
	return nil
}

// Running returns the names of the commands of an agent that run in the background, oldest first.
func (t *Table) Running(agent session.ChildID) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for _, j := range t.jobs {
		if j.name != "" && !j.over && j.agent == agent {
			out = append(out, j.name)
		}
	}
	return out
}

// find returns the running command of a call.
func (t *Table) find(op string, call session.CallID) (*Job, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, j := range t.jobs {
		if j.call == call && !j.over {
			return j, nil
		}
	}
	return nil, &session.Error{Op: op, Kind: session.KindNotFound, Err: errors.New("no command of this call runs")}
}

// Stop stops the running command of a call for the user; see [session.Stopper].
func (t *Table) Stop(_ context.Context, call session.CallID) error {
	j, err := t.find("stop command", call)
	if err == nil {
		j.Stop(ByUser)
	}
	return err
}

// ToBackground sends the running command of a call to the background; see [session.Backgrounder].
func (t *Table) ToBackground(_ context.Context, call session.CallID) error {
	const op = "send command to the background"
	j, err := t.find(op, call)
	if err != nil {
		return err
	}
	if _, err := j.Leave(); err != nil {
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: err}
	}
	return nil
}

// StopAgent stops all commands of a child, which has ended.
func (t *Table) StopAgent(child session.ChildID) {
	t.mu.Lock()
	var theirs []*Job
	for _, j := range t.jobs {
		if j.agent == child {
			theirs = append(theirs, j)
		}
	}
	t.mu.Unlock()
	for _, j := range theirs {
		j.Stop(WithChild)
	}
}

// Close stops all commands, and returns when their ends are reported. Later ones are stopped as they are added.
func (t *Table) Close() {
	t.mu.Lock()
	t.closed = true
	all := slices.Clone(t.jobs)
	t.mu.Unlock()
	for _, j := range all {
		j.Stop(WithParley)
	}
	t.busy.Wait()
}

// prune drops ended commands beyond their bound, oldest first, and all that were never in the background. The lock is held.
func (t *Table) prune() {
	ended := 0
	for i := len(t.jobs) - 1; i >= 0; i-- {
		j := t.jobs[i]
		if !j.over {
			continue
		}
		if ended++; ended > maxEnded || j.name == "" {
			t.jobs = slices.Delete(t.jobs, i, i+1)
		}
		if j.name == "" {
			ended--
		}
	}
}
