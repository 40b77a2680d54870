package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The first frame reads none of 500 skills and 50 servers, and neither agents, commands nor plugins. They appear once they are asked for.
func TestExtensionsAreReadAfterTheFirstFrame(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	watch, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(watch)
	look := func(path string) {
		if _, err := syscall.InotifyAddWatch(watch, path, syscall.IN_OPEN); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 500 {
		look(filepath.Dir(w.put(fmt.Sprintf(".claude/skills/skill-%d/SKILL.md", i), "---\ndescription: one of many\n---\nDo it.\n")))
	}
	look(filepath.Join(w.home, ".claude", "skills"))
	var servers []string
	for i := range 50 {
		servers = append(servers, fmt.Sprintf(`"depot-%d":{"command":"true"}`, i))
	}
	for name, text := range map[string]string{".claude/agents/reviewer.md": "---\ndescription: d\n---\nx\n", ".claude/commands/ship.md": "Ship it.\n",
		".config/parley/mcp.json": `{"mcpServers":{` + strings.Join(servers, ",") + `}}`, ".copilot/mcp-config.json": "{}",
		".copilot/installed-plugins/acme/tools/plugin.json": "{}", ".claude/plugins/installed_plugins.json": "{}", ".copilot/hooks/a.json": "{}"} {
		path := w.put(name, text)
		look(path)
		if filepath.Dir(path) != filepath.Join(w.home, ".config", "parley") {
			look(filepath.Dir(path))
		}
	}
	opened := func() bool {
		n, _ := syscall.Read(watch, make([]byte, 64<<10))
		return n > 0
	}
	tm := w.start(100, 24)
	tm.shows("asks before it acts")
	if opened() {
		t.Error("something was read before the first frame")
	}
	tm.send("/skill-49")
	tm.shows("one of many")
	tm.send("\x15/extensions\r")
	tm.shows("per session")
	tm.send("depot-49")
	tm.shows("depot-49  waiting")
	if !opened() {
		t.Error("nothing was read, or nothing is watched")
	}
	tm.send("\x1b")
	tm.shows("type to filter")
	tm.send("\x1b")
	tm.shows("asks before it acts")
	tm.send("/quit\r")
	tm.exit()
}
