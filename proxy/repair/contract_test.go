//go:build contract

package repair_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/internal/jsonedit"
	"parley/proxy"
	"parley/session/runtimes/runtimestest"
)

var update = flag.Bool("update", false, "record again what the runtimes send")

// sent is one recorded request: what a runtime sent to the proxy.
type sent struct {
	Betas []string        `json:"betas"`
	Body  json.RawMessage `json:"body"`
}

// runtimes are driven with models of each kind. Their names are those of the fixtures.
var runtimes = []struct{ name, version string }{
	{"sdk-0.2.112", runtimestest.ClaudeScript},
	{"native-2.1.197", runtimestest.ClaudeNative},
	{"newest", runtimestest.ClaudeNewest},
}

var models = []string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-8"}

// The real Claude Code runtimes complete a turn with tools against the strict service, on models of each kind. With
// -update what they send becomes the fixtures of this package.
func TestContractRuntimesAgainstTheStrictService(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range runtimes {
		if !runtimestest.Drives(rt.version) {
			continue
		}
		for _, model := range models {
			t.Run(rt.version+"/"+model, func(t *testing.T) {
				all := drive(t, runtimestest.Claude(t, dir, rt.version), model)
				if *update {
					record(t, filepath.Join("testdata", rt.name+"_"+model+".jsonl"), all)
				}
			})
		}
	}
}

// toolRules have the model call a tool, and one that fails, before it is done.
const toolRules = `
rules:
  - name: read
    when: {prompt: read the file, round: 0}
    reply:
      - think: I should look at both.
      - text: I will read them.
      - tool: Read
        input: {file_path: "{{dir}}/hello.txt"}
      - tool: Read
        input: {file_path: "{{dir}}/nowhere.txt"}
  - name: done
    reply:
      - think: That is all.
      - text: Done.
`

// drive runs one turn and returns what the runtime sent.
func drive(t *testing.T, argv []string, model string) []sent {
	t.Helper()
	sc, err := script.Parse(strings.NewReader(toolRules), "script")
	if err != nil {
		t.Fatal(err)
	}
	sim, err := sim.Start(sim.Options{Script: sc, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	client, err := copilot.New(copilot.Options{CopilotAPIURL: sim.CopilotURL(),
		Credential: login.Credential{Token: login.NewSecret(sim.Token()), Source: "test", Host: "github.com"}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	srv, err := proxy.Start(proxy.Options{Upstream: client})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(context.Background())
	bearer, err := srv.Open("contract")
	if err != nil {
		t.Fatal(err)
	}
	front, taken := tap(t, srv.URL())

	home := t.TempDir()
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, "hello.txt"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := slices.Clone(argv[1:])
	args = append(args, "-p", "read the file", "--output-format", "stream-json", "--verbose", "--include-partial-messages",
		"--setting-sources=", "--strict-mcp-config", "--allowedTools", "Read", "--model", model)
	cmd := exec.CommandContext(ctx, argv[0], args...)
	cmd.Dir = project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + home, "XDG_RUNTIME_DIR=" + home,
		"CLAUDE_CONFIG_DIR=" + filepath.Join(home, "config"), "ANTHROPIC_BASE_URL=" + front, "ANTHROPIC_AUTH_TOKEN=" + bearer,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CLAUDE_CODE_MAX_RETRIES=0",
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || !succeeded(out) {
		t.Errorf("the turn did not complete: %v\n%s\n%s", err, stderr.Bytes(), out[max(0, len(out)-4000):])
	}
	for _, r := range sim.Requests() {
		t.Logf("upstream %s %s: %d %s %s", r.Method, r.Path, r.Status, r.Refused, r.Rule)
		if r.Refused != "" {
			t.Errorf("refused by the service: %s", r.Refused)
		}
	}
	all := taken()
	for i := range all {
		all[i].Body = scrub(t, all[i].Body, home)
	}
	return all
}

// succeeded reports whether the turn ended with the words it was to end with.
func succeeded(out []byte) bool {
	for line := range bytes.Lines(out) {
		var l struct {
			Type, Result string
			IsError      bool `json:"is_error"`
		}
		if json.Unmarshal(line, &l) == nil && l.Type == "result" {
			return !l.IsError && l.Result == "Done."
		}
	}
	return false
}

// tap passes everything on to the proxy and keeps what is sent to the Messages API.
func tap(t *testing.T, target string) (address string, taken func() []sent) {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all []sent
	forward := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/v1/messages" {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			mu.Lock()
			all = append(all, sent{r.Header.Values("Anthropic-Beta"), body})
			mu.Unlock()
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, func() []sent {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// record writes the requests down, one to a line.
func record(t *testing.T, name string, all []sent) {
	t.Helper()
	var b bytes.Buffer
	for _, s := range all {
		head, err := json.Marshal(s.Betas)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "{\"betas\":%s,\"body\":%s}\n", head, s.Body)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

var (
	uuids   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	callIDs = regexp.MustCompile(`toolu_bdrk_[A-Za-z0-9]+`)
	devices = regexp.MustCompile(`[0-9a-f]{64}`)
)

// longest is the length beyond which a text is not ours to keep. Prompts and descriptions become filler.
const (
	longest = 24
	filler  = "words words words words"
)

// kept are texts that stay whole, being no prose.
var kept = []string{"id", "tool_use_id", "name", "signature", "thinking", "user_id", "$schema", "type"}

// scrub keeps the shape of a request, every name, number, id and order of it, and nothing of its texts that are long.
// What is written in it by machine and time becomes always the same. Signed reasoning stays as it is.
func scrub(t *testing.T, body []byte, home string) []byte {
	t.Helper()
	d, err := jsonedit.Read(body, anyShape(body))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n jsonedit.Node)
	walk = func(n jsonedit.Node) {
		if d.Kind(n) == '"' && !slices.Contains(kept, d.Key(n)) && (len(d.String(n)) > longest || d.KeyIs(n, "description")) {
			d.Replace(n, `"`+filler+`"`)
		}
		for c := range d.Children(n) {
			walk(c)
		}
	}
	walk(d.Root())
	s := strings.ReplaceAll(string(d.Bytes()), home, "/home/user")
	s = devices.ReplaceAllString(s, strings.Repeat("0", 64))
	seen := map[string]string{}
	stable := func(format string) func(string) string {
		return func(id string) string {
			if seen[id] == "" {
				seen[id] = fmt.Sprintf(format, len(seen)+1)
			}
			return seen[id]
		}
	}
	s = uuids.ReplaceAllStringFunc(s, stable("00000000-0000-4000-8000-%012d"))
	return []byte(callIDs.ReplaceAllStringFunc(s, stable("toolu_bdrk_%02d")))
}

// anyShape opens every value of a text.
func anyShape(text []byte) *jsonedit.Shape {
	shape := &jsonedit.Shape{Members: map[string]*jsonedit.Shape{}}
	shape.Elements = shape
	var names func(v any)
	names = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, v := range v {
				shape.Members[k] = shape
				names(v)
			}
		case []any:
			for _, v := range v {
				names(v)
			}
		}
	}
	var v any
	if json.Unmarshal(text, &v) == nil {
		names(v)
	}
	return shape
}
