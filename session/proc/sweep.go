package proc

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// strayAfter is how long a record is kept that nobody can judge: one made on another machine, or not readable.
const strayAfter = 30 * 24 * time.Hour

// verdict is what becomes of a record.
type verdict int

const (
	keep  verdict = iota // its owner lives, or it cannot be judged here
	sweep                // its owner is dead: kill what it names, then remove it
	drop                 // it means nothing any more
)

// judge decides about a record that was written at the given time.
func judge(r record, valid bool, written, now time.Time, here string, start func(pid int) string) verdict {
	old := now.Sub(written) > strayAfter
	switch {
	case !valid && old:
		return drop
	case !valid: // perhaps being written
		return keep
	case r.Place != here && old:
		return drop
	case r.Place != here:
		return keep
	}
	if s := start(r.Owner); s != "" && (s == r.OwnerStart || r.OwnerStart == "") {
		return keep
	}
	return sweep
}

// Sweep kills what programs that are gone have left behind, as far as records in [Options.Dir] name it, and returns how
// many processes that were. It never touches what belongs to a living program, and never a process that merely has the
// pid of one of ours. Without such records it costs the listing of one directory.
func (g *Group) Sweep(ctx context.Context) (killed int, err error) {
	if g.dir == "" {
		return 0, nil
	}
	entries, err := os.ReadDir(g.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	here, now := place(), time.Now()
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return killed, err
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), recordSuffix) {
			continue
		}
		path := filepath.Join(g.dir, e.Name())
		r, valid := readRecord(path)
		switch judge(r, valid, info.ModTime(), now, here, startOf) {
		case keep:
			continue
		case sweep:
			n, err := killRecorded(r)
			killed += n
			if err != nil {
				g.log.Warn("cannot sweep", "label", r.Label, "pid", r.Pid, "error", err)
				continue
			}
		case drop:
		}
		_ = os.Remove(path)
	}
	return killed, nil
}

func readRecord(path string) (record, bool) {
	var r record
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &r) != nil {
		return record{}, false
	}
	// A mark without its dots would match what is not ours.
	return r, r.Owner > 0 && strings.Count(r.Mark, ".") >= 3
}

// killRecorded kills what a record names and what carries its mark. The process itself must have the start time that was
// written down.
func killRecorded(r record) (int, error) { return killClaimed(r.Mark, ident{r.Pid, r.Start}) }
