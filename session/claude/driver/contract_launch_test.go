//go:build contract && unix

package driver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// The user's own settings of the runtime cannot send requests elsewhere or with another key.
func TestContractSettingsDoNotRedirect(t *testing.T) {
	var strayed atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		strayed.Add(1)
		http.Error(w, "not here", http.StatusTeapot)
	}))
	t.Cleanup(elsewhere.Close) // after the parallel subtests
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		if err := os.MkdirAll(l.ConfigDir, 0o700); err != nil {
			t.Fatal(err)
		}
		settings := fmt.Sprintf(`{"apiKeyHelper":"echo other","model":"opus","env":{"ANTHROPIC_BASE_URL":%q,"ANTHROPIC_AUTH_TOKEN":"other",`+
			`"ANTHROPIC_API_KEY":"other","ANTHROPIC_CUSTOM_HEADERS":"Authorization: Bearer other","CLAUDE_CODE_USE_BEDROCK":"1"}}`, elsewhere.URL)
		if err := os.WriteFile(filepath.Join(l.ConfigDir, "settings.json"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		r := drive(t, l)
		r.say("hello")
		r.until(`"type":"result"`, `"is_error":false`)
		if strayed.Load() > 0 {
			t.Error("requests went elsewhere")
		}
	})
}

// Every flag that a launch can have is one that both runtimes know.
func TestContractEveryFlag(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		l.Environ = append(l.Environ, "IS_SANDBOX=1")
		l.Dirs, l.Effort, l.FallbackModel, l.Thinking = []string{t.TempDir(), t.TempDir()}, "low", "claude-haiku-4.5", "adaptive"
		l.HookEvents, l.Trusted, l.AllowBypass, l.Mode = true, true, true, "plan"
		l.Disallowed, l.AppendSystem, l.SmallModel = []string{"WebSearch", "WebFetch"}, "Be brief.", "claude-haiku-4.5"
		r := drive(t, l)
		if err := r.SetMode(t.Context(), "bypassPermissions"); err != nil {
			t.Error(err)
		}
		r.say("hello")
		r.until(`"type":"result"`, `"is_error":false`)
		r.Close(t.Context())

		fork := l
		fork.Resume, fork.Fork, fork.ForkSession, fork.Thinking = true, true, uuid.NewString(), "2000"
		r = drive(t, fork)
		r.say("hello")
		r.until(`"subtype":"init"`, fork.ForkSession)
		r.until(`"type":"result"`, `"is_error":false`, fork.ForkSession)
	})
}

// Tools work in further directories without asking. Nothing else comes from there, also where the user trusts the directory
// the session is in: the user has not reviewed them.
func TestContractFurtherDirectories(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		other := t.TempDir()
		mark := filepath.Join(l.TempDir, "plugin-ran")
		for name, content := range map[string]string{
			"note.txt":                                  "words\n",
			".claude/skills/strange-skill/SKILL.md":     "---\nname: strange-skill\ndescription: strange\n---\n",
			".claude/commands/strange-command.md":       "strange\n",
			".claude/settings.json":                     fmt.Sprintf(`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch %s"}]}]},"enabledPlugins":{"strange@market":true},"extraKnownMarketplaces":{"market":{"source":{"source":"directory","path":%q}}}}`, mark, filepath.Join(other, "market")),
			"market/.claude-plugin/marketplace.json":    `{"name":"market","owner":{"name":"n"},"plugins":[{"name":"strange","source":"./strange"}]}`,
			"market/strange/.claude-plugin/plugin.json": `{"name":"strange"}`,
			"market/strange/hooks/hooks.json":           fmt.Sprintf(`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch %s"}]}]}}`, mark),
			".mcp.json":                                 fmt.Sprintf(`{"mcpServers":{"strange-server":{"command":"touch","args":[%q]}}}`, mark),
		} {
			path := filepath.Join(other, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		l.Dirs, l.Trusted = []string{other}, true
		r := drive(t, l)
		if _, err := r.SetEffort(t.Context(), "low"); err != nil { // which changes the settings that name the directories
			t.Error(err)
		}
		r.say("read " + filepath.Join(other, "note.txt"))
		init := r.until(`"subtype":"init"`)
		if strings.Contains(init, "strange") {
			t.Errorf("it brings something along: %s", init)
		}
		r.until(`"tool_result"`, "words")
		r.until(`"type":"result"`, `"is_error":false`)
		if len(r.asks) > 0 {
			t.Errorf("it asks: %s", (<-r.asks).Raw)
		}
		r.Close(t.Context())
		if _, err := os.Stat(mark); err == nil {
			t.Error("something was run")
		}
	})
}

func TestContractNoSuchConversation(t *testing.T) {
	eachRuntime(t, func(t *testing.T, l driver.Launch) {
		l.Resume = true
		group := proc.New(proc.Options{})
		defer group.Close()
		_, err := driver.Start(t.Context(), driver.Options{Launch: l, Processes: group, Limits: unhurried})
		if session.KindOf(err) != session.KindNotFound {
			t.Error(err)
		}
	})
}
