//go:build contract && unix

package driver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/session/copilot/dispatch"
	"parley/session/copilot/driver"
	"parley/session/copilot/protocol"
	"parley/session/proc"
	"parley/session/runtimes/runtimestest"
)

// bare is the least that talks to a runtime: it decodes nothing.
type bare struct {
	child *proc.Child
	in    *bufio.Reader
	id    int
}

func startBare(b *testing.B, o driver.Options) *bare {
	b.Helper()
	child, err := o.Processes.Start(b.Context(), proc.Command{Argv: driver.Args(o.Argv), Dir: o.Dir, Env: driver.Environ(o), Label: "bare"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = child.Kill() })
	go func() { _, _ = io.Copy(io.Discard, child.Stderr()) }()
	return &bare{child: child, in: bufio.NewReaderSize(child.Stdout(), 64<<10)}
}

func (c *bare) write(method string, params any) {
	c.id++
	content, _ := json.Marshal(object{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	_, _ = fmt.Fprintf(c.child.Stdin(), "Content-Length: %d\r\n\r\n%s", len(content), content)
}

// until reads until a message contains a text.
func (c *bare) until(b *testing.B, text string) {
	b.Helper()
	for {
		length := 0
		for line := "x"; line != ""; {
			raw, err := c.in.ReadString('\n')
			if err != nil {
				b.Fatal(err)
			}
			line = strings.TrimSpace(raw)
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(n)
			}
		}
		content := make([]byte, length)
		if _, err := io.ReadFull(c.in, content); err != nil {
			b.Fatal(err)
		}
		if bytes.Contains(content, []byte(text)) {
			return
		}
	}
}

// BenchmarkContractFirstEvent compares the time from a prompt to the first delta of its answer through the driver with that of
// a bare connection to a runtime of the same version, turn by turn.
func BenchmarkContractFirstEvent(b *testing.B) {
	dir := runtimestest.InstalledCopilots(b)
	for _, version := range runtimestest.Copilots {
		b.Run(version, func(b *testing.B) {
			o := real(b, dir, version)
			token, _ := o.Token(b.Context())
			plain := startBare(b, o)
			plain.write("connect", object{})
			plain.until(b, `"protocolVersion"`)
			plain.write("session.create", object{"sessionId": "bare", "model": "claude-sonnet-4.6", "streaming": true, "gitHubToken": token,
				"workingDirectory": b.TempDir(), "clientName": "parley"})
			plain.until(b, `"id":2`)

			c, err := driver.Start(context.Background(), real(b, dir, version))
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = c.Close(context.Background()) }()
			first, idle := make(chan struct{}, 1000), make(chan struct{}, 1)
			c.Router().Add("s", dispatch.Session{Handlers: dispatch.Handlers{Event: func(e protocol.Event) {
				switch e.Type {
				case "assistant.message_delta":
					first <- struct{}{}
				case "session.idle":
					idle <- struct{}{}
				}
			}}})
			if err := c.Call(b.Context(), "session.create", object{"sessionId": "s", "model": "claude-sonnet-4.6", "streaming": true,
				"workingDirectory": b.TempDir(), "clientName": "parley"}, nil); err != nil {
				b.Fatal(err)
			}
			var bares, drivers []time.Duration
			for b.Loop() {
				at := time.Now()
				plain.write("session.send", object{"sessionId": "bare", "prompt": "hello"})
				plain.until(b, `"assistant.message_delta"`)
				bares = append(bares, time.Since(at))
				plain.until(b, `"session.idle"`)

				at = time.Now()
				if err := c.Call(b.Context(), "session.send", object{"sessionId": "s", "prompt": "hello"}, nil); err != nil {
					b.Fatal(err)
				}
				<-first
				drivers = append(drivers, time.Since(at))
				<-idle
				for len(first) > 0 {
					<-first
				}
			}
			slices.Sort(bares)
			slices.Sort(drivers)
			median := func(all []time.Duration) float64 { return all[len(all)/2].Seconds() * 1000 }
			b.ReportMetric(median(bares), "bare-ms")
			b.ReportMetric(median(drivers), "driver-ms")
		})
	}
}

// BenchmarkContractDeltas is the processor time that 2,000 deltas of a real runtime cost this process, in which the simulated
// service runs too. The bare connection has the same service.
func BenchmarkContractDeltas(b *testing.B) {
	dir := runtimestest.InstalledCopilots(b)
	for _, version := range runtimestest.Copilots {
		b.Run(version, func(b *testing.B) {
			o := real(b, dir, version)
			token, _ := o.Token(b.Context())
			plain := startBare(b, o)
			plain.write("connect", object{})
			plain.until(b, `"protocolVersion"`)
			plain.write("session.create", object{"sessionId": "bare", "model": "claude-sonnet-4.6", "streaming": true, "gitHubToken": token,
				"workingDirectory": b.TempDir(), "clientName": "parley"})
			plain.until(b, `"id":2`)
			chat := drive(b, real(b, dir, version), "session.create", "s")
			var bares, drivers time.Duration
			n := 0
			for b.Loop() {
				before := processorTime()
				plain.write("session.send", object{"sessionId": "bare", "prompt": "much"})
				plain.until(b, `"session.idle"`)
				middle := processorTime()
				chat.send("much")
				n += len(chat.until("session.idle"))
				bares, drivers = bares+middle-before, drivers+processorTime()-middle
			}
			b.ReportMetric(float64(n)/float64(b.N), "events/op")
			b.ReportMetric(float64(bares.Microseconds())/1000/float64(b.N), "bare-cpu-ms/op")
			b.ReportMetric(float64(drivers.Microseconds())/1000/float64(b.N), "driver-cpu-ms/op")
		})
	}
}
