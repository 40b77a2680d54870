package builtin

import (
	"os"
	"strings"
	"testing"

	"parley/session"
)

func TestCommandsGetNoSecret(t *testing.T) {
	s := newService(t, callsReply([3]string{"b", "Bash", `{"command":"env"}`}), says("ok"))
	ch := openChat(t, s, mode(session.ModeBypass), func(o *Options, _ *session.OpenOptions) {
		o.Environ = []string{"PATH=" + os.Getenv("PATH"), "COPILOT_GITHUB_TOKEN=never", "GH_TOKEN=withheld", "GITHUB_TOKEN=named", "PAGER=less"}
		o.PassEnv = []string{"GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN"}
	})
	ch.send("x")
	got := ch.ended()["b"].Result.Text
	for _, secret := range []string{"secret.s", "never", "withheld"} {
		if strings.Contains(got, secret) {
			t.Errorf("%q reached a command:\n%s", secret, got)
		}
	}
	if !strings.Contains(got, "GITHUB_TOKEN=named\n") || !strings.Contains(got, "\nPAGER=cat\n") {
		t.Error(got)
	}
}

// TestCommandsOfThisProcessGetNoSecret: without its own environment the agent uses that of the process, filtered.
func TestCommandsOfThisProcessGetNoSecret(t *testing.T) {
	t.Setenv("GH_TOKEN", "withheld")
	s := newService(t, callsReply([3]string{"b", "Bash", `{"command":"env"}`}), says("ok"))
	ch := openChat(t, s, mode(session.ModeBypass), func(o *Options, _ *session.OpenOptions) { o.Environ = nil })
	ch.send("x")
	if got := ch.ended()["b"].Result.Text; strings.Contains(got, "withheld") || !strings.Contains(got, "PATH=") {
		t.Error(got)
	}
}
