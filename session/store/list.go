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
	"slices"
	"strings"
	"time"

	"parley/session"
)

// cachedEntry is a description for that size and modification time of the journal.
type cachedEntry struct {
	size  int64
	mtime time.Time
	meta  session.Meta
}

// rescanWorth is the number of folded bytes of a journal from which List saves the new summary.
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
	var out []session.Meta
	var refused []error
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return nil, problem(op, session.KindCancelled, err)
		}
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
		info, err := entry.Info()
		if err != nil {
			continue // it was removed meanwhile
		}
		out = append(out, s.describe(session.ID(id), info))
	}
	slices.SortStableFunc(out, func(a, b session.Meta) int {
		return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID))
	})
	return out, errors.Join(refused...)
}

// describe returns the cached description, or derives it.
func (s *Store) describe(id session.ID, info fs.FileInfo) session.Meta {
	s.mu.Lock()
	c, ok := s.cache[id]
	s.mu.Unlock()
	if ok && c.size == info.Size() && c.mtime.Equal(info.ModTime()) {
		return c.meta
	}
	path := filepath.Join(s.dir, string(id)+journalSuffix)
	meta := fallbackTimes(summarize(id, path, info.Size()), path)
	s.mu.Lock()
	s.cache[id] = cachedEntry{size: info.Size(), mtime: info.ModTime(), meta: meta}
	s.mu.Unlock()
	return meta
}

// summarize updates the journal's summary up to size, or up to the first read error.
func summarize(id session.ID, path string, size int64) session.Meta {
	sum, ok := loadSummary(summaryPath(path))
	if !ok || sum.Size > size {
		sum = summary{}
	}
	sum.Meta.ID = id
	covered := sum.Size
	if covered == size {
		return sum.Meta
	}
	f, err := openJournal("list sessions", path)
	if err != nil {
		return sum.Meta
	}
	defer f.Close()
	sum = foldRest(sum, io.NewSectionReader(f, covered, size-covered))
	if sum.Size-covered > rescanWorth {
		saveSummary(summaryPath(path), sum)
	}
	return sum.Meta
}

// foldRest folds the whole lines after the summary's size.
func foldRest(sum summary, r io.Reader) summary {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return sum // the last line is torn, or is being written
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
		if e, verdict := decodeLine(new(session.Decoder), line); verdict == lineEvent {
			sum.fold(e)
		}
	}
}

// worthFolding skips long lines that do not matter. Each event changes the time of the last change, but a line of many
// kilobytes never ends a turn.
func worthFolding(line []byte) bool {
	return len(line) < 4<<10 || bytes.HasPrefix(line, []byte(`{"type":"turn_started"`)) || bytes.HasPrefix(line, []byte(`{"type":"todos_changed"`))
}
