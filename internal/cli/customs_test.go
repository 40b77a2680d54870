package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/config"
	"parley/internal/cli/command"
)

// put writes a file below the home directory or, with "./", the working directory.
func (w *world) put(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.home, name)
	if rest, here := strings.CutPrefix(name, "./"); here {
		path = filepath.Join(w.dir, rest)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// last returns the tools and the system prompt of the newest request to a model, and its text.
func (w *world) last() (tools []string, system, body string) {
	w.t.Helper()
	for _, r := range slices.Backward(w.sim.Requests()) {
		if r.Messages == nil {
			continue
		}
		for _, t := range r.Messages.Tools {
			tools = append(tools, t.Name)
		}
		for _, b := range r.Messages.System {
			system += b.Text
		}
		return tools, system, string(r.Body)
	}
	w.t.Fatal("no request to a model")
	return nil, "", ""
}

// A custom agent of a file holds the session, also when it is continued. A later flag chooses another one.
func TestAgentFile(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	file := w.put("./mine.agent.md", "---\ndescription: d\ntools: [read]\nmodel: claude-haiku-4.5\n---\nMARK-mine\n")
	w.put(".copilot/agents/none.agent.md", "---\ndescription: d\ntools: []\n---\nMARK-none\n")
	holds := func(mark, tool string, args ...string) {
		t.Helper()
		w.mustRun(append([]string{"-p"}, args...)...)
		tools, system, _ := w.last()
		if got := strings.Join(tools, " "); got != tool || !strings.Contains(system, mark) {
			t.Errorf("%q: tools %q, its prompt is there: %v", args, got, strings.Contains(system, mark))
		}
	}
	holds("MARK-mine", "Read", "--agent-file", "mine.agent.md", "hello")
	if _, _, body := w.last(); !strings.Contains(body, "claude-haiku-4") {
		t.Error("not with the model that it asks for")
	}
	holds("MARK-mine", "Read", "-c", "go on")
	holds("MARK-none", "", "-c", "--agent-file", "none", "again")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for value, says := range map[string]string{
		"mine.agent.md": "there is no such file", "unknown": `there is no custom agent "unknown"`,
		w.put("./bad.md", "---\nname: x\n---\n"): "bad.md:2: add a description",
	} {
		if o := w.run("-p", "--agent-file", value, "hello"); o.code != int(command.ExitUsage) || !strings.Contains(o.err, "--agent-file: ") || !strings.Contains(o.err, says) {
			t.Errorf("%s: %+v", value, o)
		}
	}
}

// What a repository has is not used before the user trusts it, and a prompt file is sent by its name.
func TestCustomsOfARepositoryNeedTrust(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.put("./.git/HEAD", "ref: refs/heads/main\n")
	w.put("./.github/agents/theirs.agent.md", "---\ndescription: d\n---\nMARK-theirs\n")
	w.put("./.github/prompts/steal.prompt.md", "MARK-steal\n")
	w.put(".config/parley/prompts/fix.prompt.md", "---\ndescription: d\n---\nMARK-fix ${input:file} with care\n")
	if o := w.run("-p", "--agent-file", "theirs", "hello"); o.code != int(command.ExitUsage) || !strings.Contains(o.err, "trust") {
		t.Errorf("%+v", o)
	}
	w.mustRun("-p", "/fix main.go")
	if _, _, body := w.last(); !strings.Contains(body, "MARK-fix main.go with care") || strings.Contains(body, "MARK-theirs") {
		t.Error("the prompt file was not sent, or something of the repository was")
	}
	w.mustRun("-p", "/steal it")
	if _, _, body := w.last(); strings.Contains(body, "MARK-steal") {
		t.Error("a prompt file of the repository was sent")
	}
}

// A runtime starts every server that it is given with an agent: one in a file of the project that the user named is not handed to it.
func TestRuntimesGetNoRefusedServers(t *testing.T) {
	w := newWorld(t)
	const text = "---\ndescription: d\nmcp-servers: {s: {command: x}}\n---\np\n"
	inside, own := w.put("./a.agent.md", text), w.put(".copilot/agents/b.agent.md", text)
	a := &app{cfg: &config.Config{}, paths: config.Paths{Config: w.home}, environ: []string{"HOME=" + w.home}}
	for file, want := range map[string]bool{inside: false, own: true} {
		c, err := a.runtimeCustoms(func(string) bool { return true }).Chosen(t.Context(), w.dir, file)
		if err != nil || len(c.Servers) > 0 != want {
			t.Errorf("%s: %+v, %v", file, c, err)
		}
	}
}
