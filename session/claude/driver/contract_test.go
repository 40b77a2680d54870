//go:build contract && unix

package driver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/proxy"
	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
	"parley/session/proc"
	"parley/session/runtimes/runtimestest"
)

func init() { scripts["contract host"] = func(*claudetest.Conn) { beContractHost() } }

// patience is how long something may take that takes moments, on a slow machine that does other things too.
const patience = 3 * time.Minute

// unhurried lets a runtime end by itself however slow the machine is: what is tested is how it ends.
var unhurried = driver.Limits{Handshake: patience, Control: patience, Interrupt: patience, Drain: patience, Terminate: patience}

// hostVariable holds the launch of the host of TestContractNothingSurvives.
const hostVariable = "PARLEY_DRIVER_TEST_LAUNCH"

// realRuntimes are the runtimes of the contract.
var realRuntimes = runtimestest.Claudes

// eachRuntime runs a test on every runtime, with a simulated Copilot and our proxy before it.
func eachRuntime(t *testing.T, test func(t *testing.T, l driver.Launch)) {
	dir := runtimestest.Installed(t)
	for _, version := range realRuntimes {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			project := filepath.Join(home, "project")
			if err := os.MkdirAll(project, 0o755); err != nil {
				t.Fatal(err)
			}
			url, bearer := service(t)
			test(t, driver.Launch{
				Program: runtimestest.Claude(t, dir, version), Version: version, Dir: project, Session: uuid.NewString(), Model: "claude-sonnet-4.6",
				BaseURL: url, Bearer: bearer, ConfigDir: filepath.Join(home, "config"), TempDir: home, Root: os.Geteuid() == 0,
				Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + home},
			})
		})
	}
}

func service(t *testing.T) (url, bearer string) {
	t.Helper()
	sim, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sim.Close() })
	client, err := copilot.New(copilot.Options{
		Credential:    login.Credential{Token: login.NewSecret(sim.Token()), Source: "test", Host: "github.com"},
		CopilotAPIURL: sim.CopilotURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	srv, err := proxy.Start(proxy.Options{Upstream: client})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(context.Background()) })
	if bearer, err = srv.Open("contract"); err != nil {
		t.Fatal(err)
	}
	return srv.URL(), bearer
}

// run is a real runtime under test.
type run struct {
	*driver.Process
	t     *testing.T
	lines chan string
	asks  chan driver.Request // the first ten requests for permission
}

// drive starts a runtime whose every request for permission is granted.
func drive(t *testing.T, l driver.Launch) *run {
	t.Helper()
	group := proc.New(proc.Options{Dir: filepath.Join(l.TempDir, "processes")})
	t.Cleanup(func() {
		if err := group.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &run{t: t, lines: make(chan string, 10000), asks: make(chan driver.Request, 10)}
	ready := make(chan struct{})
	p, err := driver.Start(t.Context(), driver.Options{Launch: l, Processes: group, Limits: unhurried,
		Line: func(line []byte) { r.lines <- string(line) },
		Ask: func(q driver.Request) bool {
			var in struct{ Input json.RawMessage }
			if err := json.Unmarshal(q.Raw, &in); err != nil || q.Subtype != "can_use_tool" && q.Subtype != "hook_callback" {
				return false
			}
			if q.Subtype == "hook_callback" { // an error would block the tool
				id := q.ID
				go func() {
					<-ready
					_ = r.Reply(id, struct{}{}) // the runtime may have ended
				}()
				return true
			}
			select {
			case r.asks <- driver.Request{ID: q.ID, Raw: append([]byte(nil), q.Raw...)}:
			default:
			}
			go func() {
				<-ready
				if err := r.Reply(q.ID, map[string]any{"behavior": "allow", "updatedInput": in.Input}); err != nil {
					t.Error(err)
				}
			}()
			return true
		}})
	if err != nil {
		t.Fatal(err)
	}
	r.Process = p
	close(ready)
	t.Cleanup(func() { p.Close(context.Background()) })
	return r
}

func (r *run) say(prompt string) {
	r.t.Helper()
	if err := r.Send(r.t.Context(), driver.UserMessage{UUID: uuid.NewString(), Content: text(prompt)}); err != nil {
		r.t.Fatal(err)
	}
}

// until waits for a line that contains all the words.
func (r *run) until(words ...string) string {
	r.t.Helper()
	limit := time.After(patience)
	var seen []string
	has := func(line string) bool {
		seen = append(seen, line[:min(len(line), 300)])
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) })
	}
	for {
		select {
		case line := <-r.lines:
			if has(line) {
				return line
			}
		case <-r.Done():
			for len(r.lines) > 0 {
				if line := <-r.lines; has(line) {
					return line
				}
			}
			r.t.Fatalf("ended before %v: %+v\n%s", words, r.Exit(), strings.Join(seen, "\n"))
		case <-limit:
			r.t.Fatalf("no %v in %s\n%s", words, patience, strings.Join(seen, "\n"))
		}
	}
}

// shell has the runtime run a command that does not end and returns the pid of its shell.
func (r *run) shell(l driver.Launch) int {
	r.t.Helper()
	r.say("run echo $$ > shell.pid && mv shell.pid shell.ready && sleep 1000")
	return awaitShell(r.t, l)
}

func awaitShell(t *testing.T, l driver.Launch) int {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(filepath.Join(l.Dir, "shell.ready"))
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil || !lives(pid) {
			t.Fatalf("%q %v", data, err)
		}
		return pid
	}
	t.Fatal("the runtime's shell did not start")
	return 0
}

