package proc

import (
	"strconv"
	"strings"
)

// parsePS parses the output of ps with the columns pid, ppid, lstart (five words) and command, followed by the environment.
func parsePS(out string) []entry {
	const start, command = 2, 7
	var table []entry
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < command {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		if err != nil {
			continue
		}
		ppid, err := strconv.Atoi(fields[1])
		if err != nil {
			continue
		}
		e := entry{ident: ident{pid, strings.Join(fields[start:command], " ")}, ppid: ppid}
		for _, kv := range fields[command:] {
			if v, ok := strings.CutPrefix(kv, MarkVariable+"="); ok {
				e.mark = v
			}
			e.guard = e.guard || strings.HasPrefix(kv, guardVariable+"=")
		}
		table = append(table, e)
	}
	return table
}
