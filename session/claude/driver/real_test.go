//go:build unix

package driver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// scripts are the runtimes that run as processes of their own.
var scripts = map[string]claudetest.Script{
	"chat": chat,
	"big": func(r *claudetest.Conn) {
		r.Handshake()
		r.Serve(func(m claudetest.Message) {
			r.WriteRaw(fmt.Sprintf(`{"type":"user","echo":%d,"pad":"`, len(m.Raw)) + strings.Repeat("y", 12<<20) + "\"}\n")
			r.Result(m.UUID, "")
		}, nil)
	},
	"environment": func(r *claudetest.Conn) {
		r.Handshake()
		r.Write(map[string]any{"type": "environment", "args": os.Args[2:], "env": os.Environ()})
		r.Serve(nil, nil)
	},
	// shells starts a shell that leaves the session, as the runtime's own do, says its pid and goes on.
	"shells": func(r *claudetest.Conn) {
		r.Handshake()
		r.Write(map[string]any{"type": "shell", "pid": detach()})
		r.Serve(func(claudetest.Message) { r.Die() }, nil)
	},
	"stubborn": func(r *claudetest.Conn) {
		r.Handshake()
		r.Write(map[string]any{"type": "shell", "pid": detach()})
		r.IgnoreTerminate()
		r.Hang()
	},
	"deaf": func(r *claudetest.Conn) { // reads nothing after the handshake
		line, _ := bufio.NewReader(os.Stdin).ReadBytes('\n')
		var m claudetest.Message
		_ = json.Unmarshal(line, &m)
		r.Reply(m.ID, claudetest.Hello())
		r.Hang()
	},
	// host is a program with a driver, of which nothing must be left when it is killed.
	"host": func(*claudetest.Conn) { beHost() },
}

// detach starts a process in a separate session.
func detach() int {
	cmd := exec.Command("/bin/sh", "-c", "sleep 1000")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return 0
	}
	return cmd.Process.Pid
}

func beHost() {
	pid := make(chan int, 1)
	p, err := driver.Start(context.Background(), driver.Options{
		Launch: driver.Launch{Program: claudetest.Program("stubborn"), Environ: os.Environ()}, Processes: proc.New(proc.Options{}),
		Line: func(line []byte) { pid <- pidIn(line) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Pid(), <-pid)
	time.Sleep(time.Hour)
}

func pidIn(line []byte) int {
	var m struct{ Pid int }
	_ = json.Unmarshal(line, &m)
	return m.Pid
}

// runs starts a script as a process.
func runs(t *testing.T, script string, change func(o *driver.Options)) (p *driver.Process, lines chan []byte) {
	t.Helper()
	group := proc.New(proc.Options{Dir: filepath.Join(t.TempDir(), "processes")})
	t.Cleanup(func() {
		if err := group.Close(); err != nil {
			t.Error(err)
		}
	})
	lines = make(chan []byte, 100)
	o := driver.Options{Launch: driver.Launch{Program: claudetest.Program(script), Environ: os.Environ(), Session: "s", Bearer: "b.s"},
		Processes: group, Line: func(line []byte) { lines <- append([]byte(nil), line...) }}
	if change != nil {
		change(&o)
	}
	p, err := driver.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(context.Background()) })
	return p, lines
}

