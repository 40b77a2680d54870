package headless

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"parley/internal/cli/output"
	"parley/session"
)

// stalled is an output whose reader reads nothing until it is let go.
type stalled struct {
	free chan struct{}
	mu   sync.Mutex
	got  bytes.Buffer
}

func (s *stalled) Write(b []byte) (int, error) {
	<-s.free
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(b)
}

// A reader that stalls holds up neither the session nor its end, and gets every line in order, also those that waited in a file.
func TestAReaderThatStalls(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // of Windows
	out := &stalled{free: make(chan struct{})}
	p := play(t, Options{Format: Stream, Out: output.Results(out, nil)})
	p.stdout.most = 1 << 10
	const deltas = 500
	go func() {
		turn := p.world.Agent.Turn(t)
		for i := range deltas {
			turn.Text(fmt.Sprintf("word %d", i))
		}
		turn.End(session.TurnCompleted)
	}()
	ended, _, err := Ask(t.Context(), p.session, p.Printer, nil, "go on") // every listener has seen the end
	if err != nil || ended.Outcome != session.TurnCompleted || p.Words() == "" {
		t.Fatalf("%v, %+v", err, ended)
	}
	p.stdout.mu.Lock()
	held, spilled := p.stdout.size, p.stdout.rest != nil
	p.stdout.mu.Unlock()
	if held > 2<<10 || !spilled {
		t.Errorf("%d bytes in memory, in a file: %v", held, spilled)
	}
	close(out.free)
	p.Finish(ended, 0, nil)
	if err := p.Failure(); err != nil {
		t.Error(err)
	}
	got, at := out.got.String(), 0
	for i := range deltas {
		next := strings.Index(got[at:], fmt.Sprintf(`"word %d"`, i))
		if next < 0 {
			t.Fatalf("word %d is missing or out of order", i)
		}
		at += next
	}
	if all := strings.Split(strings.TrimSpace(got), "\n"); !strings.Contains(all[0], `"type":"session"`) || !strings.Contains(all[len(all)-1], `"type":"result"`) {
		t.Errorf("first %s\nlast %s", all[0], all[len(all)-1])
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// After a failure to write, such as a reader that is gone, the run goes on and reports it; nothing waits for ever.
func TestAReaderThatIsGone(t *testing.T) {
	gone := errors.New("gone")
	l := newLines(func([]byte) error { return gone })
	l.most = 1
	for i := range 100 {
		l.add([]byte(fmt.Sprint("line ", i)))
	}
	if err := l.flush(); !errors.Is(err, gone) || l.rest != nil || len(l.held) != 0 {
		t.Errorf("%v, %d held", err, len(l.held))
	}
	l.add([]byte("more"))
	if err := l.flush(); !errors.Is(err, gone) || len(l.held) != 0 {
		t.Errorf("%v, %d held", err, len(l.held))
	}
}

// Lines keep their order however they are added and wherever they wait.
func TestLinesKeepTheirOrder(t *testing.T) {
	var got []string
	l := newLines(func(b []byte) error { got = append(got, string(b)); return nil })
	l.most = 20
	for i := range 2000 {
		l.add([]byte(fmt.Sprintf("line %d", i)))
	}
	if err := l.flush(); err != nil || len(got) != 2000 {
		t.Fatalf("%v, %d lines", err, len(got))
	}
	for i, line := range got {
		if line != fmt.Sprintf("line %d", i) {
			t.Fatalf("%d is %q", i, line)
		}
	}
}
