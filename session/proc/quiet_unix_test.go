//go:build unix

package proc

import (
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// What a child has written is waited for until it was read, though it has ended long ago, but not for ever.
func TestQuiet(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		read time.Duration // after the end
		want time.Duration
	}{
		"nothing":     {"", 0, lingering},
		"read late":   {"words", 10*lingering + lingering/2, 11 * lingering},
		"never read":  {"words", time.Hour, maxLingering * lingering},
		"read at end": {"words", lingering / 2, lingering},
	} {
		synctest.Test(t, func(t *testing.T) {
			ours, theirs, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer ours.Close()
			defer theirs.Close() // a process holds it
			if _, err := theirs.WriteString(c.text); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			quiet := (&Child{stdout: ours}).Quiet(make(chan struct{}))
			if c.text != "" && c.read < c.want {
				time.Sleep(c.read)
				if _, err := ours.Read(make([]byte, 10)); err != nil {
					t.Error(err)
				}
			}
			if <-quiet; time.Since(began) != c.want {
				t.Errorf("%s: after %v, not %v", name, time.Since(began), c.want)
			}
		})
	}
	read := make(chan struct{})
	close(read)
	<-(&Child{}).Quiet(read)
}
