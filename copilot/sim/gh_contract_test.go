//go:build contract && unix

package sim

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim/script"
)

// authority is a certificate authority of a test.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // in PEM form
}

func newAuthority(t *testing.T) *authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{t: t, key: key, file: filepath.Join(t.TempDir(), "ca.pem"), cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}}
	der, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, key.Public(), key)
	if err == nil {
		err = os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// certify returns a certificate for a host.
func (a *authority) certify(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{hello.ServerName}}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.cert, a.key.Public(), a.key)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}, err
}

// impersonate returns the address of a proxy that answers for every host with the handler, over TLS.
func (a *authority) impersonate(h http.Handler) string {
	inner, outer := listen(a.t), listen(a.t)
	serve(a.t, tls.NewListener(inner, &tls.Config{GetCertificate: a.certify}), h)
	serve(a.t, outer, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "only CONNECT", http.StatusMethodNotAllowed)
			return
		}
		client, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer client.Close()
		server, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			return
		}
		defer server.Close()
		_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(server, client)
			_ = server.Close()
		}()
		_, _ = io.Copy(client, server)
	}))
	return "http://" + outer.Addr().String()
}

func listen(t *testing.T) net.Listener {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

func serve(t *testing.T, ln net.Listener, h http.Handler) {
	s := &http.Server{Handler: h, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = s.Serve(ln) }()
	t.Cleanup(func() { _ = s.Close() })
}

// realGH builds gh from its source and returns its path. The version is that of .ci/contract/gh.
func realGH(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gh")
	cmd := exec.Command("go", "build", "-o", path, "github.com/cli/cli/v2/cmd/gh")
	cmd.Dir = filepath.Join("..", "..", ".ci", "contract", "gh")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build gh: %v\n%s", err, out)
	}
	return path
}

// TestContractAgentTask lets gh itself create, list and view tasks, over TLS.
func TestContractAgentTask(t *testing.T) {
	s, err := Start(Options{Token: "gho_" + strings.Repeat("a", 36)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ca, gh, home := newAuthority(t), realGH(t), t.TempDir()
	hosts := "github.com:\n    users:\n        sim-user:\n            oauth_token: " + s.Token() + "\n    user: sim-user\n    oauth_token: " + s.Token() + "\n"
	if err := os.WriteFile(filepath.Join(home, "hosts.yml"), []byte(hosts), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + home, "GH_CONFIG_DIR=" + home, "PATH=" + os.Getenv("PATH"), "SSL_CERT_FILE=" + ca.file, "GH_NO_UPDATE_NOTIFIER=1",
		"HTTPS_PROXY=" + ca.impersonate(s), "TERM=dumb", "NO_COLOR=1"}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), gh, append([]string{"agent-task"}, args...)...)
		cmd.Env, cmd.Dir = env, home
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("gh agent-task %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}

	page := strings.TrimSpace(run("create", "Greet by name", "-R", "octo/greet", "--base", "develop"))
	m := regexp.MustCompile(`^https://github\.com/octo/greet/pull/(\d+)/agent-sessions/([0-9a-f-]{36})$`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("create printed %q", page)
	}
	log := run("create", "Greet in German", "-R", "octo/greet", "--custom-agent", "translator", "--follow")
	contains(t, "the followed log", log, "Displaying session logs for job", "I'll look at the repository", "Edit: greet.go", "Create: greet_test.go",
		"Bash: Run the tests", "Progress update: Greet by name", "Run CodeQL analysis", "Thought", "The greeting takes a name now")
	contains(t, "the log", run("view", m[2], "--log"), "Now the change itself.", "+func Greet(name string) string")
	contains(t, "the view", run("view", m[2]), "Ready for review • Greet by name", "Started on behalf of sim-user", "Used 1 premium request(s)",
		"octo/greet#"+m[1]+" • Greet by name", m[2])
	lines := strings.Split(strings.TrimSpace(run("list")), "\n")
	if len(lines) != 2 {
		t.Fatalf("list printed %q", lines)
	}
	contains(t, "the list", lines[0]+"\n"+lines[1], "Greet in German", "Greet by name", "#1", "#2", "octo/greet", "Ready for review")

	var made []string
	for _, r := range s.Requests() {
		if r.Status >= 400 {
			t.Errorf("%s %s was answered with %d", r.Method, r.Path, r.Status)
		}
		if r.Method == http.MethodPost && strings.HasPrefix(r.Path, "/agents/") {
			made = append(made, string(r.Body))
		}
	}
	contains(t, "the jobs", strings.Join(made, "\n"), `"base_ref":"refs/heads/develop"`, `"custom_agent":"translator"`)
	refused(t, s, gh, env)
}

// refused lets gh meet errors of the service.
func refused(t *testing.T, s *Server, gh string, env []string) {
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), gh, append([]string{"agent-task"}, args...)...)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("gh agent-task %s succeeded", strings.Join(args, " "))
		}
		return string(out)
	}
	contains(t, "a repository without the agent", run("create", "x", "-R", "octo/no-agent"), "failed to create job: 403 Forbidden: Copilot coding agent is not enabled")
	contains(t, "an unknown session", run("view", "00000000-0000-4000-8000-000000000000"), "session not found")
	if err := s.Inject(script.Fault{Kind: script.FaultStatus, Status: 401, Route: "/agents/*"}); err != nil {
		t.Fatal(err)
	}
	contains(t, "a refused token", run("create", "x", "-R", "octo/greet"), "failed to create job: 401 Unauthorized")
}

// contains checks that a text contains others, in any order.
func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}
