package watch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley/session/extensions/watch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tree is a user and a project on disk.
type tree struct {
	t         testing.TB
	home, dir string
	homes     watch.Homes
}

func newTree(t testing.TB) *tree {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := &tree{t: t, home: filepath.Join(base, "home"), dir: filepath.Join(base, "home", "src", "project")}
	at.homes = watch.Homes{Home: at.home, Claude: filepath.Join(at.home, ".claude"), Copilot: filepath.Join(at.home, ".copilot"), Config: filepath.Join(at.home, ".config", "parley"),
		Plugins: filepath.Join(at.home, ".local", "plugins"), ClaudeFile: filepath.Join(at.home, ".claude.json"), Managed: []string{filepath.Join(base, "etc", "managed.json"), filepath.Join(base, "etc", "managed.d")},
		PluginDirs: func(context.Context) []string { return []string{filepath.Join(base, "plugin")} }}
	at.write("home/src/project/.git/HEAD", "ref: refs/heads/main\n")
	at.write("home/src/project/main.go", "package main\n")
	return at
}

// path returns a path below the folder that has everything.
func (at *tree) path(name string) string {
	return filepath.Join(filepath.Dir(at.home), filepath.FromSlash(name))
}

// write replaces a file as editors do.
func (at *tree) write(name, text string) {
	at.t.Helper()
	path := at.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		at.t.Fatal(err)
	}
	if err := os.WriteFile(path+"~", []byte(text), 0o644); err != nil {
		at.t.Fatal(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		at.t.Fatal(err)
	}
}

// follow begins to follow the project and returns what waits for the next change, within a deadline.
func (at *tree) follow(o watch.Options) (w *watch.Watcher, changed func(what string)) {
	at.t.Helper()
	o.Places = at.homes.Places
	w = watch.New(o)
	at.t.Cleanup(w.Close)
	next := w.Follow(at.dir)
	changed = func(what string) {
		at.t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if !next(ctx) {
			at.t.Fatalf("%s: no signal", what)
		}
	}
	changed("the first look")
	return w, changed
}

// Each kind of file is seen when it appears where nothing was, is replaced, written in place and removed, and nothing else is.
func TestChangesAreSeen(t *testing.T) {
	for _, c := range []struct {
		file string
		kind watch.Kind
	}{
		{"etc/managed.json", watch.Claude}, {"etc/managed.d/10-hooks.json", watch.Claude},
		{"home/.claude/settings.json", watch.Claude}, {"home/.claude/skills/pdf/SKILL.md", watch.Skills}, {"home/.claude/commands/a/b/c.md", watch.Skills},
		{"home/.claude/agents/x.md", watch.Agents}, {"home/.claude/CLAUDE.md", watch.Instructions}, {"home/.claude/plugins/installed_plugins.json", watch.Plugins},
		{"home/.copilot/hooks/h.json", watch.Copilot}, {"home/.copilot/mcp-config.json", watch.Copilot}, {"home/.config/parley/mcp.json", watch.OfParley},
		{"home/.local/plugins/plugins.json", watch.Plugins}, {"home/.agents/skills/s/SKILL.md", watch.Skills}, {"plugin/skills/s/SKILL.md", watch.Plugins},
		{"home/src/project/AGENTS.md", watch.Instructions}, {"home/src/project/.claude/skills/s/SKILL.md", watch.Skills},
		{"home/src/project/.github/hooks/h.json", watch.Copilot}, {"home/src/project/.mcp.json", watch.Shared}, {"home/src/project/.vscode/mcp.json", watch.OfParley},
		{"home/src/project/.claude/settings.local.json", watch.Shared}, {"home/src/project/.github/agents/x.agent.md", watch.Agents},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			at := newTree(t)
			w, changed := at.follow(watch.Options{})
			last := w.Look(t.Context(), at.dir)
			differs := func(what string) {
				t.Helper()
				changed(what)
				now := w.Look(t.Context(), at.dir)
				for k := range now {
					if is := now[k] != last[k]; is != (watch.Kind(k) == c.kind) {
						t.Errorf("%s: kind %d differs: %v", what, k, is)
					}
				}
				last = now
			}
			at.write(c.file, "{}")
			differs("created")
			at.write(c.file, `{"a": 1}`)
			differs("replaced")
			if err := os.WriteFile(at.path(c.file), []byte(`{"b": 22}`), 0o644); err != nil {
				t.Fatal(err)
			}
			differs("written in place")
			if err := os.RemoveAll(filepath.Dir(at.path(c.file))); err != nil {
				t.Fatal(err)
			}
			if filepath.Dir(c.file) == "home/src/project" {
				return
			}
			differs("its folder removed")
			at.write(c.file, "{}")
			differs("created again")
		})
	}
}

