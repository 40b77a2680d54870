package host

import (
	"context"
	"io"
	"testing"
)

// A pipe carries lines both ways to a client of the same user, and what was written before the end arrives.
func TestPipe(t *testing.T) {
	p := Place{t.TempDir(), "k"}
	l, err := listen(p)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !ours(p.Dir, nil) {
		t.Error("the folder is not ours")
	}
	served := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			defer c.Close()
			err = checkClient(c)
		}
		if err == nil {
			_, err = io.CopyN(c, c, 5)
		}
		served <- err
	}()
	c, err := connect(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := checkHost(c); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := connect(context.Background(), Place{p.Dir, "other"}); err == nil {
		t.Error("there is no such pipe")
	}
}