func TestContractHandshake(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		r := drive(t, l)
		i := r.Init()
		if len(i.Models) == 0 || len(i.Commands) == 0 || len(i.Agents) == 0 || i.Pid != r.Pid() || i.Account.TokenSource != "ANTHROPIC_AUTH_TOKEN" {
			t.Errorf("%+v", i)
		}
		if i.Version != "" && i.Version != l.Version {
			t.Errorf("version %q", i.Version)
		}
		ctx := t.Context()
		for _, effort := range []string{"low", ""} {
			if used, err := r.SetEffort(ctx, effort); used != "" && used != effort || err != nil { // 2.1.197 does not say it
				t.Errorf("effort %q: %q, %v", effort, used, err)
			}
		}
		for name, err := range map[string]error{
			"model": r.SetModel(ctx, "claude-sonnet-4.6"), "mode": r.SetMode(ctx, "acceptEdits"), "interrupt": r.Interrupt(ctx, false), "interrupt all": r.Interrupt(ctx, true),
		} {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := r.Control(ctx, "no_such_thing", nil); !errors.Is(err, driver.ErrUnsupported) {
			t.Error(err)
		}
		if taken, err := r.CancelMessage(ctx, uuid.NewString()); taken || err != nil {
			t.Error(taken, err)
		}
		if raw, err := r.Control(ctx, "get_context_usage", map[string]any{"detail": "summary"}); err != nil || !json.Valid(raw) {
			t.Error(string(raw), err)
		}
		r.say("hello")
		r.until(`"type":"result"`, `"is_error":false`)
		if e := r.Close(ctx); e != (driver.Exit{Asked: true, Stderr: e.Stderr}) {
			t.Errorf("%+v", e)
		}
	})
}

// A turn that is interrupted ends with a result, and the next one works.
func TestContractInterrupt(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		r := drive(t, l)
		r.say("bench:20000@200#x")
		r.until("text_delta")
		if !r.Busy() {
			t.Error("not busy")
		}
		if err := r.Interrupt(t.Context(), false); err != nil {
			t.Error(err)
		}
		r.until(`"type":"result"`, "error_during_execution")
		if r.Busy() {
			t.Error("busy")
		}
		shell := r.shell(l)
		if err := r.Interrupt(t.Context(), false); err != nil {
			t.Error(err)
		}
		r.until(`"type":"result"`, "error_during_execution")
		gone(t, shell)
		r.say("hello")
		r.until(`"type":"result"`, `"is_error":false`)
	})
}

// Closing in the middle of a turn ends it properly, with the command that runs.
func TestContractClose(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		r := drive(t, l)
		shell := r.shell(l)
		pid := r.Pid()
		e := r.Close(t.Context())
		if lives(shell) || lives(pid) {
			t.Error("something lives")
		}
		if e.Signal != "" || !e.Asked || e.Code > 1 { // 1, as the last result is an error
			t.Errorf("%+v", e)
		}
		r.until(`"type":"result"`, "error_during_execution")

		l.Resume = true
		r = drive(t, l)
		r.say("hello again")
		r.until(`"type":"result"`, `"is_error":false`)
	})
}

// A killed runtime takes its shells with it.
func TestContractKilled(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		r := drive(t, l)
		shell := r.shell(l)
		p, err := os.FindProcess(r.Pid())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		<-r.Done()
		if lives(shell) {
			t.Error("the shell lives")
		}
		if e := r.Exit(); e.Signal != "killed" || e.Asked {
			t.Errorf("%+v", e)
		}
	})
}

// When parley is killed, the runtime and its shells are gone without anybody's doing.
func TestContractNothingSurvives(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		launch, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		host := exec.Command(os.Args[0], claudetest.Program("contract host")[1])
		host.Env = append(os.Environ(), hostVariable+"="+string(launch))
		host.Stderr = os.Stderr
		out, err := host.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		line, _ := bufio.NewReader(out).ReadString('\n')
		runtime, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			_ = host.Process.Kill()
			_ = host.Wait()
			t.Fatalf("%q", line)
		}
		shell := awaitShell(t, l)
		if !lives(runtime) {
			t.Error("no runtime")
		}
		_ = host.Process.Kill()
		_ = host.Wait()
		gone(t, runtime, shell)
	})
}

func beContractHost() {
	var l driver.Launch
	if err := json.Unmarshal([]byte(os.Getenv(hostVariable)), &l); err != nil {
		fmt.Println(err)
		return
	}
	asks := make(chan driver.Request, 1)
	p, err := driver.Start(context.Background(), driver.Options{Launch: l, Processes: proc.New(proc.Options{}), Limits: unhurried,
		Ask: func(q driver.Request) bool {
			if q.Subtype != "can_use_tool" && q.Subtype != "hook_callback" {
				return false
			}
			asks <- driver.Request{ID: q.ID, Subtype: q.Subtype, Raw: append([]byte(nil), q.Raw...)}
			return true
		}})
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		for q := range asks {
			if q.Subtype == "hook_callback" {
				_ = p.Reply(q.ID, struct{}{})
				continue
			}
			var in struct{ Input json.RawMessage }
			_ = json.Unmarshal(q.Raw, &in)
			_ = p.Reply(q.ID, map[string]any{"behavior": "allow", "updatedInput": in.Input})
		}
	}()
	_ = p.Send(context.Background(), driver.UserMessage{
		Content: text("run echo $$ > shell.pid && mv shell.pid shell.ready && sleep 1000")})
	fmt.Println(p.Pid())
	time.Sleep(time.Hour)
}
