//go:build contract

package claude

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/runtimes/runtimestest"
)

// TestContractGuardedFiles tries the edits that are always asked about on real runtimes, in the mode in which they would
// not ask, and the commands that they take for edits there.
func TestContractGuardedFiles(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			newWhole(t, runtimestest.Claude(t, dir, rt.version)).guarded()
		})
	}
}

func (w *whole) guarded() {
	if err := w.s.Configure(session.Settings{Mode: session.ModeAcceptEdits}); err != nil {
		w.t.Fatal(err)
	}
	var mu sync.Mutex
	var asked []*session.PermissionAsk
	w.answers(func(a session.Asked) (session.Answer, bool) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, a.Permission)
		return session.Answer{Decision: session.Deny}, true
	})
	do := func(prompt, made string, want bool) {
		w.t.Helper()
		mu.Lock()
		asked = nil
		mu.Unlock()
		w.completes(prompt, "")
		mu.Lock()
		defer mu.Unlock()
		_, err := os.Lstat(filepath.Join(w.dir, made))
		if (len(asked) == 1) != want || len(asked) > 1 || (err == nil) == want {
			w.t.Errorf("%q: asked %d times, %v", prompt, len(asked), err)
		}
		for _, a := range asked {
			w.t.Logf("%q: %q, %+v", prompt, a.Reason, a.Rules)
			if slices.ContainsFunc(a.Rules, func(r session.Rule) bool { return r.Text != "command "+a.Command }) || a.Command == "" && !strings.HasPrefix(a.Reason, "Always asked: ") {
				w.t.Errorf("%q: %q, %+v", prompt, a.Reason, a.Rules)
			}
		}
	}
	do("write the file plain.txt", "plain.txt", false)
	for _, name := range []string{"HEAD", "config", "objects/x", "refs/x", ".git/config", ".claude/settings.local.json", ".mcp.json",
		".vscode/tasks.json", ".envrc", ".ENVRC", ".husky/pre-commit", ".githooks/x", ".github/workflows/ci.yml", ".gitattributes", ".bashrc"} {
		do("write the file "+name, name, true)
	}
	for line, made := range map[string]string{"cp plain.txt .envrc": ".envrc", "mkdir objects": "objects", "echo x > HEAD": "HEAD", "touch made": "made",
		"mv plain.txt config": "config", "sed -i s/x/y/w.envrc plain.txt": ".envrc", `c"p" plain.txt .envrc`: ".envrc"} {
		do("run the line "+line, made, true)
	}
	w.answers(func(a session.Asked) (session.Answer, bool) {
		w.t.Errorf("asked %+v", a.Permission)
		return session.Answer{Decision: session.Deny}, true
	})
	w.completes("run the line ls 2>/dev/null", "plain.txt")
}
