package claude

import (
	"strings"
	"testing"

	"parley/session"
)

// The list has the runtime's servers without parley's own, and switches them by its requests.
func TestServers(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		rt := ch.rt()
		rt.servers = map[string]string{"mcp_status": `{"mcpServers":[{"name":"parley","status":"connected","config":{"type":"sdk"}},` +
			`{"name":"depot","status":"connected","scope":"project","config":{"command":"depot-mcp"},"tools":[{},{}]},` +
			`{"name":"off","status":"disabled"},{"name":"down","status":"failed","error":"no route"},{"name":"door","status":"needs-auth","config":{"url":"https://x.test/mcp"}}]}`,
			"mcp_authenticate": `{"authUrl":"https://x.test/authorize","requiresUserAction":true}`}
		keeper := ch.c.(session.ExtensionHolder).Extensions().Servers
		var words []string
		for _, s := range keeper.Servers(t.Context(), true) {
			words = append(words, s.Name+" "+s.About+" "+s.Words())
		}
		want := "depot depot-mcp connected, off  off: switched off, down  failed: no route, door https://x.test/mcp wants a sign-in"
		if got := strings.Join(words, ", "); got != want {
			t.Errorf("%s", got)
		}
		for _, name := range []string{"depot", "off", "down", "door"} {
			if err := keeper.SwitchServer(t.Context(), name, true); err != nil {
				t.Error(err)
			}
		}
		if err := keeper.SwitchServer(t.Context(), "depot", false); err != nil {
			t.Error(err)
		}
		if err := keeper.SwitchServer(t.Context(), "none", true); session.KindOf(err) != session.KindNotFound {
			t.Error(err)
		}
		if had, err := keeper.SignOut(t.Context(), "door"); !had || err != nil {
			t.Error(had, err)
		}
		if page := keeper.Servers(t.Context(), true)[3].Page; page != "https://x.test/authorize" {
			t.Errorf("the page is %q", page)
		}
		asked := strings.Join(rt.called(), ", ")
		if want := "mcp_reconnect depot, mcp_toggle off true, mcp_reconnect down, mcp_authenticate door, mcp_toggle depot false, mcp_clear_auth door"; !strings.Contains(asked, want) {
			t.Error(asked)
		}
	})
}
