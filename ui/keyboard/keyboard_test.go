package keyboard

import (
	"io"
	"os"
	"strings"
	"testing"
)

func TestTheEndIsReportedOnce(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "keys")
	w.Close()
	for name, in := range map[string]io.Reader{"a file": r, "a reader": strings.NewReader("keys")} {
		gone := 0
		watched := Watch(in, func() { gone++ })
		b := make([]byte, 10)
		if n, _ := watched.Read(b); n != 4 || gone != 0 {
			t.Errorf("%s: %d bytes, gone %d", name, n, gone)
		}
		watched.Read(b)
		watched.Read(b)
		if gone != 1 {
			t.Errorf("%s: gone %d times", name, gone)
		}
	}
	if f, ok := Watch(r, func() {}).(*File); !ok || f.Terminal() != r || f.Fd() != r.Fd() {
		t.Error("a file is not a file any more")
	}
	r.Close()
	if Watch(nil, nil) != nil {
		t.Error("nothing is something")
	}
}
