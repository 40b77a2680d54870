//go:build unix

package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions"
	"parley/session/extensions/inventory"
	"parley/session/extensions/plugin"
	"parley/session/extensions/skill"
	"parley/session/hooks"
	"parley/session/mcp/mcptest"
)

// An installed plugin brings its skill, hook and server into a turn once it is on, and nothing before, or where it is off in the session.
func TestPluginInATurn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	server, err := json.Marshal(map[string]any{"depot": map[string]any{"command": self, "env": map[string]string{mcptest.Variable: "plain"}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"plugin.json": `{"name":"demo"}`, "mcp.json": `{"mcpServers":` + string(server) + `}`, "skills/tidy/SKILL.md": tidy,
		"note.sh":    "#!/bin/sh\ncat >> " + filepath.Join(home, "ran") + "\n",
		"hooks.json": `{"PreToolUse":[{"matcher":"mcp__.*","hooks":[{"type":"command","command":"\"$PLUGIN_ROOT/note.sh\""}]}]}`} {
		path := filepath.Join(home, "src", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	plugins := plugin.New(plugin.Options{Dir: filepath.Join(home, "plugins"), Home: home})
	if _, err := plugins.Install(t.Context(), filepath.Join(home, "src")); err != nil {
		t.Fatal(err)
	}
	installed := plugins.List(t.Context())[0].Dir
	for _, c := range []struct{ on, here bool }{{false, true}, {true, true}, {true, false}} {
		on := c.on && c.here
		_ = os.Remove(filepath.Join(home, "ran"))
		if err := plugins.Switch(t.Context(), "demo", c.on); err != nil {
			t.Fatal(err)
		}
		s := newService(t, callsReply([3]string{"k", "Skill", `{"skill":"demo:tidy","args":"the desk"}`}, [3]string{"e", "mcp__depot__echo", `{"words":"hi"}`}), says("done"))
		ch := openChat(t, s, func(o *Options, open *session.OpenOptions) {
			o.Environ = os.Environ()
			o.Off = func(id session.ID) (off inventory.Off) {
				if id == open.Session && !c.here {
					off = off.Switched(inventory.Item{Kind: inventory.Plugin, Name: "demo", From: installed}, false)
				}
				return off
			}
			o.Skills = skill.New(skill.Options{Home: home, Plugins: plugins.Skills})
			o.Hooks = func(ctx context.Context, dir string) hooks.Set {
				return hooks.Places{Home: home, Plugins: plugins.Hooks}.Find(ctx, dir, func() bool { return false })
			}
			o.Servers = func(ctx context.Context, dir string) []extensions.Server {
				return extensions.Places{Home: home, Environ: os.Environ(), Plugins: plugins.Servers}.Servers(ctx, dir, false)
			}
		})
		ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeOnce})
		ch.send("x")
		ended := ch.ended()
		ran, _ := os.ReadFile(filepath.Join(home, "ran"))
		got := fmt.Sprint(strings.HasSuffix(ended["k"].Result.Text, "Tidy the desk now."), ended["e"].Result.Text == `echo {"words":"hi"}`, strings.Contains(string(ran), "mcp__depot__echo"))
		if want := fmt.Sprint(on, on, on); got != want {
			t.Errorf("%+v: %s; %q, %q, %q", c, got, ended["k"].Result.Text, ended["e"].Result.Text, ran)
		}
	}
}
