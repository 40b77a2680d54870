package proc

import (
	"slices"
	"strings"
	"time"
)

// ident identifies a process by pid and start time. A start of "" is unknown.
type ident struct {
	pid   int
	start string
}

// entry is a row of the process table.
type entry struct {
	ident
	ppid  int
	mark  string // the value of its mark variable, "" for none or an unreadable one
	guard bool   // it is a guard
	// changing reports that its environment is empty, so that its mark may come: while a process becomes another program, the
	// system has no environment to show.
	changing bool
}

// killRounds bounds the readings of the process table for one kill. More than two are needed only if processes start others
// faster than they are killed.
const killRounds = 25

// claimed returns the processes to kill: those whose mark begins with prefix, the process root if it has that start time, and
// all below them. Guards, this process and the first process of the system are left out.
func claimed(table []entry, prefix string, root ident, self int) []entry {
	in := map[int]bool{}
	if root.pid > 0 {
		for _, e := range table {
			if e.ident == root {
				in[e.pid] = true
			}
		}
	}
	for _, e := range table {
		if prefix != "" && strings.HasPrefix(e.mark, prefix) {
			in[e.pid] = true
		}
	}
	if len(in) == 0 {
		return nil
	}
	for grew := true; grew; { // children may come before their parents
		grew = false
		for _, e := range table {
			if in[e.ppid] && !in[e.pid] && !e.guard {
				in[e.pid], grew = true, true
			}
		}
	}
	var out []entry
	for _, e := range table {
		if in[e.pid] && !e.guard && e.pid != self && e.pid > 1 {
			out = append(out, e)
		}
	}
	return out
}

// A process that is becoming another program gets this many looks at its mark, the first this long apart and each next twice as
// long: on a busy machine it may not run for tens of milliseconds. There is nothing to wait for.
const (
	changeLooks = 7
	changeTime  = 3 * time.Millisecond
)

// host reads and ends processes.
type host struct {
	read  func() ([]entry, error)
	kill  func([]entry)
	pause func(time.Duration)
}

// killClaimed kills the processes of [claimed] until none is left, and returns their number.
func killClaimed(prefix string, root ident) (killed int, err error) {
	return host{processes, killProcesses, time.Sleep}.killClaimed(prefix, root)
}

func (h host) killClaimed(prefix string, root ident) (killed int, err error) {
	seen := map[ident]bool{}
	looks := 0
	for range killRounds {
		table, err := h.read()
		if err != nil {
			return len(seen), err
		}
		victims := claimed(table, prefix, root, ownPid)
		switch {
		case len(victims) > 0:
		case looks < changeLooks && slices.ContainsFunc(table, func(e entry) bool { return e.changing }):
			h.pause(changeTime << looks)
			looks++
			continue
		default:
			return len(seen), nil
		}
		for _, v := range victims {
			seen[v.ident] = true
		}
		h.kill(victims)
	}
	return len(seen), errStillThere
}
