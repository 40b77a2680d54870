//go:build contract

package claude

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parley/copilot/sim"
	"parley/session"
	"parley/session/agentfiles"
	"parley/session/runtimes/runtimestest"
)

// TestContractCustomAgents starts custom agents as children of real runtimes, and lets them hold conversations.
func TestContractCustomAgents(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for name, run := range map[string]func(w *whole){
			"children": (*whole).customChildren, "nested": (*whole).customNested, "behind": (*whole).customInBackground, "chosen": (*whole).customChosen,
		} {
			t.Run(rt.version+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := newWhole(t, runtimestest.Claude(t, dir, rt.version))
				w.customize()
				run(w)
			})
		}
	}
}

// customize writes custom agents with each kind of list, where Copilot looks for them.
func (w *whole) customize() {
	w.t.Helper()
	dir := filepath.Join(w.home, ".copilot", "agents")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	for name, tools := range map[string]string{"everything": "", "nothing": "tools: []\n", "listed": "tools: [read, search, task]\n"} {
		text := "---\ndescription: reports its tools\n" + tools + "---\nMARK-" + name + "\n"
		if err := os.WriteFile(filepath.Join(dir, name+".agent.md"), []byte(text), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
	w.agent.Finder = agentfiles.New(agentfiles.Options{Home: w.home, CopilotDir: filepath.Dir(dir)})
}

// asked returns the tools and the system prompt of the request of a child or a turn, by the prompt that it answers.
func (w *whole) asked(prompt string) (tools []string, system string) {
	w.t.Helper()
	for _, r := range slices.Backward(w.sim.Requests()) {
		if r.Messages == nil || len(r.Messages.Messages) == 0 {
			continue
		}
		last := r.Messages.Messages[len(r.Messages.Messages)-1]
		if !slices.ContainsFunc(last.Blocks, func(b sim.Block) bool { return strings.TrimSpace(b.Text) == prompt }) {
			continue
		}
		for _, t := range r.Messages.Tools {
			tools = append(tools, t.Name)
		}
		for _, b := range r.Messages.System {
			system += b.Text
		}
		return tools, system
	}
	w.t.Fatalf("nothing asked %q", prompt)
	return nil, ""
}

// children returns the children of the session, with those in others, and checks that each began once and ended once.
func (w *whole) childrenOf(events []session.Event) (all []*session.Child) {
	w.t.Helper()
	began, ended := map[session.ChildID]int{}, map[session.ChildID]int{}
	for _, e := range events {
		switch e := e.(type) {
		case session.ChildStarted:
			if !e.Resumed {
				began[e.ID]++
			}
		case session.ChildEnded:
			ended[e.ID]++
		}
	}
	for id, n := range began {
		if n != 1 && ended[id] == 1 || ended[id] != 1 {
			w.t.Errorf("child %s began %d times and ended %d times", id, n, ended[id])
		}
	}
	var add func(entries []session.Entry)
	add = func(entries []session.Entry) {
		for _, e := range entries {
			if c, ok := e.(*session.Child); ok {
				all = append(all, c)
				add(c.Entries)
			}
		}
	}
	for _, turn := range session.Fold(events).Turns {
		add(turn.Entries)
	}
	return all
}

// endsOf returns the names of children and how they ended, in order.
func endsOf(all []*session.Child) string {
	var out []string
	for _, c := range all {
		out = append(out, c.Name+" "+string(c.Outcome))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// restored checks that a restart shows the same children.
func (w *whole) restored() {
	w.t.Helper()
	before := endsOf(w.childrenOf(w.all()))
	w.resumes()
	if after := endsOf(w.childrenOf(w.all())); after != before {
		w.t.Errorf("before %s; after a restart %s", before, after)
	}
}

// resumes ends everything and resumes the session in another manager.
func (w *whole) resumes() {
	w.t.Helper()
	if err := w.m.Close(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.manage()
	s, err := w.m.Resume(context.Background(), w.s.ID())
	if err != nil {
		w.t.Fatal(err)
	}
	w.s = s
	w.mu.Lock()
	w.events = nil
	w.mu.Unlock()
	history, _ := s.Attach(w.hear)
	w.mu.Lock()
	w.events = slices.Concat(history, w.events)
	w.mu.Unlock()
}

func (w *whole) customChildren() {
	w.answers(always(yes))
	w.completes("let everything and nothing and listed report", "")
	if got := endsOf(w.childrenOf(w.all())); got != "everything completed, listed completed, nothing completed" {
		w.t.Errorf("children: %s", got)
	}
	for name, check := range map[string]func(tools []string) bool{
		"everything": func(tools []string) bool { return slices.Contains(tools, "Bash") && slices.Contains(tools, "Edit") },
		"nothing":    func(tools []string) bool { return len(tools) == 0 },
		"listed": func(tools []string) bool {
			return slices.Contains(tools, "Read") && slices.Contains(tools, "Grep") && !slices.Contains(tools, "Bash") && !slices.Contains(tools, "Edit")
		},
	} {
		tools, system := w.asked("report as " + name)
		if !check(tools) || !strings.Contains(system, "MARK-"+name) {
			w.t.Errorf("%s has %v; its prompt is there: %v", name, tools, strings.Contains(system, "MARK-"+name))
		}
	}
	w.restored()
}

func (w *whole) customNested() {
	w.answers(always(yes))
	w.completes("let everything ask nothing", "")
	want := "everything completed"
	if tools, _ := w.asked("let nothing answer"); slices.Contains(tools, "Agent") { // not in 2.1.112
		want += ", nothing completed"
	}
	if got := endsOf(w.childrenOf(w.all())); got != want {
		w.t.Errorf("children: %s, not %s", got, want)
	}
	w.restored()
}

func (w *whole) customInBackground() {
	w.answers(always(yes))
	w.completes("let listed report behind", "")
	w.until("end of the child", func(e session.Event) bool { _, ok := e.(session.ChildEnded); return ok })
	w.rests()
	if all := w.childrenOf(w.all()); endsOf(all) != "listed completed" || !all[0].Background {
		w.t.Errorf("children: %s", endsOf(all))
	}
	w.restored()
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
	holds := func(prompt, custom string) {
		w.t.Helper()
		w.completes("hello "+prompt, "hello "+prompt)
		tools, system := w.asked("hello " + prompt)
		if want := custom != ""; slices.Contains(tools, "Bash") == want || strings.Contains(system, "MARK-listed") != want {
			w.t.Errorf("%s: custom agent %q; tools %v; its prompt is there: %v", prompt, custom, tools, strings.Contains(system, "MARK-"))
		}
	}
	holds("plain", "")
	choose("listed")
	holds("first", "listed")
	if err := syscall.Kill(w.runtime(), syscall.SIGKILL); err != nil {
		w.t.Fatal(err)
	}
	w.until("end of the runtime", func(e session.Event) bool {
		r, ok := e.(session.RuntimeChanged)
		return ok && r.State == session.RuntimeExited
	})
	holds("after a crash", "listed")
	w.resumes()
	if got := w.s.Settings().Custom; got != "listed" {
		w.t.Errorf("after a restart: %q", got)
	}
	holds("after a restart", "listed")
	choose("")
	holds("last", "")
	choose("gone")
	_, err := w.s.Ask(w.t.Context(), session.Prompt{Text: "hello again"})
	if session.KindOf(err) != session.KindNotFound || !strings.Contains(err.Error(), `"gone"`) {
		w.t.Errorf("an agent that is not there: %v", err)
	}
}
