package headless

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"

	"parley/internal/crash"
)

// maxHeld bounds the lines that wait in memory for a reader, in bytes.
const maxHeld = 8 << 20

// lines writes lines in the order in which they are added, from a goroutine of its own that runs while there are any: who adds
// one never waits for the reader. What exceeds a bound waits in a temporary file, so that nothing is lost. After the first failure
// all others are dropped. It is safe for concurrent use.
type lines struct {
	write func(line []byte) error
	most  int // bytes in memory

	mu    sync.Mutex
	held  [][]byte
	size  int    // of those held, in bytes
	rest  *spill // the lines after those; nil for none
	err   error  // the first failure
	owned bool   // the goroutine runs
	quiet *sync.Cond
}

func newLines(write func([]byte) error) *lines {
	l := &lines{write: write, most: maxHeld}
	l.quiet = sync.NewCond(&l.mu)
	return l
}

// add adds a line, which must not change any more.
func (l *lines) add(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	switch {
	case l.rest != nil:
		l.fail(l.rest.add(line))
	case l.size+len(line) <= l.most || len(l.held) == 0:
		l.held, l.size = append(l.held, line), l.size+len(line)
	default:
		var err error
		if l.rest, err = newSpill(); err == nil {
			err = l.rest.add(line)
		}
		l.fail(err)
	}
	if !l.owned && l.err == nil {
		l.owned = true
		crash.Go(l.run)
	}
}

// run writes until nothing waits.
func (l *lines) run() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		line, ok := l.next()
		if !ok {
			l.owned = false
			l.quiet.Broadcast()
			return
		}
		l.mu.Unlock()
		err := l.write(line)
		l.mu.Lock()
		l.size -= len(line)
		l.fail(err)
	}
}

// next takes the next line, which counts as held until it is written. The lock is held.
func (l *lines) next() (line []byte, ok bool) {
	if len(l.held) == 0 && l.rest != nil {
		line, err := l.rest.next()
		if l.rest.left == 0 || err != nil {
			l.drop()
		}
		l.fail(err)
		l.size += len(line)
		return line, err == nil
	}
	if len(l.held) == 0 {
		return nil, false
	}
	line = l.held[0]
	l.held[0] = nil
	l.held = l.held[1:]
	return line, true
}

// fail records the first failure, and drops all that waits. The lock is held.
func (l *lines) fail(err error) {
	if err == nil || l.err != nil {
		return
	}
	l.err, l.held = err, nil
	l.drop()
}

// drop removes the file. The lock is held.
func (l *lines) drop() {
	if l.rest != nil {
		l.rest.remove()
		l.rest = nil
	}
}

// flush returns once all lines are written or dropped, with the first failure.
func (l *lines) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.owned {
		l.quiet.Wait()
	}
	return l.err
}

// spill holds lines in a temporary file, each behind its length.
type spill struct {
	file        *os.File
	read, wrote int64 // offsets
	left        int   // lines
}

func newSpill() (*spill, error) {
	f, err := os.CreateTemp("", "parley-output-")
	if err != nil {
		return nil, fmt.Errorf("hold output for a slow reader: %w", err)
	}
	_ = os.Remove(f.Name()) // at once where the system can, so that a kill leaves nothing
	return &spill{file: f}, nil
}

func (s *spill) add(line []byte) error {
	b := append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(line)), uint32(len(line))), line...)
	n, err := s.file.WriteAt(b, s.wrote)
	s.wrote += int64(n)
	if err != nil {
		return fmt.Errorf("hold output for a slow reader: %w", err)
	}
	s.left++
	return nil
}

func (s *spill) next() ([]byte, error) {
	var head [4]byte
	_, err := s.file.ReadAt(head[:], s.read)
	line := make([]byte, binary.BigEndian.Uint32(head[:]))
	if err == nil {
		_, err = s.file.ReadAt(line, s.read+int64(len(head)))
	}
	if err != nil {
		return nil, fmt.Errorf("read output that was held for a slow reader: %w", err)
	}
	s.read += int64(len(head) + len(line))
	s.left--
	return line, nil
}

func (s *spill) remove() {
	_ = s.file.Close()
	_ = os.Remove(s.file.Name()) // where it could not be removed while it was open
}
