package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// Without gh, a code signs in: the token is kept in a file of ours, found again, and gh's files stay as they are.
func TestSignInWithACode(t *testing.T) {
	w := newWorld(t).signIn("")
	gh := t.TempDir()
	t.Setenv("GH_CONFIG_DIR", gh)
	w.env = append(without(without(w.env, "COPILOT_GITHUB_TOKEN"), "PARLEY_COPILOT_API_URL"), "PARLEY_GITHUB_CLIENT_ID=app")
	var out bytes.Buffer
	a := newApp(Process{Environ: w.env, In: strings.NewReader(""), Out: &out, Err: &out})
	defer a.close()
	if err := a.load(pflag.NewFlagSet("", pflag.ContinueOnError), false); err != nil {
		t.Fatal(err)
	}
	if err := a.deviceSignIn(t.Context(), func(context.Context, time.Duration) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, "enter this code: ") || !strings.Contains(s, "Signed in to github.com as ") || strings.Contains(s, w.sim.Token()) {
		t.Errorf("it says %q", s)
	}
	if info, err := os.Stat(a.paths.TokenFile()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if files, _ := os.ReadDir(gh); len(files) > 0 {
		t.Errorf("gh has new files: %v", files)
	}
	if o := w.mustRun("auth", "status"); !strings.Contains(o, "parley's own file") {
		t.Errorf("it says %q", o)
	}
}

// Without an app to sign in with, what to install or to set is said exactly.
func TestLoginSaysWhatToDo(t *testing.T) {
	w := newWorld(t)
	for _, gh := range []bool{false, true} {
		dir := t.TempDir()
		if gh {
			if err := os.WriteFile(filepath.Join(dir, "gh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", dir)
		o := w.run("auth", "login")
		if o.code != int(ExitSignedOut) || strings.Contains(o.out, "Install the GitHub CLI") == gh {
			t.Errorf("exit %d, %q %q", o.code, o.out, o.err)
		}
		for _, want := range []string{"gh auth login --web", "export COPILOT_GITHUB_TOKEN=", "github.client_id"} {
			if !strings.Contains(o.out, want) {
				t.Errorf("no %q in %q", want, o.out)
			}
		}
	}
}
