package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"parley/copilot/login"
	"parley/internal/cli/command"
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
	if err := a.signIn().WithCode(t.Context(), func(context.Context, time.Duration) error { return nil }); err != nil {
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
	if o := w.mustRun("auth", "logout"); !strings.Contains(o, "Signed out of github.com: removed the token from "+a.paths.TokenFile()) {
		t.Errorf("logout: %q", o)
	}
	if _, err := os.Stat(a.paths.TokenFile()); !os.IsNotExist(err) {
		t.Errorf("the token is still there: %v", err)
	}
	if o := w.run("auth", "logout"); o.code != 0 || o.out != "Not signed in to github.com.\n" {
		t.Errorf("logout again: %+v", o)
	}
}

// TestLogoutNamesTheTokensPlace says how to remove a token that is not of parley's own file, and removes nothing.
func TestLogoutNamesTheTokensPlace(t *testing.T) {
	w := newWorld(t).signIn("")
	o := w.run("auth", "logout")
	want := "parley: the token comes from COPILOT_GITHUB_TOKEN, so parley cannot remove it\n" +
		"To sign out, unset the variable COPILOT_GITHUB_TOKEN and start parley again.\n"
	if o.code != int(command.ExitFailed) || o.err != want {
		t.Errorf("%+v", o)
	}
	a := newApp(Process{Environ: w.env, Out: io.Discard, Err: io.Discard})
	defer a.close()
	if err := a.load(pflag.NewFlagSet("", pflag.ContinueOnError), false); err != nil {
		t.Fatal(err)
	}
	if err := a.signIn().Tokens.Save("github.com", login.NewSecret("gho_own")); err != nil {
		t.Fatal(err)
	}
	o = w.run("auth", "logout")
	if o.code != 0 || !strings.Contains(o.out, "parley now uses the token from COPILOT_GITHUB_TOKEN. To remove that too, unset the variable") {
		t.Errorf("with both: %+v", o)
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
		if o.code != int(command.ExitSignedOut) || strings.Contains(o.out, "Install the GitHub CLI") == gh {
			t.Errorf("exit %d, %q %q", o.code, o.out, o.err)
		}
		for _, want := range []string{"gh auth login --web", "set COPILOT_GITHUB_TOKEN", "github.client_id"} {
			if !strings.Contains(o.out, want) {
				t.Errorf("no %q in %q", want, o.out)
			}
		}
	}
}

// Who is not signed in is told of a command that is there.
func TestAdviceNamesWhatIsThere(t *testing.T) {
	w := newWorld(t).signIn("")
	w.env = without(w.env, "COPILOT_GITHUB_TOKEN")
	none, gh := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(gh, "gh"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ path, env, want string }{
		{none, "", "Install gh (https://cli.github.com) and run `gh auth login --web`, "},
		{none, "PARLEY_GITHUB_CLIENT_ID=app", "Sign in with `parley auth login`, "},
		{gh, "", "Sign in with `gh auth login --web`, "},
	} {
		t.Setenv("PATH", tc.path)
		env := w.env
		if tc.env != "" {
			w.env = append(slices.Clone(env), tc.env)
		}
		if o := w.run("auth", "status"); o.code != int(command.ExitSignedOut) || !strings.Contains(o.err, "\n"+tc.want) {
			t.Errorf("exit %d, %q, want %q", o.code, o.err, tc.want)
		}
		if o := w.run("doctor"); !strings.Contains(o.out, "). "+tc.want) || strings.Contains(o.out, `"gh auth login"`) {
			t.Errorf("doctor says %q, want %q", o.out, tc.want)
		}
		w.env = env
	}
}

// What is wrong with a token is said whole and once.
func TestDoctorOfABadToken(t *testing.T) {
	w := newWorld(t).signIn("")
	w.env = append(without(w.env, "COPILOT_GITHUB_TOKEN"), "COPILOT_GITHUB_TOKEN=gho_revoked")
	o := w.run("doctor")
	i := strings.Index(o.out, "!!  account")
	if i < 0 || !strings.Contains(o.out[i:], "the token in COPILOT_GITHUB_TOKEN cannot be used: ") ||
		strings.Contains(o.out[i:], "send the prompt again") || strings.Contains(o.out[i:], "…") {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
}
