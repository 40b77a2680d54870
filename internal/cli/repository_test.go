//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/session/mcp/mcptest"
)

// TestOneRepositoryOnATerminal works in a repository with AGENTS.md, skills, hooks and an MCP server, with a plugin of the user. The contract
// test of the same name does it with the real runtimes and wants the same screens.
func TestOneRepositoryOnATerminal(t *testing.T) {
	t.Parallel()
	newRepository(t, "builtin").work()
}

// repository is a conversation in a repository that extends the agent.
type repository struct {
	*approvals
	// onPrompt and onCommand are what the repository's hooks write for a prompt and for a command.
	onPrompt, onCommand []string
	// silent are those that the agent does not run, and says so.
	silent []string
}

// server is a program that notes that it was started, in a file of the home directory, and serves the tools of mcptest.
func (w *world) server(note string) string {
	w.t.Helper()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		w.t.Fatal(err)
	}
	return fmt.Sprintf("#!/bin/sh\necho started >> \"$HOME/%s\"\nexport %s=plain\nexec '%s'\n", note, mcptest.Variable, self)
}

func newRepository(t *testing.T, agent string) *repository {
	t.Helper()
	r := &repository{approvals: scripted(t, "repository", agent, nil),
		onPrompt: []string{"claude-prompt", "copilot-prompt"}, onCommand: []string{"claude-command", "copilot-command"}}
	note := func(word string) string {
		return `echo ` + word + ` >> "$HOME/hooks-ran"`
	}
	skill := func(name string) string {
		return "---\nname: " + name + "\ndescription: Knows how to " + name + "\n---\nBODY-" + name + "\n"
	}
	for name, text := range map[string]string{
		"./AGENTS.md":                    "MARK-agents: answer in few words.\n",
		"./.claude/skills/tidy/SKILL.md": skill("tidy"),
		"./.github/skills/weed/SKILL.md": skill("weed"),
		"./.claude/settings.json": fmt.Sprintf(`{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":%q}]}],
			"PostToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":%q}]}]}}`, note("claude-prompt"), note("claude-command")),
		"./.github/hooks/note.json": fmt.Sprintf(`{"version":1,"hooks":{"userPromptSubmitted":[{"type":"command","bash":%q}],
			"postToolUse":[{"type":"command","matcher":"bash","bash":%q}]}}`, note("copilot-prompt"), note("copilot-command")),
		"./.mcp.json":                     `{"mcpServers":{"depot":{"command":"sh","args":["depot.sh"]}}}`,
		"./depot.sh":                      r.server("depot-started"),
		"demo/.claude-plugin/plugin.json": `{"name":"demo","version":"1.0.0","description":"A demo"}`,
		"demo/skills/greet/SKILL.md":      skill("greet"),
		"demo/.mcp.json":                  `{"mcpServers":{"shed":{"command":"sh","args":["${CLAUDE_PLUGIN_ROOT}/shed.sh"]}}}`,
		"demo/shed.sh":                    r.server("shed-started"),
	} {
		r.put(name, text)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "begin"}} {
		cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	r.mustRun("extensions", "add", filepath.Join(r.home, "demo"))
	r.mustRun("extensions", "enable", "demo", "--yes")
	return r
}

// ran returns what hooks and servers have noted in a file of the home directory.
func (r *repository) ran(note string) string {
	data, _ := os.ReadFile(filepath.Join(r.home, note))
	return string(data)
}

// newest returns the newest request that offers the model tools.
func (r *repository) newest() string {
	r.t.Helper()
	all := r.sim.Requests()
	for i := len(all) - 1; i >= 0; i-- {
		if strings.Contains(string(all[i].Body), `"tools":[{`) {
			return string(all[i].Body)
		}
	}
	r.t.Fatal("no request offers tools")
	return ""
}