// What does not count changes no state: the same content, other files, folders that are not entered, links out of the project.
func TestWhatDoesNotCount(t *testing.T) {
	at := newTree(t)
	at.write("home/src/project/.claude/skills/s/SKILL.md", "one")
	at.write("outside/SKILL.md", "one")
	at.write("home/src/project/shared/SKILL.md", "one")
	at.write("home/.claude.json", `{"numStartups": 1}`)
	for link, to := range map[string]string{"out": "outside", "in": "home/src/project/shared"} {
		if err := os.Symlink(at.path(to), at.path("home/src/project/.claude/skills/"+link)); err != nil {
			t.Fatal(err)
		}
	}
	w, changed := at.follow(watch.Options{})
	before := w.Look(t.Context(), at.dir)
	at.write("home/src/project/.claude/skills/s/SKILL.md", "one")
	at.write("home/src/project/.claude/skills/s/run.sh", "two")
	at.write("home/src/project/.claude/skills/node_modules/x.md", "two")
	at.write("home/src/project/main.go", "package other\n")
	at.write("home/.claude/history.jsonl", "{}\n")
	at.write("home/.claude.json", `{"numStartups": 2}`)
	at.write("outside/SKILL.md", "two")
	if w.Look(t.Context(), at.dir) != before {
		t.Error("something counted")
	}
	at.write("home/src/project/shared/SKILL.md", "two")
	if now := w.Look(t.Context(), at.dir); now == before {
		t.Error("a link within the project does not count")
	}
	changed("the link")
	at.write("home/.claude.json", `{"mcpServers": {"x": {"command": "x"}}}`)
	changed("a server of the user")
}

// Where folders cannot be watched, a look before a prompt sees what has changed, and wakes who follows.
func TestLookWithoutWatches(t *testing.T) {
	at := newTree(t)
	w, changed := at.follow(watch.Options{Limit: -1})
	at.write("home/.claude/skills/s/SKILL.md", "one")
	before := w.Look(t.Context(), at.dir)
	changed("the first look")
	at.write("home/.claude/skills/s/SKILL.md", "two")
	if w.Look(t.Context(), at.dir) == before {
		t.Error("the change was not seen")
	}
	changed("the second look")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	now := w.Look(t.Context(), at.dir)
	at.write("home/.claude/skills/s/SKILL.md", "three")
	if w.Look(ended, at.dir) != now {
		t.Error("a look that was given up has another state")
	}
}

// The folders that are watched are bounded, and the end of the watcher ends who waits.
func TestBoundsAndEnd(t *testing.T) {
	at := newTree(t)
	for i := range 30 {
		at.write(fmt.Sprintf("home/.claude/skills/s%d/SKILL.md", i), "text")
	}
	w, _ := at.follow(watch.Options{Limit: 10})
	if n := w.Folders(); n != 10 {
		t.Errorf("%d folders are watched", n)
	}
	ended := make(chan bool)
	next := w.Follow(at.dir)
	if !next(t.Context()) {
		t.Fatal("no first look")
	}
	go func() { ended <- next(context.Background()) }()
	w.Close()
	if <-ended {
		t.Error("the end is a change")
	}
	w.Close()
	if next(t.Context()) || w.Follow(at.dir)(t.Context()) {
		t.Error("a closed watcher reports changes")
	}
	watch.New(watch.Options{}).Close()
}

// BenchmarkSeen measures the time from a change to the signal, with 500 skills.
func BenchmarkSeen(b *testing.B) {
	at := newTree(b)
	for i := range 500 {
		at.write(fmt.Sprintf("home/.claude/skills/s%d/SKILL.md", i), "text")
	}
	_, changed := at.follow(watch.Options{})
	for n := 0; b.Loop(); n++ {
		at.write("home/.claude/skills/s77/SKILL.md", fmt.Sprint("text ", n))
		changed("skill")
	}
}

// BenchmarkLook measures a look before a prompt, with 500 skills.
func BenchmarkLook(b *testing.B) {
	at := newTree(b)
	for i := range 500 {
		at.write(fmt.Sprintf("home/.claude/skills/s%d/SKILL.md", i), "text")
	}
	w, _ := at.follow(watch.Options{})
	for b.Loop() {
		w.Look(b.Context(), at.dir)
	}
}
