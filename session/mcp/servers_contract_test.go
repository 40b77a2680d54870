//go:build contract

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/extensions"
)

// install installs the public test servers of the protocol, and returns where their programs are.
func install(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../.ci/contract/mcp")); err != nil {
		t.Fatal(err)
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return filepath.Join(dir, "node_modules", ".bin")
}

// served starts the server "everything" as a service, and returns its URL.
func served(t *testing.T, bin string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "mcp-server-everything"), "streamableHttp")
	cmd.Env = append(os.Environ(), fmt.Sprint("PORT=", port))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	at := fmt.Sprintf("127.0.0.1:%d", port)
	for until := time.Now().Add(time.Minute); time.Now().Before(until); {
		if c, err := net.Dial("tcp", at); err == nil {
			_ = c.Close()
			return "http://" + at + "/mcp"
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the service does not listen")
	return ""
}

// TestContractServers drives the public test servers of the protocol as a program and as a service: tools, progress, images,
// links, structured results, forms, and files.
func TestContractServers(t *testing.T) {
	bin := install(t)
	for name, server := range map[string]extensions.Server{
		"program": {Name: "everything", Transport: extensions.Stdio, Command: []string{filepath.Join(bin, "mcp-server-everything")}, Dir: t.TempDir()},
		"service": {Name: "everything", Transport: extensions.HTTP, URL: served(t, bin)},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, quick(), server)
			p.Await(t.Context())
			p.becomes(Connected)
			if r, err := p.call("echo", `{"message":"hi"}`, Caller{}); err != nil || r.Text != "Echo: hi" {
				t.Errorf("%+v %v", r, err)
			}
			if r, err := p.call("get-sum", `{"a":2,"b":3}`, Caller{}); err != nil || !strings.Contains(r.Text, "5") {
				t.Errorf("%+v %v", r, err)
			}
			if r, err := p.call("get-sum", `{"a":"two"}`, Caller{}); err == nil && !r.Failed {
				t.Errorf("%+v", r)
			}
			if r, err := p.call("get-tiny-image", `{}`, Caller{}); err != nil || len(r.Media) != 1 || r.Media[0].MediaType != "image/png" {
				t.Errorf("%d images, %v", len(r.Media), err)
			}
			if r, err := p.call("get-resource-links", `{"count":3}`, Caller{}); err != nil || strings.Count(r.Text, "demo://") < 3 {
				t.Errorf("%+v %v", r, err)
			}
			if r, err := p.call("get-structured-content", `{"location":"Chicago"}`, Caller{}); err != nil || !strings.Contains(r.Text, "temperature") {
				t.Errorf("%+v %v", r, err)
			}
			steps := 0
			if _, err := p.call("trigger-long-running-operation", `{"duration":1,"steps":4}`, Caller{Live: func(string) { steps++ }}); err != nil || steps < 2 {
				t.Errorf("%d steps, %v", steps, err)
			}
			r, err := p.call("trigger-sampling-request", `{"prompt":"six times seven","maxTokens":20}`, Caller{Sample: func(_ context.Context, s Sampling) (Sampled, error) {
				return Sampled{Text: fmt.Sprint("MARK ", s.MaxTokens, s.Messages[0].Text), Model: "small"}, nil
			}})
			if err != nil || !strings.Contains(r.Text, "MARK 20") || !strings.Contains(r.Text, "six times seven") {
				t.Errorf("%+v %v", r, err)
			}
			var asked session.ElicitationAsk
			r, err = p.call("trigger-elicitation-request", `{}`, Caller{Ask: func(_ context.Context, ask session.ElicitationAsk) session.Answer {
				asked = ask
				return session.Answer{Decision: session.Allow, Choices: map[string][]string{"name": {"Ada"}}}
			}})
			if err != nil || !strings.Contains(r.Text, "Ada") || !json.Valid(asked.Schema) {
				t.Errorf("%+v %v, asked %s", r, err, asked.Message)
			}
		})
	}
	t.Run("files", func(t *testing.T) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("words"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := open(t, quick(), extensions.Server{Name: "files", Transport: extensions.Stdio, Command: []string{filepath.Join(bin, "mcp-server-filesystem"), dir}, Dir: dir})
		p.Await(t.Context())
		if r, err := p.call("read_text_file", `{"path":"`+filepath.Join(dir, "a.txt")+`"}`, Caller{}); err != nil || r.Text != "words" {
			t.Errorf("%+v %v", r, err)
		}
		if r, err := p.call("read_text_file", `{"path":"/etc/passwd"}`, Caller{}); err != nil || !r.Failed {
			t.Errorf("%+v %v", r, err)
		}
	})
}