// work agrees to the repository, and uses all that it and the plugin bring.
func (r *repository) work() {
	r.t.Helper()
	r.differs = append(r.differs, difference{regexp.MustCompile(`^  (parley|Claude Code|Copilot)( \d+\.[\d.]+)? · `), "  AGENT · "}, difference{regexp.MustCompile(` \d+ms `), " TIME "})
	r.tm = r.start(100, 48, "--agent", r.agent)
	r.tm.shows("Load this project")
	r.nothing("before the answer")
	r.tm.send("\x1bq")
	r.tm.until("the keyboard", func(s string) bool { return strings.Contains(s, "❯ ") })
	r.compare("trust")
	r.tm.send("y")
	r.tm.shows("this directory is trusted")
	r.nothing("before the first prompt")
	r.say("which rules", "I have read the rules.", 0)
	if got := strings.Count(r.newest(), "MARK-agents"); got != 1 {
		r.t.Errorf("AGENTS.md is there %d times", got)
	}
	r.page("mcp", "connected")
	r.page("skills", "greet")
	r.hooks()
	r.say("tidy the desk", "The desk is tidy.", 0)
	r.knows("BODY-tidy")
	r.say("weed the garden", "No weed is left.", 0)
	r.knows("BODY-weed")
	r.compare("skills-used")
	r.say("ask the depot", "The depot has beans.", 1)
	r.compare("depot-asked")
	r.say("use the plugin", "The shed has spades.", 1)
	r.knows("BODY-greet")
	r.compare("plugin-used")
	r.say("mark it", "The mark is there.", 1)
	r.compare("hooked")
	got, want := strings.Fields(r.ran("hooks-ran")), slices.Concat(slices.Repeat(r.onPrompt, 6), r.onCommand)
	slices.Sort(got) // hooks of one event run at the same time
	slices.Sort(want)
	if !slices.Equal(got, want) {
		r.t.Errorf("the hooks wrote %q and not %q", got, want)
	}
	for _, note := range []string{"depot-started", "shed-started"} { // Claude Code up to 2.1.197 starts each twice
		if got := r.ran(note); got == "" {
			r.t.Errorf("%s: nothing", note)
		}
	}
	r.leave()
}

// say sends a prompt, allows so many calls that are asked, and waits for the answer.
func (r *repository) say(prompt, answer string, asks int) {
	r.t.Helper()
	r.tm.send(prompt + "\r")
	for range asks {
		r.asked("❯ y")
		r.compare("asked-" + strings.Fields(prompt)[0])
		r.tm.send("y")
	}
	r.tm.shows(answer)
}

// hooks wants the list of hooks to have those of the repository that run.
func (r *repository) hooks() {
	r.t.Helper()
	r.tm.send("/hooks\r")
	s := r.tm.until("hooks", func(s string) bool { return strings.Contains(s, "UserPromptSubmit") })
	for _, word := range slices.Concat(r.onPrompt, r.onCommand) {
		if !regexp.MustCompile(`echo ` + word + `.*  on  `).MatchString(s) {
			r.t.Errorf("the hook %s is not on:\n%s", word, s)
		}
	}
	for _, word := range r.silent {
		if !regexp.MustCompile(`echo ` + word + `.*  off  `).MatchString(s) {
			r.t.Errorf("the hook %s is not off:\n%s", word, s)
		}
	}
	r.back()
}

// back closes a list.
func (r *repository) back() {
	r.t.Helper()
	r.tm.send("\x1b")
	r.tm.until("the chat", func(s string) bool { return strings.Contains(s, "? keys") })
}

// onPages are what a list has more for one agent than for another: the preview, counted tools, and how wide the columns are.
var onPages = []difference{{regexp.MustCompile(`┆.*`), ""}, {regexp.MustCompile(`(\S) {2,}`), "$1  "}, {regexp.MustCompile(`state  tools`), "state"},
	{regexp.MustCompile(`connected  9 `), "connected "}, {regexp.MustCompile(`plugin:demo:shed`), "shed"}, {regexp.MustCompile(`^ +state`), "  state"}}

// page opens a list and closes it once it shows a text.
func (r *repository) page(name, text string) {
	r.t.Helper()
	r.tm.send("/" + name + "\r")
	r.tm.until(text, func(s string) bool { return strings.Contains(s, "type to filter") && strings.Contains(s, text) })
	before := r.differs
	r.differs = append(slices.Clone(before), onPages...)
	r.compare("page-" + name)
	r.differs = before
	r.back()
}

// knows wants the model to have got a text, once.
func (r *repository) knows(text string) {
	r.t.Helper()
	if got := strings.Count(r.newest(), text); got != 1 {
		r.t.Errorf("%s is there %d times", text, got)
	}
}

// nothing wants nothing of the repository to have run, and nothing of it to have reached the model.
func (r *repository) nothing(when string) {
	r.t.Helper()
	if got := r.ran("hooks-ran") + r.ran("depot-started"); got != "" {
		r.t.Errorf("%s has run:\n%s", when, got)
	}
	for _, req := range r.sim.Requests() {
		for _, mark := range []string{"MARK-agents", "Knows how to tidy", "Knows how to weed"} {
			if strings.Contains(string(req.Body), mark) {
				r.t.Errorf("%s the model has read %s", when, mark)
			}
		}
	}
}