func gone(t *testing.T, pids ...int) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for _, pid := range pids {
		for pid != 0 && lives(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d lives", pid)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// lives reports whether the process runs. One that is not reaped, as in a container without an init, does not.
func lives(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func TestRealProcess(t *testing.T) {
	p, lines := runs(t, "chat", nil)
	if err := p.Send(t.Context(), driver.UserMessage{UUID: "u", Content: text("hi")}); err != nil {
		t.Fatal(err)
	}
	for line := range lines {
		if strings.Contains(string(line), `"type":"result"`) {
			break
		}
	}
	if p.Pid() == 0 || !p.Alive() {
		t.Error("no process")
	}
	if e := p.Close(t.Context()); e != (driver.Exit{Asked: true}) || p.Alive() {
		t.Errorf("%+v", e)
	}
}

// The process gets exactly the arguments and the environment that were made for it, and the mark.
func TestRealEnvironment(t *testing.T) {
	p, lines := runs(t, "environment", func(o *driver.Options) {
		o.Environ = []string{"HOME=/h", "ANTHROPIC_API_KEY=x", "OTEL_X=1"}
		o.Dir = t.TempDir()
	})
	var got struct{ Args, Env []string }
	if err := json.Unmarshal(<-lines, &got); err != nil {
		t.Fatal(err)
	}
	l := driver.Launch{Environ: []string{"HOME=/h", "OTEL_X=1"}, Session: "s", Bearer: "b.s"}
	if strings.Join(got.Args, " ") != strings.Join(driver.Args(l), " ") {
		t.Error(got.Args)
	}
	joined := strings.Join(got.Env, "\n")
	for _, want := range []string{"HOME=/h", "OTEL_X=1", "ANTHROPIC_AUTH_TOKEN=b.s", proc.MarkVariable + "="} {
		if !strings.Contains(joined, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(joined, "ANTHROPIC_API_KEY") || strings.Contains(joined, "GOPATH") || len(got.Env) > 14 {
		t.Error(joined)
	}
	p.Close(t.Context())
}

// Lines of twelve megabytes pass in both directions.
func TestRealTwelveMegabytes(t *testing.T) {
	p, lines := runs(t, "big", nil)
	if err := p.Send(t.Context(), driver.UserMessage{UUID: "u", Content: text(strings.Repeat("x", 12<<20))}); err != nil {
		t.Fatal(err)
	}
	line := <-lines
	head, pad, _ := strings.Cut(string(line), `,"pad":"`)
	var sent int
	if _, err := fmt.Sscanf(head, `{"type":"user","echo":%d`, &sent); err != nil || sent < 12<<20 || pad != strings.Repeat("y", 12<<20)+`"}` {
		t.Errorf("%.100q, %d bytes", head, len(pad))
	}
}

// Sending to a runtime that does not read ends with the context, and does not stand in the way of its end.
func TestRealRuntimeThatDoesNotRead(t *testing.T) {
	p, _ := runs(t, "deaf", func(o *driver.Options) {
		o.Limits = driver.Limits{Interrupt: time.Millisecond, Drain: time.Millisecond, Terminate: time.Millisecond}
	})
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if err := p.Send(ctx, driver.UserMessage{Content: text(strings.Repeat("x", 4<<20))}); session.KindOf(err) != session.KindStalled {
		t.Error(err)
	}
	if e := p.Close(t.Context()); e != (driver.Exit{Exit: proc.Exit{Code: -1, Signal: "killed"}, Asked: true}) {
		t.Errorf("%+v", e)
	}
}

// However the runtime ends, its shells end with it.
func TestRealShellsEnd(t *testing.T) {
	for name, end := range map[string]func(p *driver.Process){
		"closed":  func(p *driver.Process) { p.Close(context.Background()) },
		"crashed": func(p *driver.Process) { _ = p.Send(context.Background(), driver.UserMessage{Content: text("x")}) },
		"killed":  func(p *driver.Process) { _ = syscall.Kill(p.Pid(), syscall.SIGKILL) },
	} {
		t.Run(name, func(t *testing.T) {
			p, lines := runs(t, "shells", nil)
			shell := pidIn(<-lines)
			if shell == 0 || !lives(shell) {
				t.Fatal("no shell: this test shows nothing")
			}
			end(p)
			<-p.Done()
			if lives(shell) {
				t.Error("the shell lives after Done")
			}
		})
	}
}

// A kill of the host's own process leaves neither runtime nor shell, also if both ignore everything that can be ignored.
func TestRealHostKilled(t *testing.T) {
	host := exec.Command(os.Args[0], claudetest.Program("host")[1])
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	var runtime, shell int
	if _, err := fmt.Sscan(line, &runtime, &shell); err != nil || !lives(runtime) || !lives(shell) {
		t.Errorf("%q %v", line, err)
	}
	_ = host.Process.Kill()
	_ = host.Wait()
	gone(t, runtime, shell)
}
