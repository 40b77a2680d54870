package keyboard

import (
	"io"
	"os"
	"testing"

	"github.com/muesli/cancelreader"
	"golang.org/x/sys/unix"
)

// TestANewReaderIsSealed makes a reader, reads with it, ends it, and makes another one, as a chat does around an editor: the
// descriptors of both are closed in children.
func TestANewReaderIsSealed(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	f := Watch(r, func() {}).(*File)
	for round := range 3 {
		reader, err := cancelreader.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		if open := openPolls(t); open != 0 {
			t.Errorf("round %d: %d descriptors reach children", round, open)
		}
		io.WriteString(w, "key")
		if n, err := reader.Read(make([]byte, 10)); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		if round == 1 { // one that was interrupted while it waited
			reader.Cancel()
			reader.Read(make([]byte, 10))
		}
		if err := reader.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// openPolls counts the descriptors of epoll that a child would inherit.
func openPolls(t *testing.T) (open int) {
	t.Helper()
	for _, fd := range polls() {
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			open++
		}
	}
	return open
}

// TestAKeyListsNoDescriptors counts the listings of the process's descriptors: each costs a tenth of a millisecond.
func TestAKeyListsNoDescriptors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	reader, err := cancelreader.NewReader(Watch(r, func() {}).(*File))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var before int64
	for key := range 51 {
		if key == 1 { // the first one finds a reader that is new
			before = listed.Load()
		}
		io.WriteString(w, "k")
		if n, err := reader.Read(make([]byte, 10)); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if n := listed.Load() - before; n != 0 {
		t.Errorf("50 keys listed the descriptors %d times", n)
	}
}
