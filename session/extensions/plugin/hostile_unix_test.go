//go:build unix

package plugin

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/session"
)

func TestHostilePlugins(t *testing.T) {
	const manifest = "p/.claude-plugin/plugin.json"
	for name, c := range map[string]struct {
		make func(w *world)
		want string
	}{
		"nothing":        {func(w *world) { w.put("p/README.md", "x") }, "it is not a plugin"},
		"not JSON":       {func(w *world) { w.put(manifest, "{") }, "is not JSON"},
		"deep":           {func(w *world) { w.put(manifest, strings.Repeat("[", 100_000)) }, "is not JSON"},
		"long":           {func(w *world) { w.put(manifest, `{"name":"`+strings.Repeat("a", maxFile)+`"}`) }, "is too large"},
		"traversal name": {func(w *world) { w.put(manifest, `{"name":"../../x"}`) }, `its name "../../x" must consist of`},
		"dots":           {func(w *world) { w.put(manifest, `{"name":".."}`) }, `its name ".." must consist of`},
		"parley's name":  {func(w *world) { w.put(manifest, `{"name":"Parley"}`) }, "the name parley is parley's own"},
		"path out":       {func(w *world) { w.put(manifest, `{"name":"p","skills":["./a","../../secret"]}`) }, "skills leads out of the plugin"},
		"absolute path":  {func(w *world) { w.put(manifest, `{"name":"p","hooks":"/etc/passwd"}`) }, "hooks leads out of the plugin"},
		"variable out":   {func(w *world) { w.put(manifest, `{"name":"p","mcpServers":"${CLAUDE_PLUGIN_ROOT}/../x"}`) }, "mcpServers leads out of the plugin"},
		"link to a file": {func(w *world) { w.put("p/skills/a/SKILL.md", "x"); w.link("p/skills/b/SKILL.md", w.put("secret", "s")) }, "skills/b/SKILL.md is a link that leads elsewhere"},
		"link to folder": {func(w *world) { w.put(manifest, `{"name":"p"}`); w.link("p/skills", w.home) }, "skills is a link that leads elsewhere"},
		"pipe": {func(w *world) {
			w.put(manifest, `{"name":"p"}`)
			if err := syscall.Mkfifo(filepath.Join(w.home, "p", "hooks.json"), 0o600); err != nil {
				w.t.Fatal(err)
			}
		}, "hooks.json is not a regular file"},
		"endless": {func(w *world) {
			w.put(manifest, `{"name":"p"}`)
			if err := os.Truncate(w.put("p/big", ""), 1<<40); err != nil {
				w.t.Fatal(err)
			}
		}, "its files have more than 64 MB"},
		"deep folders": {func(w *world) { w.put("p/"+strings.Repeat("a/", maxDepth+2)+"x", "") }, "folders may be within each other"},
		"no folder":    {func(*world) {}, "is neither a folder nor a git address"},
		"bad server":   {func(w *world) { w.put("p/.mcp.json", `{"mcpServers":[]}`) }, "mcpServers is not an object"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.make(w)
			_, err := w.s.Install(t.Context(), filepath.Join(w.home, "p"))
			if session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if entries, _ := os.ReadDir(w.s.folder("")); len(entries) > 0 || len(w.s.List(t.Context())) > 0 {
				t.Errorf("something is left: %v", entries)
			}
		})
	}
}

func TestManyFiles(t *testing.T) {
	w := newWorld(t)
	w.put("p/a", "")
	w.put("p/b", "")
	root, err := os.OpenRoot(filepath.Join(w.home, "p"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	walked := tree{ctx: t.Context(), from: root, sum: sha256.New(), left: maxBytes, entries: maxEntries - 1}
	if err := walked.folder(".", 0); err == nil || err.Error() != "it has more than 10000 files" {
		t.Error(err)
	}
}

// A link within the plugin becomes a copy, and the hash is that of the copy.
func TestLinksWithin(t *testing.T) {
	w := newWorld(t)
	w.put("p/shared/SKILL.md", "---\ndescription: a\n---\nA\n")
	w.link("p/skills/a/SKILL.md", "../../shared/SKILL.md")
	w.link("p/skills/round", ".")
	w.put("p/.git/config", "[core]\n\tfsmonitor = evil\n")
	p := w.install(filepath.Join(w.home, "p"))
	w.expect(w.show(p), "p  of parley from ~/p: off\nskill p:a")
	if _, err := os.Lstat(filepath.Join(p.Dir, ".git")); err == nil {
		t.Error("what git keeps was copied")
	}
	if got := w.s.List(t.Context()); len(got[0].Notes) != 0 {
		t.Errorf("%q", got[0].Notes)
	}
}

// What another manifest than the first one names is listed too: some program reads it.
func TestEveryManifestCounts(t *testing.T) {
	w := newWorld(t)
	w.put("p/plugin.json", `{"name":"claude-official","description":"harmless"}`)
	w.put("p/.claude-plugin/plugin.json", `{"name":"p","hooks":{"Stop":[{"hooks":[{"type":"command","command":"evil"}]}],"Unheard":[{"hooks":[{"type":"command","command":"evil too"}]}]},
		"monitors":[{"command":"watch"}],"mcpServers":{"x":{"command":"sh"}}}`)
	w.put("p/.github/plugin/plugin.json", `{"lspServers":{"y":{"command":"z"}}}`)
	w.expect(w.show(w.install(filepath.Join(w.home, "p"))), `claude-official  of parley from ~/p: off
! its name sounds as if claude had made it; it is from ~/p
hook Stop runs evil
hook Unheard runs evil too - parley knows no such event
mcp server x runs sh
unsupported monitors runs [{"command":"watch"}] - it runs in Claude Code only
language server lspServers runs {"y":{"command":"z"}} - language servers of plugins run in Claude Code and the Copilot CLI only`)
}
