//go:build contract

package transcript_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/tools/txtar"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/proxy"
	"parley/session/proc"
	"parley/session/runtimes/runtimestest"
)

// talk is one conversation whose transcript is recorded: what is sent, and how the host behaves.
type talk struct {
	name    string
	prompts []any // strings or content blocks; each is sent once the one before has its result
	deny    bool  // answer to requests for permission
	// interrupt what runs as soon as the line contains this, or as soon as a command runs.
	interruptAt      string
	interruptCommand bool
	// steer is sent as soon as a command runs.
	steer string
	// kill the runtime as soon as a command runs, and its transcript says so; nothing more is sent.
	kill bool
	// task: a result counts only once a background task has ended.
	task  bool
	newer bool // the oldest runtime cannot do this
}

// dot is a PNG of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

var talks = []talk{
	{name: "two-turns", prompts: []any{"say hello", "say it again"}},
	{name: "parallel", prompts: []any{"both at once"}},
	{name: "edit", prompts: []any{"change the file", "make a file"}},
	{name: "denied", prompts: []any{"refused"}, deny: true},
	{name: "question", prompts: []any{"ask me"}},
	{name: "agents", prompts: []any{"ask colleagues"}},
	{name: "background", prompts: []any{"in the background"}, task: true},
	{name: "resumed", prompts: []any{"ask one colleague", "go on with CHILD"}, task: true, newer: true},
	{name: "interrupt", prompts: []any{"be interrupted", "say it again"}, interruptAt: "text_delta"},
	{name: "interrupt-tool", prompts: []any{"sleep a little", "say it again"}, interruptCommand: true},
	{name: "steer", prompts: []any{"work a little"}, steer: "say it again"},
	{name: "quota", prompts: []any{"no quota", "say hello"}},
	{name: "image", prompts: []any{[]any{
		map[string]any{"type": "text", "text": "say hello to this"},
		map[string]any{"type": "image", "source": map[string]any{"type": "base64", "media_type": "image/png", "data": dot}},
	}}},
	{name: "compact", prompts: []any{"say hello", "both at once", "change the file", "say hello", "/compact", "say it again"}},
	{name: "command", prompts: []any{"/cost", "say hello"}},
	{name: "killed", prompts: []any{"sleep a little"}, kill: true},
}

// TestContractTranscripts lets the real runtimes hold conversations and compares what is replayed from the transcripts
// they wrote with what they said. With -update it records both.
func TestContractTranscripts(t *testing.T) {
	eachRuntime(t, func(name, version string, argv []string) {
		for _, tk := range talks {
			if tk.newer && version == runtimestest.ClaudeScript {
				continue
			}
			t.Run(version+"/"+tk.name, func(t *testing.T) {
				t.Parallel()
				c := newCabin(t)
				live := c.hold(t, argv, tk)
				rec := c.pack(t, live)
				compare(t, rec)
				if *update {
					name := filepath.Join("testdata", name, tk.name+".txtar")
					if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(name, txtar.Format(rec), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	})
}

// cabin is the environment of one runtime: a home, a project, and a simulated Copilot behind our proxy.
type cabin struct {
	home, project, config string
	url, bearer           string
	id                    string // of the session
}

func newCabin(t *testing.T) *cabin {
	t.Helper()
	c := &cabin{home: t.TempDir(), id: uuid.NewString()}
	c.project, c.config = filepath.Join(c.home, "project"), filepath.Join(c.home, "config")
	if err := os.MkdirAll(c.project, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.project, "hello.txt"), []byte("one\ntwo\nthree\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join("testdata", "scenarios.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rules, err := script.Parse(f, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	sim, err := sim.Start(sim.Options{Script: rules})
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
	if c.bearer, err = srv.Open("contract"); err != nil {
		t.Fatal(err)
	}
	c.url = srv.URL()
	return c
}

// command prepares a run of the runtime in the cabin.
func (c *cabin) command(ctx context.Context, argv []string, more ...string) *exec.Cmd {
	argv = append(slices.Clone(argv), more...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = c.project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + c.home,
		"XDG_RUNTIME_DIR=" + c.home, "CLAUDE_CONFIG_DIR=" + c.config, "CLAUDE_CODE_TMPDIR=" + c.home,
		"ANTHROPIC_BASE_URL=" + c.url, "ANTHROPIC_AUTH_TOKEN=" + c.bearer, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_ENTRYPOINT=sdk-go", "CLAUDE_CODE_MAX_RETRIES=0",
	}
	return cmd
}

// hold holds the conversation and returns what the runtime said.
func (c *cabin) hold(t *testing.T, argv []string, tk talk) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := c.command(ctx, argv, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json",
		"--permission-prompt-tool", "stdio", "--include-partial-messages", "--setting-sources=", "--strict-mcp-config",
		"--model", "claude-sonnet-4-6", "--session-id", c.id)
	group := proc.New(proc.Options{})
	defer group.Close() // twice is fine
	child, err := group.Start(ctx, proc.Command{Argv: cmd.Args, Dir: cmd.Dir, Env: cmd.Env})
	if err != nil {
		t.Fatal(err)
	}
	defer context.AfterFunc(ctx, child.KillGroup)()
	var stderr bytes.Buffer
	complained := make(chan struct{})
	go func() {
		defer close(complained)
		io.Copy(&stderr, child.Stderr())
	}()
	in, out := child.Stdin(), child.Stdout()
	h := host{t: t, c: c, in: in, tk: tk, kill: child.KillGroup}
	h.send(map[string]any{"type": "control_request", "request_id": "init", "request": map[string]any{"subtype": "initialize"}})
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			h.hear(bytes.TrimSpace(line))
		}
		if err != nil {
			break
		}
	}
	h.awaiting.Wait()
	<-child.Done()                        // the exit status says how the last turn ended, which the recording says better
	if err := group.Close(); err != nil { // with the commands that a killed runtime leaves behind
		t.Error(err)
	}
	<-complained
	if !h.done && !h.killed {
		t.Fatalf("no result; stderr: %s\n%s", stderr.Bytes(), h.out.Bytes())
	}
	if h.killed {
		h.note(note{Host: "exit"})
	}
	return h.out.Bytes()
}

// patience is how long something may take that takes moments, on a slow machine that does other things too.
const patience = 3 * time.Minute

// eventually polls a condition. It may be called from any goroutine.
func (c *cabin) eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Errorf("waited in vain for %s", what)
}

// commandRuns reports whether a command that the model has asked for runs in the project.
func (c *cabin) commandRuns() bool {
	all, _ := filepath.Glob("/proc/[0-9]*")
	return slices.ContainsFunc(all, func(dir string) bool {
		cwd, err := os.Readlink(filepath.Join(dir, "cwd"))
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		return err == nil && cwd == c.project && bytes.HasPrefix(line, []byte("sleep\x00"))
	})
}

// callStored reports whether the transcript has a call of a tool.
func (c *cabin) callStored() bool { return c.stored(`"type":"tool_use"`) }

// stored reports whether the transcript has a text, which the runtime writes some moments later than it says it.
func (c *cabin) stored(text string) bool {
	files, _ := filepath.Glob(filepath.Join(c.config, "projects", "*", c.id+".jsonl"))
	return slices.ContainsFunc(files, func(name string) bool {
		data, _ := os.ReadFile(name)
		return bytes.Contains(data, []byte(text))
	})
}
