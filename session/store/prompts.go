package store

import (
	"bufio"
	"bytes"
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

// promptLine begins the line of a prompt. Other lines are not decoded.
var promptLine = []byte(`{"type":"turn_started"`)

// maxPromptBytes bounds what is read of all journals for prompts.
const maxPromptBytes = 512 << 20

// Has reports whether a session has a journal on disk.
func (s *Store) Has(id session.ID) bool {
	path, err := s.path("look for journal", id)
	if err != nil {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Prompts yields the prompts of all sessions; see [session.PromptJournals]. It skips unreadable journals and ends after
// maxPromptBytes. It is for background use.
func (s *Store) Prompts(ctx context.Context, yield func([]session.PastPrompt) bool) error {
	const op = "read prompts"
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return diskError(op, s.dir, err)
	}
	type file struct {
		path string
		at   time.Time
	}
	var all []file
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), journalSuffix) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil {
			all = append(all, file{filepath.Join(s.dir, e.Name()), info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b file) int { return b.at.Compare(a.at) })
	read := 0
	for _, f := range all {
		if err := ctx.Err(); err != nil {
			return problem(op, session.KindCancelled, err)
		}
		prompts, n := promptsIn(f.path)
		if read += n; len(prompts) > 0 && !yield(prompts) || read > maxPromptBytes {
			return nil
		}
	}
	return nil
}

// promptsIn returns the prompts of a journal, newest first, and the number of bytes read.
func promptsIn(path string) (prompts []session.PastPrompt, read int) {
	f, err := openJournal("read prompts", path)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, 64<<10)
	dir := ""
	for first := true; ; first = false {
		line, err := lines.ReadSlice('\n')
		read += len(line)
		long := errors.Is(err, bufio.ErrBufferFull)
		switch {
		case long && bytes.HasPrefix(line, promptLine):
			line = bytes.Clone(line)
			rest, rerr := lines.ReadBytes('\n')
			read += len(rest)
			line, err = append(line, rest...), rerr
		case long:
			for errors.Is(err, bufio.ErrBufferFull) {
				line, err = lines.ReadSlice('\n')
				read += len(line)
			}
			line = nil
		}
		if err != nil && !errors.Is(err, io.EOF) || err != nil && len(line) == 0 {
			break
		}
		if first {
			if h, ok := decodeHeader(line); ok {
				dir = h.Meta.Dir
			}
		}
		if bytes.HasPrefix(line, promptLine) {
			if e, verdict := decodeLine(new(session.Decoder), line); verdict == lineEvent {
				if started, ok := e.(session.TurnStarted); ok && started.Prompt.Text != "" && started.Origin != session.OriginAutonomous {
					prompts = append(prompts, session.PastPrompt{Text: started.Prompt.Text, At: started.At, Dir: dir})
				}
			}
		}
		if err != nil {
			break
		}
	}
	slices.Reverse(prompts)
	return prompts, read
}
