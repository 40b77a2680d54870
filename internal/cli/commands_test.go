package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/session"
)

func TestSessionsCommands(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "remember **me**")
	id := strings.Fields(w.mustRun("sessions", "list"))[0]
	if out := w.mustRun("sessions", "show", id); !strings.Contains(out, "> remember **me**") || !strings.Contains(out, "You said: remember **me**") {
		t.Errorf("show: %q", out)
	}
	if w.mustRun("sessions", "export", id[:6]) != w.mustRun("sessions", "show", id) {
		t.Error("export and show differ where there is no terminal")
	}
	var shown struct {
		V      int
		Meta   session.Meta
		Events []json.RawMessage
	}
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "show", "--json", id)), &shown); err != nil {
		t.Fatal(err)
	}
	if shown.V != session.SchemaVersion || string(shown.Meta.ID) != id || len(shown.Events) < 5 {
		t.Errorf("%+v", shown)
	}
	w.mustRun("sessions", "rm", id)
	if out := w.mustRun("sessions", "list", "--json"); strings.TrimSpace(out) != "[]" {
		t.Errorf("after rm: %s", out)
	}
}

// Settings and the environment, which a directory may set, never turn asking off.
func TestBypassIsNoSetting(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.env = append(w.env, "PARLEY_PERMISSION_MODE=bypassPermissions")
	out := w.run("-p", "bash")
	if !strings.Contains(out.err, "--permission-mode bypassPermissions") {
		t.Errorf("stderr: %s", out.err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "made")); err == nil {
		t.Error("a command ran without permission")
	}
}

// A turn that is refused without a word says why where its answer would stand, and the exit status tells.
func TestRefusedTurnSaysWhy(t *testing.T) {
	w := newWorld(t).signIn("rules: [{stop: refusal, reply: []}]")
	out := w.run("-p", "hello")
	if out.code != int(command.ExitRefused) || !strings.Contains(out.out, "declined") || strings.Contains(out.err, "declined") {
		t.Errorf("exit %d\n%s\n%s", out.code, out.out, out.err)
	}
	var r headless.Result
	if out = w.run("-p", "--output-format", "json", "hello"); json.Unmarshal([]byte(out.out), &r) != nil || r.Problem == nil || r.Result != r.Problem.What {
		t.Errorf("%+v\n%s", r, out.out)
	}
}

func TestWhatInforms(t *testing.T) {
	w := newWorld(t).signIn("")
	var models []session.Model
	if err := json.Unmarshal([]byte(w.mustRun("models", "--json")), &models); err != nil {
		t.Fatal(err)
	}
	if len(models) < 5 || !models[0].Default {
		t.Errorf("%d models, the first default: %v", len(models), models[0].Default)
	}
	for _, m := range models {
		if m.Vendor == "Anthropic" {
			continue
		}
		if m.Unusable != "" {
			t.Errorf("%s cannot be chosen: %s", m.ID, m.Unusable)
			continue
		}
		if out := w.mustRun("-p", "-m", m.ID, "--permission-mode", "bypassPermissions", "run echo through $((6*7))"); !strings.Contains(out, "through 42") {
			t.Errorf("%s: %s", m.ID, out)
		}
	}
	if out := w.mustRun("models"); !strings.Contains(out, models[0].ID) || !strings.Contains(out, "CONTEXT") {
		t.Errorf("models: %s", out)
	}
	if out := w.mustRun("auth", "status"); !strings.Contains(out, "COPILOT_GITHUB_TOKEN") || !strings.Contains(out, "Plan:") {
		t.Errorf("auth status: %s", out)
	}
	var acc session.Account
	if err := json.Unmarshal([]byte(w.mustRun("auth", "status", "--json")), &acc); err != nil || acc.Login == "" {
		t.Errorf("%v: %+v", err, acc)
	}
	if o := w.run("doctor"); o.code != 0 || !strings.Contains(o.out, "usable") {
		t.Errorf("doctor: %+v", o)
	}
	if !strings.HasPrefix(w.mustRun("man"), ".") {
		t.Error("man prints no roff")
	}
	if !strings.Contains(w.mustRun("completion", "bash"), "parley") {
		t.Error("completion prints nothing")
	}
}

