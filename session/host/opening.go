package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// opening asks a client to open a file in its user's editor, at a line unless that is 0, or no longer to wait for that.
type opening struct {
	ID     uint64 `json:"id"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Cancel bool   `json:"cancel,omitempty"`
}

// opened answers it.
type opened struct {
	ID    uint64   `json:"id"`
	Left  bool     `json:"left,omitempty"` // the user had the editor in the terminal, and has left it
	Error *problem `json:"error,omitempty"`
}

// Bounds of what one terminal is asked to open: how many files at once, and the bytes of a path.
const (
	maxOpening  = 8
	maxOpenPath = 4 << 10
)

// openTime bounds the time that an editor with a window of its own may take to open a file.
const openTime = 10 * time.Second

// Screens are the terminals that show the sessions of a host. The zero value is ready. It is safe for concurrent use.
type Screens struct {
	mu sync.Mutex
	of map[session.ID][]*link // those that can open files, the one that was used last at the end
}

// Open opens a file in the editor of the terminal that shows a session, or of the one that was used last if there are several. left says
// that the user had the editor in the terminal, and has left it. It waits for that until ctx ends.
func (s *Screens) Open(ctx context.Context, id session.ID, path string, line int) (left bool, err error) {
	s.mu.Lock()
	shown := s.of[id]
	s.mu.Unlock()
	if len(shown) == 0 {
		return false, errors.New("no terminal that can open files shows this session now")
	}
	return shown[len(shown)-1].open(ctx, path, line)
}

// use notes that the user does something with a session in a terminal.
func (s *Screens) use(l *link) {
	if s != nil && l.opens {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.of == nil {
			s.of = map[session.ID][]*link{}
		}
		s.of[l.s.id] = append(without(s.of[l.s.id], l), l)
	}
}

// forget drops a terminal that no longer shows its session.
func (s *Screens) forget(l *link) {
	if s != nil && l.opens {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.of[l.s.id] = without(s.of[l.s.id], l); len(s.of[l.s.id]) == 0 {
			delete(s.of, l.s.id)
		}
	}
}

// without returns a copy of links without one.
func without(all []*link, one *link) []*link {
	return slices.DeleteFunc(slices.Clone(all), func(l *link) bool { return l == one })
}

// open asks the client to open a file, and waits for its answer.
func (l *link) open(ctx context.Context, path string, at int) (left bool, err error) {
	if len(path) > maxOpenPath {
		return false, fmt.Errorf("the path of the file is longer than %d bytes", maxOpenPath)
	}
	answer := make(chan opened, 1)
	l.mu.Lock()
	if len(l.answers) >= maxOpening {
		l.mu.Unlock()
		return false, fmt.Errorf("%d files wait for the user in this terminal already; open it once they have left one", maxOpening)
	}
	l.opening++
	id := l.opening
	if l.answers == nil {
		l.answers = map[uint64]chan opened{}
	}
	l.answers[id] = answer
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.answers, id)
		l.mu.Unlock()
	}()
	select {
	case l.lines <- line(tagOpen, opening{ID: id, Path: path, Line: at}):
	case <-l.life.Done():
		return false, errLeft
	case <-ctx.Done():
		return false, ctx.Err()
	}
	select {
	case a := <-answer:
		if a.Error != nil {
			err = errors.New(a.Error.Text)
		}
		return a.Left, err
	case <-l.life.Done():
		return false, errLeft
	case <-ctx.Done():
		select {
		case l.lines <- line(tagOpen, opening{ID: id, Cancel: true}):
		default: // it does not read, and learns it with the call's end
		}
		return false, ctx.Err()
	}
}

var errLeft = errors.New("the terminal that opened it is gone")

// answered passes on what a client says of a file that it was to open.
func (l *link) answered(a opened) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ch := l.answers[a.ID]; ch != nil {
		delete(l.answers, a.ID)
		ch <- a
	}
}

// opener opens the files that the host of one connection wants opened. The connection's reader calls it.
type opener struct {
	s     *mirror
	mu    sync.Mutex
	waits map[uint64]context.CancelFunc
}

// take opens a file beside the reader, or ends the wait for one.
func (o *opener) take(c *conn, data []byte) error {
	var a opening
	if err := json.Unmarshal(data, &a); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if a.Cancel {
		if cancel := o.waits[a.ID]; cancel != nil {
			cancel()
		}
		return nil
	}
	ctx, cancel := context.WithCancel(o.s.m.life)
	if !o.s.m.o.OpenWaits {
		cancel() // else the manager keeps it as long as it lives
		ctx, cancel = context.WithTimeout(o.s.m.life, openTime)
	}
	o.waits[a.ID] = cancel
	crash.Go(func() {
		select {
		case <-c.done:
			cancel()
		case <-ctx.Done():
		}
	})
	crash.Go(func() {
		defer cancel()
		err := o.s.m.o.Open(ctx, a.Path, a.Line)
		o.mu.Lock()
		delete(o.waits, a.ID)
		o.mu.Unlock()
		_, _, _ = c.ask("opened", opened{ID: a.ID, Left: o.s.m.o.OpenWaits && err == nil, Error: problemOf(err)}, nil, nil) // a host that ended wants no answer
	})
	return nil
}
