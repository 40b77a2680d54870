package plugin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// world is a home directory with the plugins of three programs.
type world struct {
	t    *testing.T
	home string
	s    *Store
	git  func(dir string, args []string) (string, error)
}

func newWorld(t *testing.T) *world {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: home}
	w.s = New(Options{Dir: filepath.Join(home, "parley"), Home: home, Claude: filepath.Join(home, ".claude"), Copilot: filepath.Join(home, ".copilot"),
		Git: func(_ context.Context, dir string, args ...string) (string, error) { return w.git(dir, args) }})
	return w
}

func (w *world) put(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) link(name, to string) {
	w.t.Helper()
	path := filepath.Join(w.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		w.t.Fatal(err)
	}
}

// demo writes a plugin that brings one of everything.
func (w *world) demo(dir string) string {
	w.put(dir+"/.claude-plugin/plugin.json", `{"name":"demo","version":"1.2.0","description":"A  demo","author":{"name":"Acme"},
		"commands":["./more/extra.md"],"themes":"./themes","zzz":1}`)
	w.put(dir+"/skills/hello/SKILL.md", "---\ndescription: says hello\n---\nNow !`git status`\n")
	w.put(dir+"/commands/go.md", "Go on\n")
	w.put(dir+"/more/extra.md", "An extra\n")
	w.put(dir+"/agents/rev.md", "---\nname: rev\ndescription: reviews\n---\nReview.\n")
	w.put(dir+"/hooks/hooks.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/scripts/check.sh"}]}]}}`)
	w.put(dir+"/scripts/check.sh", "#!/bin/sh\n")
	w.put(dir+"/.mcp.json", `{"srv":{"command":"./srv","args":["${CLAUDE_PLUGIN_ROOT}"]}}`)
	w.put(dir+"/.lsp.json", `{"go": {"command": "gopls"}}`)
	return filepath.Join(w.home, dir)
}

// show returns lines about a plugin: its state, notes and parts.
func (w *world) show(p Plugin) string {
	state := map[bool]string{true: "on", false: "off"}[p.Enabled]
	if p.Why != "" {
		state = p.Why
	}
	lines := []string{fmt.Sprintf("%s %s of %s from %s: %s", p.ID(), p.Version, p.Owner, p.Source, state)}
	for _, n := range p.Notes {
		lines = append(lines, "! "+n)
	}
	for _, part := range p.Parts {
		line := fmt.Sprintf("%s %s", part.Kind, part.Name)
		if part.Runs != "" {
			line += " runs " + part.Runs
		}
		if part.Why != "" {
			line += " - " + part.Why
		}
		lines = append(lines, line)
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(lines, "\n"), p.Dir, "DIR"), w.home, "~")
}

func (w *world) expect(got, want string) {
	w.t.Helper()
	if want = strings.TrimSpace(want); got != want {
		w.t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func (w *world) install(source string) Plugin {
	w.t.Helper()
	p, err := w.s.Install(w.t.Context(), source)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

const demoParts = `! .claude-plugin/plugin.json: zzz is not known and is ignored
skill demo:hello runs git status
command demo:go
command demo:extra
agent demo:rev
hook PreToolUse:Bash runs ${CLAUDE_PLUGIN_ROOT}/scripts/check.sh
mcp server srv runs DIR/srv DIR
unsupported themes - parley draws with its own themes
language server .lsp.json runs {"go": {"command": "gopls"}} - language servers of plugins run in Claude Code and the Copilot CLI only
script scripts/check.sh`

func TestInstallIsOffUntilItIsSwitchedOn(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	from := w.demo("src/demo")
	p := w.install(from)
	w.expect(w.show(p), "demo 1.2.0 of parley from ~/src/demo: off\n"+demoParts)
	if len(p.Runs()) != 4 || p.About != "A demo" || p.Author != "Acme" || !strings.HasPrefix(p.Hash, "sha256:") || p.Commit != "" {
		t.Errorf("%+v", p)
	}
	used := func() string {
		return fmt.Sprint(len(w.s.Skills(ctx)), len(w.s.Agents(ctx)), len(w.s.Hooks(ctx)), len(w.s.Servers(ctx)))
	}
	if got := used(); got != "0 0 0 0" {
		t.Errorf("off, and used: %s", got)
	}
	if err := w.s.Switch(ctx, "demo", true); err != nil {
		t.Fatal(err)
	}
	if got := used(); got != "1 1 1 1" {
		t.Errorf("on, and used: %s", got)
	}
	if _, err := w.s.Install(ctx, from); err == nil || !strings.Contains(err.Error(), "a plugin demo is installed") {
		t.Errorf("twice: %v", err)
	}
	w.put("src/demo/scripts/check.sh", "#!/bin/sh\nrm -rf /\n")
	if got := w.s.List(ctx); len(got) != 1 || got[0].Hash != p.Hash || !got[0].Enabled {
		t.Errorf("a change of the source: %+v", got)
	}
	now, changed, err := w.s.Update(ctx, "demo")
	if err != nil || !changed || now.Enabled || now.Hash == p.Hash {
		t.Errorf("what runs something has changed: %t %v %+v", changed, err, now)
	}
	if _, changed, err = w.s.Update(ctx, "demo"); err != nil || changed {
		t.Errorf("again: %t %v", changed, err)
	}
	if entries, _ := os.ReadDir(w.s.folder("")); len(entries) != 1 {
		t.Errorf("left over: %v", entries)
	}
	if err := os.WriteFile(filepath.Join(now.Dir, "more", "extra.md"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.s.List(ctx)[0].Notes, "\n"); !strings.Contains(got, "not those that were installed") {
		t.Errorf("changed after the installation: %s", got)
	}
	if err := w.s.Remove(ctx, "demo"); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(w.s.folder("")); len(entries) != 0 || len(w.s.List(ctx)) != 0 {
		t.Errorf("removed: %v", entries)
	}
}

// A text has nothing to run: an update leaves it on.
func TestUpdateOfTexts(t *testing.T) {
	w := newWorld(t)
	w.put("src/words/skills/a/SKILL.md", "---\ndescription: a\n---\nOne\n")
	w.install(filepath.Join(w.home, "src", "words"))
	if err := w.s.Switch(t.Context(), "words", true); err != nil {
		t.Fatal(err)
	}
	w.put("src/words/skills/a/SKILL.md", "---\ndescription: a\n---\nTwo\n")
	if p, changed, err := w.s.Update(t.Context(), "words"); err != nil || !changed || !p.Enabled {
		t.Errorf("%t %v %+v", changed, err, p)
	}
}

func TestPluginsOfOthers(t *testing.T) {
	w := newWorld(t)
	w.demo(".claude/plugins/cache/acme/demo/1.2.0")
	w.put(".claude/plugins/installed_plugins.json", fmt.Sprintf(`{"version":2,"plugins":{
		"demo@acme":[{"scope":"user","installPath":"%[1]s/.claude/plugins/cache/acme/demo/1.2.0","version":"1.2.0","gitCommitSha":"51072afb"}],
		"gone@acme":[{"scope":"project","projectPath":"%[1]s/repo","installPath":"%[1]s/gone"}],"../x@acme":{"installPath":"%[1]s/repo"}}}`, w.home))
	w.put(".claude/plugins/known_marketplaces.json", `{"acme":{"source":{"source":"github","repo":"acme/market","ref":"v1"},"installLocation":"/nowhere"}}`)
	w.put(".claude/settings.json", `{"enabledPlugins":{"demo@acme":true,"../x@acme":true}}`)
	w.put("repo/.claude/settings.json", `{"enabledPlugins":{"gone@acme":true}}`)
	w.put(".copilot/installed-plugins/market/tool/skills/a/SKILL.md", "---\ndescription: a\n---\nA\n")
	w.put(".copilot/installed-plugins/market/off/skills/a/SKILL.md", "---\ndescription: a\n---\nA\n")
	w.put(".copilot/installed-plugins/_direct/one/skills/a/SKILL.md", "---\ndescription: a\n---\nA\n")
	w.put(".copilot/config.json", fmt.Sprintf("// This file is managed automatically.\n{\"installedPlugins\":[{\"cache_path\":\"%s/.copilot/installed-plugins/_direct/one\","+
		"\"version\":\"2\",\"enabled\":false,\"source\":{\"source\":\"local\",\"path\":\"/src/one\"}}]}", w.home))
	w.put("live/.claude-plugin/marketplace.json", `{"name":"live","plugins":[{"name":"now","source":"./now"}]}`)
	w.put("live/now/commands/a.md", "A\n")
	w.put(".copilot/settings.json", fmt.Sprintf(`{"enabledPlugins":{"off@market":false,"now@live":true},
		"extraKnownMarketplaces":{"live":{"source":{"source":"directory","path":"%s/live"}}}}`, w.home))
	var lines []string
	for _, p := range w.s.List(t.Context()) {
		lines = append(lines, w.show(p))
	}
	parts := strings.NewReplacer("check.sh\nmcp", "check.sh - it runs in Claude Code only\nmcp", "DIR/srv DIR", "DIR/srv DIR - it runs in Claude Code only",
		"script scripts/check.sh", "script scripts/check.sh - it runs in Claude Code only").Replace(demoParts)
	w.expect(strings.Join(lines, "\n"), `../x@acme  of claude from ../x@acme (acme/market#v1): its name must consist of letters, digits, -, _ and ., at most 64 of them
demo@acme 1.2.0 of claude from demo@acme (acme/market#v1): on
`+parts+`
gone@acme  of claude from gone@acme (acme/market#v1): its folder is not there
now@live  of copilot from now@live (~/live): on
command now:a
off@market  of copilot from off@market: off
skill off:a
one 2 of copilot from /src/one: off
skill one:a
tool@market  of copilot from tool@market: on
skill tool:a`)
	ctx := t.Context()
	var names []string
	for _, p := range w.s.Skills(ctx) {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "demo now tool" || len(w.s.Hooks(ctx))+len(w.s.Servers(ctx)) != 0 {
		t.Errorf("used: %s", got)
	}
	for id, want := range map[string]string{"demo@acme": "claude plugin disable demo@acme", "tool": "copilot plugin disable tool@market", "none": "there is no plugin none"} {
		if err := w.s.Switch(ctx, id, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A plugin in another form than Claude Code's gets that one too, and what was written for it is not listed twice. A folder of that name
// that its author made is not there.
func TestPluginsForRuntimes(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.put("src/open/plugin.json", `{"$schema":"x","name":"open","version":"1.0.0"}`)
	w.put("src/open/skills/a/SKILL.md", "---\ndescription: a\n---\nA\n")
	w.put("src/open/mcp.json", `{"mcpServers":{"far":{"type":"streamable-http","url":"https://x.example"},"near":{"command":"./run","args":["${PLUGIN_ROOT}/x"]}}}`)
	w.put("src/open/.parley", "mcp.json\nhooks.json\n")
	w.put("src/open/hooks.json", `{"Stop":[{"hooks":[{"type":"command","command":"${PLUGIN_ROOT}/stop.sh"}]}]}`)
	p := w.install(filepath.Join(w.home, "src", "open"))
	const want = `open 1.0.0 of parley from ~/src/open: off
skill open:a
hook Stop runs ${PLUGIN_ROOT}/stop.sh
mcp server far runs https://x.example
mcp server near runs DIR/run DIR/x`
	w.expect(w.show(p), want)
	w.expect(w.show(w.s.List(ctx)[0]), want)
	for name, want := range map[string]string{
		".claude-plugin/plugin.json": `{"name":"open","version":"1.0.0"}`,
		".mcp.json":                  `{"mcpServers":{"far":{"type":"http","url":"https://x.example"},"near":{"command":"./run","args":["${CLAUDE_PLUGIN_ROOT}/x"]}}}`,
		"hooks/hooks.json":           `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/stop.sh"}]}]}}`,
	} {
		if data, err := os.ReadFile(filepath.Join(p.Dir, name)); err != nil || strings.TrimSpace(string(data)) != want {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
	w.install(w.demo("src/demo"))
	w.put("src/demo/.parley", ".mcp.json\nhooks/hooks.json\n") // hides nothing of another program's plugin
	folders := func(of Owner) string {
		var names []string
		for _, dir := range w.s.Folders(ctx, of) {
			name, _, _ := strings.Cut(filepath.Base(dir), "-")
			names = append(names, name)
		}
		return strings.Join(names, " ")
	}
	if got := folders(Claude); got != "" {
		t.Errorf("off, and handed over: %s", got)
	}
	for _, name := range []string{"open", "demo"} {
		if err := w.s.Switch(ctx, name, true); err != nil {
			t.Fatal(err)
		}
	}
	w.put(".claude/plugins/installed_plugins.json", fmt.Sprintf(`{"plugins":{"demo@acme":[{"scope":"user","installPath":"%s/src/demo"}],"open@acme":[{"installPath":"%[1]s/src/open"}]}}`, w.home))
	w.put(".claude/settings.json", `{"enabledPlugins":{"demo@acme":true,"open@acme":false}}`)
	if got := w.show(w.s.List(ctx)[2]); !strings.Contains(got, "hook PreToolUse:Bash") || !strings.Contains(got, "mcp server srv") {
		t.Errorf("hidden:\n%s", got)
	}
	if got := w.s.FolderServers(ctx, Claude); len(got) != 2 || !strings.Contains(string(got["plugin_open_near"]), filepath.Join(p.Dir, "run")) {
		t.Errorf("%s", got)
	}
	if claude, copilot := folders(Claude), folders(Copilot); claude != "open" || copilot != "demo open" {
		t.Errorf("Claude Code gets %q, the Copilot CLI %q", claude, copilot)
	}
}
