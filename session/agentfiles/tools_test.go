package agentfiles

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
)

func TestAllowedTools(t *testing.T) {
	builtin := strings.Fields("Read Glob Grep Edit MultiEdit apply_patch Write NotebookEdit Bash BashOutput BashInput KillShell WebFetch Task TodoWrite AskUserQuestion ExitPlanMode LSP Rename")
	runtime := strings.Fields("view grep glob edit create bash read_bash stop_bash web_fetch task update_todo ask_user save_result github/search github/get mcp__db__query")
	for _, tc := range []struct {
		name   string
		tools  []string
		denied string
		of     []string
		want   string
	}{
		{"all", nil, "", builtin, strings.Join(builtin, " ")},
		{"none", []string{}, "", builtin, ""},
		{"all but some", nil, "Bash WebFetch", []string{"Read", "Bash", "WebFetch"}, "Read"},
		{"a star", []string{"*"}, "", runtime, strings.Join(runtime, " ")},
		{"words of Copilot", []string{"read", "search"}, "", builtin, "Read Glob Grep LSP"},
		{"editing in Copilot's words", []string{"edit"}, "", builtin, "Edit MultiEdit apply_patch Write NotebookEdit Rename"},
		{"editing in Claude Code's words", []string{"Edit"}, "", builtin, "Edit MultiEdit apply_patch"},
		{"running", []string{"execute"}, "", builtin, "Bash BashOutput BashInput KillShell"},
		{"shell", []string{"shell"}, "", runtime, "bash read_bash stop_bash"},
		{"limited to some commands", []string{"Bash(git diff:*)", "Read"}, "", builtin, "Read Bash BashOutput BashInput KillShell"},
		{"names of Claude Code elsewhere", []string{"Read", "Grep", "Write", "Task", "TodoWrite"}, "", runtime, "view grep create task update_todo"},
		{"names of Copilot's tools", []string{"view", "str_replace_editor", "ask_user"}, "", builtin, "Read Edit MultiEdit apply_patch AskUserQuestion"},
		{"as VS Code writes", []string{"search/codebase", "edit/editFiles", "web/fetch"}, "", builtin, "Glob Grep Edit MultiEdit apply_patch Write NotebookEdit WebFetch LSP Rename"},
		{"a client's tool", []string{"save_result"}, "", runtime, "save_result"},
		{"a tool of a server", []string{"github/search"}, "", runtime, "github/search"},
		{"all of a server", []string{"github/*"}, "", runtime, "github/search github/get"},
		{"a server as Claude Code writes", []string{"mcp__github__get", "mcp__db"}, "", runtime, "github/get mcp__db__query"},
		{"a server named as a word", []string{"mcp__read__x"}, "", builtin, ""},
		{"what nothing has", []string{"teleport", ""}, "", builtin, ""},
		{"denied by a word", []string{"read", "edit"}, "edit", builtin, "Read"},
	} {
		a := session.CustomAgent{Tools: tc.tools, Denied: strings.Fields(tc.denied)}
		if got := strings.Join(Allowed(a, tc.of), " "); got != tc.want {
			t.Errorf("%s: %s, not %s", tc.name, got, tc.want)
		}
	}
	got := ServerTools([]string{"read", "github/search", "db/*", "mcp__x__y", "mcp__z", "edit/editFiles"})
	if want := []string{"mcp__github__search", "mcp__db", "mcp__x__y", "mcp__z"}; !slices.Equal(got, want) {
		t.Errorf("servers: %v", got)
	}
}
