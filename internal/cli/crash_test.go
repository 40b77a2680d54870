package cli

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"parley/config"
	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store"
	"parley/ui"
	"parley/ui/chat"
	"parley/ui/core"
)

// panicsIn makes the test binary show a screen that panics in a room of the program.
const panicsIn = "PARLEY_TEST_PANICS_IN"

// boom is what panics, in a goroutine of the room that calls it.
func boom() { panic("boom of a test") }

// panicIn shows a screen, and returns its exit code if the room does not panic.
func panicIn(room string) int {
	p := Process{Environ: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Policy: noPolicy, Exit: os.Exit}
	a := newApp(p)
	home := os.Getenv("HOME")
	a.paths = config.Paths{State: filepath.Join(home, "state")}
	crash.Handle(func(v any, stack []byte) { a.crashed(p, &crash.Crash{Value: v, Stack: stack}) })
	w := sessiontest.NewWorld()
	stored := store.Options{Dir: filepath.Join(home, "sessions"), LockDir: filepath.Join(home, "locks")}
	o := ui.Options{Options: chat.Options{Options: core.Options{Agent: "builtin", Dir: home, Input: os.Stdin, Output: os.Stdout, Env: os.Environ(), Version: "test"}}, CrashDir: a.paths.Crashes()}
	w.Agent.Script(func(t *sessiontest.Turn) {
		t.Text("an answer")
		if room == "github" && strings.Contains(t.Prompt.Text, "now") {
			t.Fail(askGitHub(t.Context()))
		}
		t.End(session.TurnCompleted)
	})
	switch room {
	case "turn":
		w.Deps.Agents = []session.Agent{brokenAgent{w.Agent}}
	case "disk":
		stored.OpenFile = func(name string, flag int, mode fs.FileMode) (store.File, error) {
			f, err := os.OpenFile(name, flag, mode)
			return brokenDisk{f}, err
		}
	case "title":
		w.Deps.Titler = brokenTitler{}
	case "finder":
		o.Files = func(string) fs.FS { return brokenFolder{} }
	case "terminal":
		o.Output = brokenTerminal{os.Stdout}
	}
	w.Deps.Journals = store.New(stored)
	m := w.Manager()
	s, err := m.Draft(live.DraftOptions{Dir: home})
	if err != nil {
		return 90
	}
	o.Manager, o.Session = m, s
	if _, err := ui.Run(context.Background(), o); err != nil {
		return 91
	}
	return 92
}

// askGitHub calls a service behind a network that panics.
func askGitHub(ctx context.Context) error {
	c, err := copilot.New(copilot.Options{HTTP: &http.Client{Transport: brokenNet{}},
		Credential: login.Credential{Token: login.NewSecret("gho_testtesttesttesttesttesttesttest"), Host: "github.com"}})
	if err == nil {
		_, err = c.Models(ctx)
	}
	return err
}

type brokenAgent struct{ *sessiontest.Agent }

func (a brokenAgent) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	c, err := a.Agent.Open(ctx, o)
	return brokenConversation{c}, err
}

type brokenConversation struct{ session.Conversation }

func (c brokenConversation) Send(ctx context.Context, turn session.TurnID, p session.Prompt, o session.Origin) error {
	if strings.Contains(p.Text, "now") {
		boom()
	}
	return c.Conversation.Send(ctx, turn, p, o)
}

type brokenDisk struct{ *os.File }

func (d brokenDisk) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "now") {
		boom()
	}
	return d.File.Write(p)
}

type brokenTitler struct{}

func (brokenTitler) Title(context.Context, string, string) (string, error) { boom(); return "", nil }

type brokenFolder struct{}

func (brokenFolder) Open(string) (fs.File, error) { boom(); return nil, nil }

type brokenTerminal struct{ *os.File }

func (t brokenTerminal) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "Ω") {
		boom()
	}
	return t.File.Write(p)
}

type brokenNet struct{}

func (brokenNet) RoundTrip(*http.Request) (*http.Response, error) { boom(); return nil, nil }
