//go:build contract && unix

package copilot

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parley/session"
	"parley/session/agentfiles"
	"parley/session/runtimes/runtimestest"
)

// TestContractCopilotCustoms starts custom agents as children of real runtimes, and lets them hold conversations.
func TestContractCopilotCustoms(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		for _, step := range []struct {
			name string
			run  func(w *whole)
		}{{"children", (*whole).customChildren}, {"behind", (*whole).customInBackground}, {"chosen", (*whole).customChosen}} {
			t.Run(version+"/"+step.name, func(t *testing.T) {
				w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
				w.customize()
				step.run(w)
			})
		}
	}
}

// customize writes custom agents with each kind of list, where the user has them.
func (w *whole) customize() {
	w.t.Helper()
	dir := filepath.Join(w.home, "parley", "agents")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	for name, tools := range map[string]string{"everything": "", "nothing": "tools: []\n", "listed": "tools: [Read, search, task]\n"} {
		text := "---\ndescription: reports its tools\n" + tools + "---\nMARK-" + name + "\n"
		if err := os.WriteFile(filepath.Join(dir, name+".agent.md"), []byte(text), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
	w.agent.Finder = agentfiles.New(agentfiles.Options{Home: w.home, ConfigDir: filepath.Dir(dir)})
}

// toolsOf returns the tools of the newest request that a custom agent made, or of one without an agent.
func (w *whole) toolsOf(name, prompt string) (tools []string, made bool) {
	for _, r := range slices.Backward(w.sim.Requests()) {
		if r.Messages == nil || len(r.Messages.Messages) == 0 || !strings.Contains(string(r.Body), prompt) {
			continue
		}
		system := ""
		for _, b := range r.Messages.System {
			system += b.Text
		}
		if strings.Contains(system, "MARK-") != (name != "") || name != "" && !strings.Contains(system, "MARK-"+name) {
			continue
		}
		for _, t := range r.Messages.Tools {
			tools = append(tools, t.Name)
		}
		return tools, true
	}
	return nil, false
}

// has checks the tools of a custom agent.
func (w *whole) has(name, prompt string) {
	w.t.Helper()
	tools, made := w.toolsOf(name, prompt)
	ok := false
	switch name {
	case "", "everything":
		ok = slices.Contains(tools, "bash") && slices.Contains(tools, "view")
	case "nothing":
		ok = len(tools) == 0
	case "listed":
		ok = slices.Contains(tools, "view") && !slices.Contains(tools, "bash") && !slices.Contains(tools, "edit") && !slices.Contains(tools, "create")
	}
	if !made || !ok {
		w.t.Errorf("%q at %q: asked %v, tools %v", name, prompt, made, tools)
	}
}

func (w *whole) customChildren() {
	w.allows()
	w.completes("customs everything nothing listed", "")
	w.childrenAre(3)
	for _, name := range []string{"everything", "nothing", "listed"} {
		w.has(name, "hello as "+name)
	}
	w.completes("custom listed custom everything hello inside", "")
	w.childrenAre(5)
	was := turnsOf(w.transcript())
	id := w.s.ID()
	w.restart()
	w.customize()
	w.resume(id)
	if now := turnsOf(w.transcript()); now != was {
		w.t.Errorf("after a restart %s; before %s", now, was)
	}
}

func (w *whole) customInBackground() {
	w.allows()
	w.completes("behind as listed hello behind", "")
	child := w.until("child", is[session.ChildStarted]).(session.ChildStarted)
	if !child.Background || child.Name != "listed" {
		w.t.Errorf("%+v", child)
	}
	w.until("end of the child", is[session.ChildEnded])
	w.has("listed", "hello behind")
}

func (w *whole) customChosen() {
	choose := func(custom string) {
		w.t.Helper()
		s := w.s.Settings()
		s.Custom = custom
		if err := w.s.Configure(s); err != nil {
			w.t.Fatal(err)
		}
	}
	w.completes("hello plain", "hello plain")
	w.has("", "hello plain")
	choose("listed")
	w.completes("hello first", "hello first")
	w.has("listed", "hello first")
	if err := syscall.Kill(w.client().Pid(), syscall.SIGKILL); err != nil {
		w.t.Fatal(err)
	}
	w.until("end of the runtime", func(e session.Event) bool {
		r, ok := e.(session.RuntimeChanged)
		return ok && r.State == session.RuntimeExited
	})
	w.completes("hello after a crash", "hello after a crash")
	w.has("listed", "hello after a crash")
	id := w.s.ID()
	w.restart()
	w.customize()
	w.resume(id)
	w.completes("hello after a restart", "hello after a restart")
	w.has("listed", "hello after a restart")
	choose("")
	w.completes("hello last", "hello last")
	w.has("", "hello last")
}
