package claude

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/crash"
	"parley/internal/safefs"
	"parley/session"
)

// followEvery is how often the output of a command is read while it is followed, and followBytes how much of it at most: of
// a command that writes more, parts are left out.
const (
	followEvery = 300 * time.Millisecond
	followBytes = 32 << 10
)

// Follow reads the output of a command in the background from the runtime's file, until ctx ends or the command does.
func (c *conversation) Follow(ctx context.Context, call session.CallID) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Closed || c.Link == nil {
		return
	}
	e := c.Link
	if _, ok := e.m.OutputOf(call); !ok || e.followed[call] {
		return
	}
	e.followed[call] = true
	c.Work.Go(crash.Guarded(func() { c.follow(ctx, e, call) }))
}

// follow publishes what a command writes.
func (c *conversation) follow(ctx context.Context, e *engine, call session.CallID) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for c.readMore(e, call) {
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		case <-c.Life.Done():
		case <-e.gone:
		}
		break
	}
	c.Mu.Lock()
	delete(e.followed, call)
	c.Mu.Unlock()
}

// readMore publishes what a command has written since, and reports whether it still runs.
func (c *conversation) readMore(e *engine, call session.CallID) bool {
	c.Mu.Lock()
	o, runs := e.m.OutputOf(call)
	from := e.readTo[call]
	c.Mu.Unlock()
	if !runs {
		return false
	}
	text, to := moreOf(c.a.o.TempDir, o.File, from)
	if to == from {
		return true
	}
	c.Mu.Lock()
	if _, runs = e.m.OutputOf(call); runs && c.Link == e && !c.Closed {
		e.readTo[call] = to
		if text != "" {
			c.Out.Put(o.Wrote(call, text, c.a.o.Now()))
		}
	}
	c.Mu.Unlock()
	c.Out.Deliver()
	return runs
}

// openOutput opens an output file of the runtime. Nothing is read through a link, and nothing outside of the private
// directory where the runtime keeps these files; an empty dir is not checked.
func openOutput(dir, path string) (*os.File, int64, error) {
	if dir == "" {
		f, info, err := safefs.OpenFile(path, safefs.NoLinks)
		if err != nil {
			return nil, 0, err
		}
		return f, info.Size(), nil
	}
	name, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(name) {
		return nil, 0, os.ErrNotExist
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	f, info, err := safefs.OpenFileIn(root, name, safefs.NoLinks)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// moreOf returns what a file has from a position on, whole characters only, and the position behind it. Of very much it
// returns the end, behind a line that says so.
func moreOf(dir, path string, from int64) (text string, to int64) {
	f, size, err := openOutput(dir, path)
	if err != nil {
		return "", from
	}
	defer f.Close()
	if size <= from {
		return "", from
	}
	left := size-from > followBytes
	if left {
		from = size - followBytes
	}
	data := make([]byte, min(size-from, followBytes))
	n, err := f.ReadAt(data, from)
	if err != nil && err != io.EOF {
		return "", from
	}
	data = data[:n]
	for i := 1; i < utf8.UTFMax && i <= len(data); i++ { // the rest of the last character comes later
		if b := data[len(data)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(data[len(data)-i:]) {
				data = data[:len(data)-i]
			}
			break
		}
	}
	to = from + int64(len(data))
	text = strings.ToValidUTF8(string(data), "\uFFFD")
	if left {
		_, rest, _ := strings.Cut(text, "\n")
		text = "\n… output left out …\n" + rest
	}
	return text, to
}
