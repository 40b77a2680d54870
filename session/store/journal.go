package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"parley/session"
)

// journal appends to the file of one session. It is not safe for concurrent use.
type journal struct {
	path   string
	file   File
	unlock func()

	// deltas are encoded later, because the next event may continue the last one.
	deltas session.Record
	// pending is encoded but not in the file. After a failed write it may begin within a line.
	pending []byte
	// size is the length of the file, for the summary.
	size    int64
	summary summary
	closed  bool
	// named reports whether the file's name is on the disk itself. Only Sync and Close use it.
	named bool
}

var (
	_ session.TurnCounter = (*journal)(nil)
	_ session.Syncer      = (*journal)(nil)
)

// Append records e. Deltas wait for the next Flush or the next event that is not a delta.
func (j *journal) Append(e session.Event) error {
	if j.closed {
		return problem("write journal", session.KindInternal, errors.New("the journal is closed"))
	}
	j.summary.fold(e)
	if _, isDelta := session.Fragment(e); isDelta {
		j.deltas.Add(e)
		return nil
	}
	if err := j.encodeDeltas(); err != nil {
		return err
	}
	if err := j.encode(e); err != nil {
		return err
	}
	if err := j.write(); err != nil {
		return err
	}
	if _, ok := e.(session.TurnEnded); ok {
		j.saveSummary()
	}
	return nil
}

// CountTurns sets the number of turns before the next event.
func (j *journal) CountTurns(n int) { j.summary.Meta.Turns = n }

// Flush writes pending events. They stay pending after an error.
func (j *journal) Flush() error {
	if j.closed {
		return nil
	}
	if err := j.encodeDeltas(); err != nil {
		return err
	}
	return j.write()
}

// Close flushes and releases the lock, also after a failed flush. It may be called more than once.
func (j *journal) Close() error {
	if j.closed {
		return nil
	}
	err := j.Flush()
	j.closed = true
	if err == nil {
		err = j.Sync()
		j.saveSummary()
	}
	if closeErr := j.file.Close(); closeErr != nil && err == nil {
		err = diskError("write journal", j.path, closeErr)
	}
	j.unlock()
	return err
}

// Sync puts what was written on the disk itself, with the name of a new file. A file system that cannot do that has no error.
func (j *journal) Sync() error {
	err := j.file.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	if err != nil {
		return diskError("write journal", j.path, err)
	}
	if !j.named {
		j.named = true
		if dir, err := os.Open(filepath.Dir(j.path)); err == nil {
			_ = dir.Sync() // not every system can
			dir.Close()
		}
	}
	return nil
}

func (j *journal) encodeDeltas() error {
	var errs []error
	for _, e := range j.deltas.Take() {
		errs = append(errs, j.encode(e))
	}
	return errors.Join(errs...)
}

func (j *journal) encode(e session.Event) error {
	line, err := session.EncodeEvent(e)
	if err != nil {
		return problem("write journal", session.KindInternal, err)
	}
	j.pending = append(append(j.pending, line...), '\n')
	return nil
}

// write writes pending to the file. After a short write exactly the missing bytes stay pending, so that a later write
// completes the line.
func (j *journal) write() error {
	if len(j.pending) == 0 {
		return nil
	}
	n, err := j.file.Write(j.pending)
	n = min(max(n, 0), len(j.pending))
	j.size += int64(n)
	j.pending = j.pending[n:]
	if err != nil {
		return diskError("write journal", j.path, err)
	}
	j.pending = nil
	return nil
}

// saveSummary saves the summary, ignoring errors: List derives a missing or old one from the journal.
func (j *journal) saveSummary() {
	s := j.summary
	s.Size = j.size
	saveSummary(summaryPath(j.path), s)
}
