package proc

import "strings"

// ident names one process for ever: its pid and when it started. A start of "" is one that the system does not tell.
type ident struct {
	pid   int
	start string
}

// entry is a row of the process table.
type entry struct {
	ident
	ppid  int
	mark  string // the value of the mark variable it was started with, "" if none or not readable
	guard bool   // it is a guard
}

// killRounds bounds how often the process table is read for one kill. More than two are needed only where processes
// start others faster than they are killed.
const killRounds = 25

// claimed picks from the table what is to be killed: processes whose mark begins with prefix, the process root if it is
// still the one meant, and whatever stands below either. Guards, ourselves and the system's first process are never among them.
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
	for grew := true; grew; { // a table is in no particular order, so children may stand before parents
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

// killClaimed kills what [claimed] picks until nothing is left, and returns how many processes that were.
func killClaimed(prefix string, root ident) (killed int, err error) {
	seen := map[ident]bool{}
	for range killRounds {
		table, err := processes()
		if err != nil {
			return len(seen), err
		}
		victims := claimed(table, prefix, root, ownPid)
		if len(victims) == 0 {
			return len(seen), nil
		}
		for _, v := range victims {
			seen[v.ident] = true
		}
		killProcesses(victims)
	}
	return len(seen), errStillThere
}
