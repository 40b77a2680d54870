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

// strayAfter is the time for which a record of another machine, or an unreadable one, is kept.
const strayAfter = 30 * 24 * time.Hour

// verdict decides about a record.
type verdict int

const (
	keep  verdict = iota // its owner runs, or is unknown here
	sweep                // its owner has ended: kill its processes, then remove it
	drop                 // it is outdated
)

// judge returns the verdict about a record of that time.
func judge(r record, valid bool, written, now time.Time, here string, start func(pid int) string) verdict {
	old := now.Sub(written) > strayAfter
	switch {
	case !valid && old:
		return drop
	case !valid: // it may be being written
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

// Sweep kills the processes that ended programs left behind according to the records in [Options.Dir], and returns their
// number. It spares processes of running programs, and processes that only have the pid of one of ours. Without records it
// only lists one directory.
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
	// A mark without its dots would match other processes.
	return r, r.Owner > 0 && strings.Count(r.Mark, ".") >= 3
}

// killRecorded kills the process of a record, if it has the recorded start time, and all processes with its mark.
func killRecorded(r record) (int, error) { return killClaimed(r.Mark, ident{r.Pid, r.Start}) }
