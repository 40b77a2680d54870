package proc

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"testing"

	"parley/internal/repeat"
)

// A process that becomes another program again and again has no mark for a part of the time. It has left its group, and its
// parent is gone.
func TestKillFindsAProcessThatBecomesOthers(t *testing.T) {
	script := filepath.Join(t.TempDir(), "loop")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec \"$0\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range repeat.Times(5, 10, 40) {
		g := newGroup(t, "")
		c := start(t, g, sh("setsid sh -c 'echo $$; exec "+script+" >/dev/null 2>&1' & read -r leave"))
		line, _ := bufio.NewReader(c.Stdout()).ReadString('\n')
		changing := idOf(t, numbers(t, line)[0])
		_, _ = io.WriteString(c.Stdin(), "leave\n")
		<-c.Done()
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		awaitGone(t, changing)
	}
}
