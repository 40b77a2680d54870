package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/internal/pace"
	"parley/session"
)

// cachedEntry is a description for that size and modification time of the journal.
type cachedEntry struct {
	size  int64
	mtime time.Time
	meta  session.Meta
}

// rescanWorth is the number of folded bytes of a journal with an old summary from which List saves a new one. One that is missing
// is saved in any case.
const rescanWorth = 64 << 10

// List describes all sessions, most recently updated first. It reads only the part of a journal that its summary does not
// cover. An unreadable journal is listed with its name and the time of the file. Anything else than a file is reported in
// an error, together with the sessions.
func (s *Store) List(ctx context.Context) ([]session.Meta, error) {
	const op = "list sessions"
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, diskError(op, s.dir, err)
	}
	var found []fs.DirEntry
	var refused []error
	for _, entry := range entries {
		if isTemp(entry.Name()) {
			removeStale(filepath.Join(s.dir, entry.Name()))
			continue
		}
		id, isJournal := strings.CutSuffix(entry.Name(), journalSuffix)
		if !isJournal || !validID.MatchString(id) {
			continue
		}
		if err := checkMode(op, filepath.Join(s.dir, entry.Name()), entry.Type()); err != nil {
			refused = append(refused, err)
			continue
		}
		found = append(found, entry)
	}
	out, err := s.describeAll(ctx, found)
	if err != nil {
		return nil, problem(op, session.KindCancelled, err)
	}
	slices.SortStableFunc(out, func(a, b session.Meta) int {
		return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID))
	})
	return out, errors.Join(refused...)
}

// describers bounds how many journals are described at a time.
const describers = 4

// describeAll describes journals, several at a time, and leaves out what was removed meanwhile. It fails only with its context.
func (s *Store) describeAll(ctx context.Context, found []fs.DirEntry) ([]session.Meta, error) {
	all := make([]session.Meta, len(found))
	var next atomic.Int64
	var work sync.WaitGroup
	for range min(pace.Workers(ctx, min(describers, runtime.GOMAXPROCS(0))), len(found)) {
		work.Add(1)
		crash.Go(func() {
			defer work.Done()
			for i := int(next.Add(1)) - 1; i < len(found) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				pace.Rest(ctx)
				if info, err := found[i].Info(); err == nil {
					all[i] = s.describe(ctx, session.ID(strings.TrimSuffix(found[i].Name(), journalSuffix)), info)
				}
			}
		})
	}
	work.Wait()
	return slices.DeleteFunc(all, func(m session.Meta) bool { return m.ID == "" }), ctx.Err()
}

// describe returns the cached description, or derives it.
func (s *Store) describe(ctx context.Context, id session.ID, info fs.FileInfo) session.Meta {
	s.mu.Lock()
	c, ok := s.cache[id]
	s.mu.Unlock()
	if ok && c.size == info.Size() && c.mtime.Equal(info.ModTime()) {
		return c.meta
	}
	path := filepath.Join(s.dir, string(id)+journalSuffix)
	meta := fallbackTimes(summarize(ctx, id, path, info.Size(), false).Meta, path)
	s.mu.Lock()
	s.cache[id] = cachedEntry{size: info.Size(), mtime: info.ModTime(), meta: meta}
	s.mu.Unlock()
	return meta
}

// summarize updates the journal's summary up to size, or up to the first read error; it rests as [pace.Gently] asks. With costs it derives one without them again.
func summarize(ctx context.Context, id session.ID, path string, size int64, costs bool) summary {
	sum, ok := loadSummary(summaryPath(path))
	if !ok || sum.Size > size || costs && !sum.Costs.Counted {
		sum = summary{}
		sum.Costs.Counted = true
	}
	sum.Meta.ID = id
	covered := sum.Size
	if covered == size {
		return sum
	}
	f, err := openJournal("list sessions", path)
	if err != nil {
		return sum
	}
	defer f.Close()
	sum = foldRest(sum, pace.Reader(ctx, io.NewSectionReader(f, covered, size-covered)))
	if covered == 0 && sum.Size > 0 || sum.Size-covered > rescanWorth {
		saveSummary(summaryPath(path), sum)
	}
	return sum
}

// foldRest folds the whole lines after the summary's size.
func foldRest(sum summary, r io.Reader) summary {
	lines := bufio.NewReaderSize(r, 64<<10)
	var long []byte
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, line...)
			continue
		}
		if err != nil {
			return sum // the last line is torn, or is being written
		}
		if len(long) > 0 {
			line = append(long, line...)
			long = line[:0]
		}
		if sum.Size == 0 {
			if h, ok := decodeHeader(line); ok {
				id := sum.Meta.ID
				sum.Meta = *h.Meta
				sum.Meta.ID = id
				sum.Size = int64(len(line))
				continue
			}
		}
		sum.Size += int64(len(line))
		if !worthFolding(line) {
			continue
		}
		if e, verdict := decodeLine(new(session.Decoder), bytes.Clone(line)); verdict == lineEvent {
			sum.fold(e)
		}
	}
}

// worthFolding skips long lines that do not matter. Each event changes the time of the last change, but a line of many
// kilobytes never ends a turn.
func worthFolding(line []byte) bool {
	return len(line) < 4<<10 || bytes.HasPrefix(line, []byte(`{"type":"turn_started"`)) || bytes.HasPrefix(line, []byte(`{"type":"todos_changed"`))
}
