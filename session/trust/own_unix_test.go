//go:build unix

package trust

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// owner is a user with a project below home, and the runtime's file.
func owner(t *testing.T, config string) (file, dir, home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(home, "it's a project")
	if err := os.MkdirAll(filepath.Join(dir, "tools"), 0o755); err != nil {
		t.Fatal(err)
	}
	file = UserConfig("", home)
	put(t, file, strings.ReplaceAll(config, "DIR", filepath.ToSlash(dir)))
	return file, dir, home
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

type ownServer struct {
	Type, Command, URL, HeadersHelper string
	Args                              []string
	Env                               map[string]string
}

func servers(t *testing.T, raw json.RawMessage) map[string]ownServer {
	t.Helper()
	all := map[string]ownServer{}
	if raw != nil {
		if err := json.Unmarshal(raw, &all); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestOwnServersRunOutside(t *testing.T) {
	file, dir, home := owner(t, `{"mcpServers":{
		"npx":{"type":"stdio","command":"npx","args":["-y","@x/server","a b"],"env":{"KEY":"v"}},
		"relative":{"command":"./server"},
		"absolute":{"command":"/bin/server","args":[]},
		"remote":{"type":"http","url":"https://mcp.example","headers":{"A":"b"}},
		"helped":{"type":"sse","url":"https://mcp.example","headersHelper":"./helper # x"},
		"both":{"type":"http","url":"https://mcp.example","command":"./server"},
		"computer-use":{"command":"x"},"other kind":{"type":"carrier","url":"x"},"no url":{"type":"http"},"odd env":{"command":"x","env":{"A":1}},
		"odd arg":{"command":"x","args":["a",1]},"odd headers":{"type":"http","url":"x","headers":[]},
		"list":{"command":["npx"]},"word":"npx","odd args":{"command":"x","args":"y"},"none":{}}}`)
	got := servers(t, OwnServers(file, dir, home, nil))
	names := []string{}
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"absolute", "helped", "npx", "relative", "remote"}; !slices.Equal(names, want) {
		t.Fatalf("servers %q, want %q", names, want)
	}
	if s := got["npx"]; s.Type != "stdio" || s.Command != "/bin/sh" || s.Env["KEY"] != "v" ||
		!slices.Equal(s.Args[2:], []string{"sh", home, "npx", "-y", "@x/server", "a b"}) {
		t.Errorf("npx is started as %+v", s)
	}
	if s := got["remote"]; s.URL != "https://mcp.example" || s.Command != "" {
		t.Errorf("remote is %+v", s)
	}
	// They do run, in the home directory, with their arguments as they were, and find nothing of the directory.
	put(t, filepath.Join(dir, "server"), "#!/bin/sh\necho of the directory\n")
	put(t, filepath.Join(dir, "helper"), "#!/bin/sh\necho of the directory\n")
	for _, path := range []string{filepath.Join(dir, "server"), filepath.Join(dir, "helper")} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(command string, args ...string) string {
		cmd := exec.Command(command, args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=.:" + os.Getenv("PATH"), "CDPATH=" + filepath.Dir(dir)}
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	args := got["npx"].Args[:4]
	if out := run("/bin/sh", append(args, "sh", "-c", `pwd; printf '%s|' "$@"`, "-", "a b", "$x")...); out != home+"\na b|$x|" {
		t.Errorf("ran as %q", out)
	}
	if out := run("/bin/sh", append(args, "server")...); strings.Contains(out, "of the directory") {
		t.Errorf("found %q", out)
	}
	if out := run("/bin/sh", got["relative"].Args...); strings.Contains(out, "of the directory") {
		t.Errorf("found %q", out)
	}
	if out := run("/bin/sh", "-c", got["helped"].HeadersHelper); strings.Contains(out, "of the directory") || out == "" {
		t.Errorf("found %q", out)
	}
}

// TestOwnServersOfOneDirectory go before those for all, and what is switched off in a directory stays off there.
func TestOwnServersOfOneDirectory(t *testing.T) {
	file, dir, home := owner(t, `{"mcpServers":{"a":{"command":"all"},"b":{"command":"all"}},
		"projects":{"DIR":{"mcpServers":{"a":{"command":"mine"},"c":{"command":"mine"}},"disabledMcpServers":["b"]},
		"/elsewhere":{"mcpServers":{"d":{"command":"other"}}}}}`)
	got := servers(t, OwnServers(file, dir, home, nil))
	if len(got) != 2 || got["a"].Args[4] != "mine" || got["c"].Args[4] != "mine" {
		t.Errorf("servers %+v", got)
	}
}

func TestOwnServersThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"mcpServers":[]}`, `{"mcpServers":{}}`, `{"MCPSERVERS":{"a":{"command":"x"}}}`} {
		file, dir, home := owner(t, text)
		if got := OwnServers(file, dir, home, nil); got != nil {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got := OwnServers("", t.TempDir(), "", nil); got != nil {
		t.Errorf("without a file: %s", got)
	}
	if got := OwnServers(t.TempDir(), t.TempDir(), "", nil); got != nil {
		t.Errorf("of a directory: %s", got)
	}
}

// TestOwnServersOfTheDirectoryAreAsked lists those that would run something that the directory holds, and only those.
func TestOwnServersOfTheDirectoryAreAsked(t *testing.T) {
	file, dir, home := owner(t, `{"mcpServers":{"bare":{"command":"tools"},"gone":{"command":"./gone"},"out":{"command":"../x"},
		"file":{"command":"node","args":["tools/server.js","--port","1"]},"command":{"command":"./tools/run"}}}`)
	list := func() []string {
		t.Helper()
		s := New(Options{Dir: t.TempDir(), Home: home, UserConfig: func() string { return file }})
		items, err := s.Untrusted(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, i := range items {
			if i.Kind != kindServer || i.Path != file {
				t.Errorf("item %+v", i)
			}
			all = append(all, i.Name+": "+i.Runs)
		}
		return all
	}
	if got := list(); len(got) != 0 {
		t.Errorf("a directory without any of that: %q", got)
	}
	put(t, filepath.Join(dir, "tools", "server.js"), "")
	put(t, filepath.Join(dir, "tools", "run"), "")
	want := []string{"your own command: ./tools/run", "your own file: node tools/server.js --port 1"}
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("asked about %q, want %q", got, want)
	}
	// Once said, it is settled, until it is something else.
	s := New(Options{Dir: t.TempDir(), Home: home, UserConfig: func() string { return file }})
	items, err := s.Untrusted(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Trust(t.Context(), dir, items, true); err != nil {
		t.Fatal(err)
	}
	if yes, err := s.Trusted(dir); err != nil || !yes {
		t.Errorf("trusted %v, %v", yes, err)
	}
	put(t, file, `{"mcpServers":{"file":{"command":"node","args":["tools/server.js","--port","2"]}}}`)
	if yes, err := s.Trusted(dir); err != nil || yes {
		t.Errorf("trusted with another command: %v, %v", yes, err)
	}
}

func TestUserConfig(t *testing.T) {
	home, config := t.TempDir(), t.TempDir()
	for _, tc := range []struct{ configDir, home, want string }{
		{"", "", ""},
		{"", home, filepath.Join(home, ".claude.json")},
		{config, home, filepath.Join(config, ".claude.json")},
	} {
		if got := UserConfig(tc.configDir, tc.home); got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
	put(t, filepath.Join(home, ".claude", ".config.json"), "{}")
	if got := UserConfig("", home); got != filepath.Join(home, ".claude", ".config.json") {
		t.Errorf("with the old file: %q", got)
	}
}
