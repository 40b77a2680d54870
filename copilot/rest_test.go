package copilot

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"parley/copilot/login"
)

// A reader that rests misses nothing: what came meanwhile is there at once, and what comes later wakes it however little
// it is.
func TestRestingConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := restingDial(&net.Dialer{})(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	other, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	c := restingOf(conn)
	if c == nil {
		t.Fatal("the connection cannot rest")
	}
	buf := make([]byte, 100)
	for _, text := range []string{"a", "bc", "d"} {
		c.rest()
		if _, err := io.WriteString(other, text); err != nil {
			t.Fatal(err)
		}
		if n, err := io.ReadFull(c, buf[:len(text)]); string(buf[:n]) != text || err != nil {
			t.Fatalf("%q %v", buf[:n], err)
		}
		reading := make(chan string)
		go func() { // has to wait, resting or not
			n, _ := c.Read(buf)
			reading <- string(buf[:n])
		}()
		if _, err := io.WriteString(other, "late"); err != nil {
			t.Fatal(err)
		}
		if got := <-reading; got != "late" {
			t.Fatalf("%q", got)
		}
	}
	c.rest()
	_ = other.Close()
	if n, err := c.Read(buf); n != 0 || err != io.EOF {
		t.Errorf("%d bytes, %v at the end", n, err)
	}
}

// A stream may rest before any of its frames, and its connection is good for the next request.
func TestRestingStream(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, frame := range []string{frameStart, delta("a"), delta("b"), frameStop} {
			_, _ = io.WriteString(w, frame)
			w.(http.Flusher).Flush()
		}
	}))
	defer s.Close()
	c, err := New(Options{Credential: login.Credential{Token: login.NewSecret("gho_x"), Host: "github.com"}, CopilotAPIURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 3 {
		stream, err := c.StreamMessages(t.Context(), Request{Body: []byte(`{"model":"m","messages":[]}`)})
		if err != nil {
			t.Fatal(err)
		}
		if stream.x.conn == nil {
			t.Fatal("the connection cannot rest")
		}
		n := 0
		for {
			stream.Rest()
			if _, err = stream.Next(); err != nil {
				break
			}
			n++
		}
		if n != 4 || err != io.EOF {
			t.Errorf("%d frames, %v", n, err)
		}
		stream.Rest() // too late to mean anything
	}
}
