package proxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/login"
)

// rawService answers every request on a connection with the same bytes, event by event, and needs no memory for it.
func rawService(t testing.TB, events []byte, deltas int) (url string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	start, end := wireOf(hello[:2]), wireOf(hello[4:])
	chunk := func(s string) []byte { return fmt.Appendf(nil, "%x\r\n%s\r\n", len(s), s) }
	first, delta, last := append([]byte(head), chunk(start)...), chunk(string(events)), append(chunk(end), "0\r\n\r\n"...)
	models := []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"data\":[]}")
	serve := func(conn net.Conn) {
		defer func() { _ = conn.Close() }()
		buf := make([]byte, 64<<10)
		for {
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			if bytes.HasPrefix(buf[:n], []byte("GET")) {
				_, _ = conn.Write(models)
				continue
			}
			for !bytes.HasSuffix(buf[:n], []byte("}")) { // the requests of this test end so
				m, err := conn.Read(buf[n:])
				if err != nil {
					return
				}
				n += m
			}
			_, _ = conn.Write(first)
			for range deltas {
				if _, err := conn.Write(delta); err != nil {
					return
				}
			}
			_, _ = conn.Write(last)
		}
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return "http://" + listener.Addr().String()
}

// From socket to socket an event allocates almost nothing, joined with others or not: two allocations at most,
// of which net/http makes one for whatever is sent in one piece.
func TestAllocationsPerEvent(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	const deltas = 5000
	for _, join := range []time.Duration{0, -1} {
		t.Run(fmt.Sprint("joined within ", join), func(t *testing.T) {
			client, err := copilot.New(copilot.Options{
				Credential:    login.Credential{Token: login.NewSecret("gho_allocs"), Host: "github.com"},
				CopilotAPIURL: rawService(t, []byte(benchDelta), deltas),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			seen := make(chan Exchange, 1)
			server, err := Start(Options{Upstream: client, Coalesce: join, Observe: func(x Exchange) { seen <- x }})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = server.Close(context.Background()) }()
			bearer, err := server.Open("allocs")
			if err != nil {
				t.Fatal(err)
			}
			conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL(), "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			in := bufio.NewReaderSize(conn, 64<<10)
			request := fmt.Appendf(nil, "POST /v1/messages HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s",
				strings.TrimPrefix(server.URL(), "http://"), bearer, len(streamBody), streamBody)
			take := func() Exchange {
				if _, err := conn.Write(request); err != nil {
					t.Fatal(err)
				}
				for {
					line, err := in.ReadSlice('\n')
					if err != nil && err != bufio.ErrBufferFull {
						t.Fatal(err)
					}
					if string(line) == "0\r\n" {
						_, _ = in.Discard(2)
						return <-seen
					}
				}
			}
			take() // what is made once is made
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			x := take()
			runtime.ReadMemStats(&after)
			if x.Events != deltas+int64(len(hello))-2 || x.Err != "" {
				t.Fatalf("%+v", x)
			}
			per := float64(after.Mallocs-before.Mallocs) / deltas
			t.Logf("%.2f allocations per event, %d of %d events joined", per, x.Joined, x.Events)
			if per > 2 {
				t.Errorf("%.2f allocations per event", per)
			}
		})
	}
}