func TestConfigCommands(t *testing.T) {
	w := newWorld(t)
	path := strings.TrimSpace(w.mustRun("config", "path"))
	if path != filepath.Join(w.home, ".config", "parley", "config.yaml") {
		t.Errorf("path: %s", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("model: mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := w.mustRun("config", "show"); !strings.Contains(out, `model: "mine" # `+path+":1") {
		t.Errorf("show: %s", out)
	}
	if !json.Valid([]byte(w.mustRun("config", "schema"))) {
		t.Error("schema is no JSON")
	}
	if err := os.WriteFile(path, []byte("\nmodell: mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := w.run("-p", "hi"); o.code != 2 || !strings.Contains(o.err, path+":2") {
		t.Errorf("bad file: %+v", o)
	}
}

func TestDemoLeavesNothing(t *testing.T) {
	w := newWorld(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	if out := w.run("-p", "--demo", "hello").out; !strings.Contains(out, "A real model would") {
		t.Errorf("the demo does not say that it is one: %q", out)
	}
	for _, dir := range []string{tmp, w.home, w.dir} {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("%s holds %v (%v)", dir, left, err)
		}
	}
}

// TestTokenStaysSecret runs what a session does with everything logged, and looks for the token wherever parley writes.
func TestTokenStaysSecret(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	var said strings.Builder
	for _, args := range [][]string{
		{"-p", "hello"}, {"-p", "bash"}, {"-p", "quota"}, {"-p", "refused login"}, {"-p", "--output-format", "stream-json", "x"},
		{"auth", "status"}, {"models", "--json"}, {"config", "show"}, {"doctor"}, {"sessions", "list"},
	} {
		o := w.run(append([]string{"--verbose"}, args...)...)
		said.WriteString(o.out + o.err)
	}
	if strings.Contains(said.String(), w.sim.Token()) {
		t.Error("the token was printed")
	}
	w.holdsNoToken()
}

// holdsNoToken looks for the token in all files, which only the user may read.
func (w *world) holdsNoToken() {
	w.t.Helper()
	err := filepath.WalkDir(w.home, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, []byte(w.sim.Token())) {
			w.t.Errorf("the token is in %s", name)
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			w.t.Errorf("%s has mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestServersPrintWhereTheyAre starts `parley sim` and `parley proxy` and reads what they print once they listen.
func TestServersPrintWhereTheyAre(t *testing.T) {
	for _, tc := range []struct {
		cmd  string
		want []string
	}{
		{"sim", []string{"PARLEY_GITHUB_API_URL=http://127.0.0.1:", "PARLEY_COPILOT_API_URL=http://127.0.0.1:", "GH_TOKEN="}},
		{"proxy", []string{"ANTHROPIC_BASE_URL=http://127.0.0.1:", "ANTHROPIC_AUTH_TOKEN="}},
	} {
		t.Run(tc.cmd, func(t *testing.T) {
			w := newWorld(t).signIn("")
			ctx, cancel := context.WithCancel(t.Context())
			r, out := io.Pipe()
			code := make(chan int)
			go func() {
				code <- Main(ctx, Process{Args: []string{tc.cmd}, Environ: w.env, In: strings.NewReader(""), Out: out, Err: io.Discard})
				out.Close()
			}()
			var got string
			buf := make([]byte, 4096)
			for strings.Count(got, "\n") < len(tc.want) {
				n, err := r.Read(buf)
				got += string(buf[:n])
				if err != nil {
					t.Fatalf("%v after %q", err, got)
				}
			}
			for i, line := range strings.Split(strings.TrimSpace(got), "\n") {
				if !strings.HasPrefix(line, tc.want[i]) || strings.HasSuffix(line, "=") {
					t.Errorf("line %d is %q, want %s...", i+1, line, tc.want[i])
				}
			}
			cancel()
			go io.Copy(io.Discard, r)
			if c := <-code; c != int(command.ExitInterrupt) {
				t.Errorf("exit %d", c)
			}
		})
	}
}

// What flags ask for counts for a session that is resumed; what they do not name stays as it was chosen.
func TestFlagsCountForResumedSessions(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "-m", "claude-sonnet-4.6", "hello")
	model := func(args ...string) string {
		t.Helper()
		var r headless.Result
		if err := json.Unmarshal([]byte(w.mustRun(append([]string{"-p", "--output-format", "json"}, args...)...)), &r); err != nil {
			t.Fatal(err)
		}
		return r.Model
	}
	if got := model("-c", "again"); got != "claude-sonnet-4.6" {
		t.Errorf("goes on with %q", got)
	}
	if got := model("-c", "-m", "claude-haiku-4.5", "again"); got != "claude-haiku-4.5" {
		t.Errorf("-m makes it %q", got)
	}
	if got := model("-c", "again"); got != "claude-haiku-4.5" {
		t.Errorf("then goes on with %q", got)
	}
	if o := w.run("-p", "-c", "bash"); o.code != int(command.ExitRefused) {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "made")); err == nil {
		t.Fatal("a command ran without permission: this test shows nothing")
	}
	w.mustRun("-p", "-c", "--permission-mode", "bypassPermissions", "bash")
	if _, err := os.Stat(filepath.Join(w.dir, "made")); err != nil {
		t.Error(err)
	}
}
