//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/cli/command"
)

// TestCopilotGetsOneToken looks at what the Copilot runtime gets: with direct traffic the token of the login when a session is
// opened, with traffic through the proxy the bearer of the session, and never a token in its environment, which its commands see.
func TestCopilotGetsOneToken(t *testing.T) {
	for traffic, direct := range map[string]bool{"": true, "direct": true, "proxy": false} {
		t.Run(traffic, func(t *testing.T) {
			w := newWorld(t).signIn("")
			notes := w.standInCopilot()
			w.env = append(w.env, "GITHUB_TOKEN=opaque-repository-token", "SAME="+w.sim.Token(), "COPILOT_SDK_AUTH_TOKEN=of-the-user",
				"COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:1", "OTHER=passes")
			if traffic != "" {
				w.env = append(w.env, "PARLEY_COPILOT_TRAFFIC="+traffic)
			}
			if out := w.mustRun("-p", "--agent", "copilot", "hello"); !strings.Contains(out, "Copilot read: hello") {
				t.Fatalf("answered %q", out)
			}
			data, err := os.ReadFile(notes)
			if err != nil {
				t.Fatal(err)
			}
			got := string(data)
			want := 0
			if direct {
				want = 1
			}
			if strings.Count(got, w.sim.Token()) != want || strings.Count(got, `{"gitHubToken":"`+w.sim.Token()+`"`) != want {
				t.Errorf("the token has to be there %d times:\n%s", want, got)
			}
			for _, wrong := range []string{"opaque-repository-token", "of-the-user", "COPILOT_PROVIDER_BASE_URL"} {
				if strings.Contains(got, wrong) {
					t.Errorf("%s reached the runtime", wrong)
				}
			}
			if strings.Contains(got, `"bearerToken":`) == direct || !strings.Contains(got, "OTHER=passes\n") ||
				!strings.Contains(got, `"enableSessionTelemetry":false`) {
				t.Errorf("the runtime got\n%s", got)
			}
		})
	}
}

// TestCopilotTokenStaysSecret runs what a session with the Copilot runtime does with everything logged, and looks for the token
// wherever parley writes.
func TestCopilotTokenStaysSecret(t *testing.T) {
	w := newWorld(t).signIn("")
	notes := w.standInCopilot()
	var said strings.Builder
	for _, args := range [][]string{
		{"-p", "--agent", "copilot", "hello"}, {"-p", "-c", "--output-format", "stream-json", "more"}, {"sessions", "list"}, {"doctor"},
		{"runtimes", "list", "--json"},
	} {
		o := w.run(append([]string{"--verbose"}, args...)...)
		said.WriteString(o.out + o.err)
	}
	if strings.Contains(said.String(), w.sim.Token()) || !strings.Contains(said.String(), "Copilot read: more") {
		t.Errorf("printed\n%s", said.String())
	}
	if err := os.Remove(notes); err != nil {
		t.Fatal(err)
	}
	w.holdsNoToken()
}

// TestCopilotInHeadlessFormats prints a turn of the Copilot runtime as events and as one result.
func TestCopilotInHeadlessFormats(t *testing.T) {
	w := newWorld(t).signIn("")
	w.standInCopilot()
	var kinds []string
	for line := range strings.Lines(w.mustRun("-p", "--agent", "copilot", "--output-format", "stream-json", "hello")) {
		var e struct{ Type, Agent, Result string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Type)
		if (e.Type == "session" || e.Type == "result") && e.Agent != "copilot" || e.Type == "result" && e.Result != "Copilot read: hello" {
			t.Errorf("%s", line)
		}
	}
	if all := strings.Join(kinds, " "); !strings.HasPrefix(all, "session turn_started runtime_changed") || !strings.HasSuffix(all, "turn_ended result") {
		t.Error(all)
	}
}

// TestSessionsOfTheCopilotCLI lists, prints, exports and removes a session that the Copilot CLI itself has stored.
func TestSessionsOfTheCopilotCLI(t *testing.T) {
	w := newWorld(t)
	id := "0b768a84-a353-4533-b282-4cb2232f5007"
	dir := filepath.Join(w.home, ".copilot", "session-state", id)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const begin = `{"type":"session.start","data":{"sessionId":"0b768a84-a353-4533-b282-4cb2232f5007","version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":"2026-11-20T10:00:00.000Z","context":{"cwd":"/project"}},"id":"e1","timestamp":"2026-11-20T10:00:00.000Z","parentId":null}
{"type":"user.message","data":{"content":"count the files","messageId":"m1","attachments":[]},"id":"e2","timestamp":"2026-11-20T10:00:01.000Z","parentId":"e1"}
{"type":"assistant.turn_start","data":{"turnId":"0"},"id":"e3","timestamp":"2026-11-20T10:00:01.100Z","parentId":"e2"}
{"type":"assistant.message","data":{"messageId":"m2","content":"There are three files.","toolRequests":[]},"id":"e4","timestamp":"2026-11-20T10:00:02.000Z","parentId":"e3"}
{"type":"assistant.turn_end","data":{"turnId":"0"},"id":"e5","timestamp":"2026-11-20T10:00:02.100Z","parentId":"e4"}
`
	for name, text := range map[string]string{
		"events.jsonl": begin,
		"workspace.yaml": "id: " + id + "\ncwd: /project\nclient_name: github/cli\nname: Count files\nuser_named: false\n" +
			"created_at: 2026-11-20T10:00:00.000Z\nupdated_at: 2026-11-20T10:00:02.000Z\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if list := w.mustRun("sessions", "list"); !strings.Contains(list, id) || !strings.Contains(list, "copilot") || !strings.Contains(list, "Count files") {
		t.Errorf("listed\n%s", list)
	}
	if shown := w.mustRun("sessions", "show", id[:6]); !strings.Contains(shown, "count the files") || !strings.Contains(shown, "There are three files.") {
		t.Errorf("shown\n%s", shown)
	}
	if text := w.mustRun("sessions", "export", id); !strings.Contains(text, "There are three files.") {
		t.Errorf("exported\n%s", text)
	}
	if o := w.run("sessions", "rm", id); o.code != int(command.ExitUsage) || !strings.Contains(o.err, "Copilot keeps session "+id+" too") {
		t.Errorf("%+v", o)
	}
	w.mustRun("sessions", "rm", "--with-transcript", id)
	if list := w.mustRun("sessions", "list"); strings.Contains(list, id) {
		t.Errorf("listed after its end\n%s", list)
	}
}

// TestCopilotGetsCustomAgents passes the user's custom agents to the runtime when a session is opened.
func TestCopilotGetsCustomAgents(t *testing.T) {
	w := newWorld(t).signIn("")
	notes := w.standInCopilot()
	file := filepath.Join(w.home, ".copilot", "agents", "reviewer.agent.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("---\nname: reviewer\ndescription: Reviews changes\n---\n\nYou review code.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.mustRun("-p", "--agent", "copilot", "hello")
	if data, err := os.ReadFile(notes); err != nil || !strings.Contains(string(data), `"customAgents":[{"name":"reviewer"`) {
		t.Errorf("%v\n%s", err, data)
	}
}
