package cli

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/cli/command"
)

// `parley proxy` takes bearers from files, which stay good, writes its access log and shows its counters.
func TestProxyForOtherPrograms(t *testing.T) {
	w := newWorld(t).signIn("")
	dir := t.TempDir()
	bearer, log := filepath.Join(dir, "laptop"), filepath.Join(dir, "access.log")
	environ := append(w.env, "PARLEY_PROXY_BEARER_FILES="+bearer, "PARLEY_PROXY_ACCESS_LOG="+log, "PARLEY_PROXY_COALESCE=0s")
	var secrets []string
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		r, out := io.Pipe()
		code := make(chan int)
		go func() {
			code <- Main(ctx, Process{Args: []string{"proxy"}, Environ: environ, In: strings.NewReader(""), Out: out, Err: io.Discard})
			out.Close()
		}()
		line, err := bufio.NewReader(r).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSpace(strings.TrimPrefix(line, "ANTHROPIC_BASE_URL="))
		secret, err := os.ReadFile(bearer)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, string(secret))
		transport := &http.Transport{}
		for _, path := range []string{"/v1/models", "/metrics"} {
			req, err := http.NewRequest("GET", base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(secret))+".laptop")
			resp, err := transport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != 200 || path == "/metrics" && !bytes.Contains(body, []byte("parley_proxy_requests_total{")) {
				t.Errorf("%s: %d %s", path, resp.StatusCode, body)
			}
		}
		transport.CloseIdleConnections()
		cancel()
		go io.Copy(io.Discard, r)
		<-code
	}
	if secrets[0] != secrets[1] {
		t.Error("the bearer changed with a restart")
	}
	lines, err := os.ReadFile(log)
	if err != nil || bytes.Count(lines, []byte("\n")) != 4 || !bytes.Contains(lines, []byte(`"session":"laptop"`)) {
		t.Errorf("the access log: %v\n%s", err, lines)
	}
	if bytes.Contains(lines, []byte(strings.TrimSpace(secrets[0]))) || bytes.Contains(lines, []byte(w.sim.Token())) {
		t.Error("a secret is in the access log")
	}
}

// A repair that does not exist is named, with those that do.
func TestProxyRefusesUnknownRepairs(t *testing.T) {
	w := newWorld(t).signIn("")
	var errs bytes.Buffer
	code := Main(t.Context(), Process{Args: []string{"proxy"}, Environ: append(w.env, "PARLEY_PROXY_REPAIR_OFF=betas"+string(os.PathListSeparator)+"nope"),
		In: strings.NewReader(""), Out: io.Discard, Err: &errs})
	if code != int(command.ExitUsage) || !strings.Contains(errs.String(), `"nope"`) || !strings.Contains(errs.String(), "trailing-assistant") {
		t.Errorf("%d: %s", code, errs.String())
	}
}
