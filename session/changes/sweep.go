package changes

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/changes/snapshot"
)

// sweepAge is how old an image without a log, and the last change of a log without a session, must be to be removed. A call
// that takes longer keeps its images by looking at them again.
const sweepAge = 24 * time.Hour

// Sweep removes the logs of sessions that exist reports as gone, and images that no log needs. If the rest is larger than
// most bytes, it removes the images of the logs that have not changed for longest, and leaves the logs; 0 sets no bound. What
// was written within a day stays. It is for the background, and the caller runs it once at a time over all processes.
func (b *Library) Sweep(ctx context.Context, exists func(session.ID) bool, most int64) (freed int64, err error) {
	if most <= 0 {
		most = math.MaxInt64
	}
	before := b.now().Add(-sweepAge)
	logs, err := b.sweepLogs(ctx, exists, before)
	if err != nil {
		return 0, err
	}
	for {
		used := map[string]bool{}
		for _, l := range logs {
			for sum := range l.images {
				used[sum] = true
			}
		}
		n, over, err := b.o.Store.Sweep(ctx, used, before, most)
		freed += n
		if err != nil {
			return freed, diskError("sweep changes of files", err)
		}
		rest := withoutOldest(logs, over, before)
		if over == 0 || len(rest) == len(logs) {
			return freed, nil
		}
		logs = rest
	}
}

// sweptLog is the log of a session that stays.
type sweptLog struct {
	changed time.Time
	images  map[string]int64 // the sizes by sum, 0 if unknown
}

// sweepLogs removes logs without sessions, and returns what the others need. It fails if it cannot read a log: without it
// nothing would save the log's images.
func (b *Library) sweepLogs(ctx context.Context, exists func(session.ID) bool, before time.Time) ([]sweptLog, error) {
	const op = "sweep changes of files"
	entries, err := os.ReadDir(b.o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, diskError(op, err)
	}
	var logs []sweptLog
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok {
			continue
		}
		if ctx.Err() != nil {
			return nil, cancelled(op, ctx)
		}
		id := session.ID(name)
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) && validID.MatchString(name) && !exists(id) {
			if err = b.Remove(ctx, id); err == nil {
				continue
			}
		}
		var log sweptLog
		if err == nil {
			log, err = readSwept(filepath.Join(b.o.Dir, e.Name()), info.ModTime())
		}
		if err != nil {
			return nil, diskError(op, err)
		}
		logs = append(logs, log)
	}
	if b.o.Elsewhere != nil {
		paths, err := b.o.Elsewhere(ctx)
		for _, path := range paths {
			var log sweptLog
			info, failed := os.Lstat(path)
			if errors.Is(failed, fs.ErrNotExist) {
				continue
			}
			if failed == nil {
				log, failed = readSwept(path, info.ModTime())
			}
			logs, err = append(logs, log), errors.Join(err, failed)
		}
		if err != nil {
			return nil, diskError(op, err)
		}
	}
	slices.SortFunc(logs, func(a, b sweptLog) int { return a.changed.Compare(b.changed) })
	return logs, nil
}

// sums finds the names of images, also in lines that are damaged or that a newer parley wrote.
var sums = lazyregexp.New(`\b[0-9a-f]{64}\b`)

// readSwept returns what a log needs.
func readSwept(path string, changed time.Time) (sweptLog, error) {
	l := sweptLog{changed: changed, images: map[string]int64{}}
	f, _, err := safefs.OpenFile(path, safefs.NoLinks)
	if errors.Is(err, safefs.ErrNotRegular) {
		return l, nil // nothing of ours
	}
	if err != nil {
		return l, err
	}
	defer f.Close()
	for r := bufio.NewReaderSize(f, 64<<10); ; {
		text, err := r.ReadBytes('\n')
		for _, sum := range sums.FindAll(text, -1) {
			l.images[string(sum)] += 0
		}
		if ln, ok := decodeLine(text); ok {
			for _, s := range ln.states() {
				if _, named := l.images[s.Sum]; named {
					l.images[s.Sum] = s.Size
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return l, nil
		}
		if err != nil {
			return l, err
		}
	}
}

// states returns the states that a line has.
func (l line) states() []snapshot.State {
	var all []snapshot.State
	if l.Change != nil {
		all = append(all, l.Change.Before, l.Change.After)
	}
	if l.Step != nil {
		for _, f := range l.Step.Files {
			all = append(all, f.From, f.To)
		}
	}
	return all
}

// withoutOldest returns the logs without as many of the oldest as free so many bytes. Logs that changed since before stay.
func withoutOldest(logs []sweptLog, bytes int64, before time.Time) []sweptLog {
	users := map[string]int{}
	for _, l := range logs {
		for sum := range l.images {
			users[sum]++
		}
	}
	n := 0
	for ; n < len(logs) && bytes > 0 && logs[n].changed.Before(before); n++ {
		for sum, size := range logs[n].images {
			if users[sum]--; users[sum] == 0 {
				bytes -= cmp.Or(size, 1)
			}
		}
	}
	return logs[n:]
}
