//go:build contract

package cli

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"parley/internal/cli/command"
)

// serve starts `parley proxy` or `parley sim` as a process of its own and returns the lines it prints once it listens.
func (w *world) serve(lines int, args ...string) map[string]string {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append([]string{asParley + "=1"}, w.env...)
	cmd.Dir = w.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if cmd.Wait(); cmd.ProcessState.ExitCode() != int(command.ExitTerminate) {
			w.t.Errorf("parley %s: %v\n%s", args[0], cmd.ProcessState, stderr.String())
		}
	})
	got := map[string]string{}
	sc := bufio.NewScanner(out)
	for range lines {
		if !sc.Scan() {
			w.t.Fatalf("parley %s printed no more: %s", args[0], stderr.String())
		}
		name, value, _ := strings.Cut(sc.Text(), "=")
		got[name] = value
	}
	return got
}

// TestContractProxyCommand runs the official SDKs, unchanged, against the program as a user would start it.
func TestContractProxyCommand(t *testing.T) {
	script, err := filepath.Abs(filepath.Join(sources, "proxy", "testdata", "contract.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	sdk, err := filepath.Abs(filepath.Join(sources, ".ci", "contract", "sdk"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	sim := w.serve(3, "sim", "--strict", "--script", script)
	for name, value := range sim {
		w.env = append(w.env, name+"="+value)
	}
	proxy := w.serve(2, "proxy")
	t.Run("Go", func(t *testing.T) { goSDK(t, proxy) })
	t.Run("TypeScript", func(t *testing.T) { typescriptSDK(t, sdk, sim, proxy) })
}

func goSDK(t *testing.T, proxy map[string]string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := anthropic.NewClient(option.WithBaseURL(proxy["ANTHROPIC_BASE_URL"]), option.WithAuthToken(proxy["ANTHROPIC_AUTH_TOKEN"]))
	models, err := client.Models.List(ctx, anthropic.ModelListParams{})
	if err != nil || len(models.Data) == 0 {
		t.Fatalf("models: %v", err)
	}
	for _, model := range []string{"claude-sonnet-4-6", "gpt-5.4", "gemini-3-pro"} {
		t.Run(model, func(t *testing.T) { toolTurn(t, ctx, client, model) })
	}
}

// toolTurn lets a model call tools until it has an answer: Claude's as it is, the others' through translation.
func toolTurn(t *testing.T, ctx context.Context, client anthropic.Client, model string) {
	params := anthropic.MessageNewParams{
		Model: anthropic.Model(model), MaxTokens: 1000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("compare the files"))},
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name: "read_file", InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{
				"path": map[string]any{"type": "string"}, "lines": map[string]any{"type": "array", "items": map[string]any{"type": "integer"}},
			}},
		}}},
	}
	calls := 0
	for range 5 {
		stream := client.Messages.NewStreaming(ctx, params)
		var msg anthropic.Message
		for stream.Next() {
			if err := msg.Accumulate(stream.Current()); err != nil {
				t.Fatal(err)
			}
		}
		if err := stream.Err(); err != nil {
			t.Fatal(err)
		}
		params.Messages = append(params.Messages, msg.ToParam())
		var results []anthropic.ContentBlockParamUnion
		var said strings.Builder
		for _, b := range msg.Content {
			switch b := b.AsAny().(type) {
			case anthropic.ToolUseBlock:
				results = append(results, anthropic.NewToolResultBlock(b.ID, "the words of "+string(b.Input), false))
			case anthropic.TextBlock:
				said.WriteString(b.Text)
			}
		}
		calls += len(results)
		if len(results) == 0 {
			if calls != 2 || !strings.HasPrefix(said.String(), "The tool said: the words of ") || msg.StopReason != anthropic.StopReasonEndTurn {
				t.Errorf("%d calls, %q, %s", calls, said.String(), msg.StopReason)
			}
			return
		}
		params.Messages = append(params.Messages, anthropic.NewUserMessage(results...))
	}
	t.Error("the model never came to an end")
}

func typescriptSDK(t *testing.T, sdk string, sim, proxy map[string]string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sdk)); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	node := exec.CommandContext(ctx, "node", "run.mjs")
	node.Dir = dir
	node.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	for name, value := range proxy {
		node.Env = append(node.Env, name+"="+value)
	}
	var stderr bytes.Buffer
	node.Stderr = &stderr
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	done := false
	for sc := bufio.NewScanner(out); sc.Scan(); {
		t.Log(sc.Text())
		if name, ok := strings.CutPrefix(sc.Text(), "release "); ok {
			release(t, ctx, sim, name)
		}
		done = done || sc.Text() == "done"
	}
	if err := node.Wait(); err != nil || !done {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
}

// release lets the simulated model go on where its script holds.
func release(t *testing.T, ctx context.Context, sim map[string]string, name string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, sim["PARLEY_COPILOT_API_URL"]+"/_sim/release/"+name, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+sim["GH_TOKEN"])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		t.Errorf("release %s: %s", name, resp.Status)
	}
}
