package proxy

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestListensOnLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "[::1]:0", "192.168.1.1:0", "example.com:0", "127.0.0.1", "127.0.0.2:0"} {
		if s, err := start(Options{Addr: addr}, &fake{}, newClock(0, 0)); err == nil {
			t.Errorf("listens on %s as %s", addr, s.URL())
			_ = s.Close(t.Context())
		}
	}
	for _, addr := range []string{"", "127.0.0.1:0", "localhost:0"} {
		s, err := start(Options{Addr: addr}, &fake{}, newClock(0, 0))
		if err != nil {
			t.Fatalf("%q: %v", addr, err)
		}
		host, port, err := net.SplitHostPort(strings.TrimPrefix(s.URL(), "http://"))
		if err != nil || host != "127.0.0.1" || port == "0" {
			t.Errorf("%q: URL %s", addr, s.URL())
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if _, err := Start(Options{}); err == nil {
		t.Error("starts without an upstream")
	}
}

// Strangers are told apart before anything else is looked at, the bearer included.
func TestHostAndOrigin(t *testing.T) {
	r := newRig(t, &fake{})
	port := r.guard.port
	tests := []struct {
		host, origin string
		allowed      bool
	}{
		{"127.0.0.1:" + port, "", true},
		{"localhost:" + port, "", true},
		{"LOCALHOST:" + port, "", true},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port, true},
		{"127.0.0.1:" + port, "http://localhost:" + port, true},

		{"127.0.0.1", "", false},
		{"localhost", "", false},
		{"127.0.0.1:1", "", false},
		{"127.0.0.2:" + port, "", false},
		{"[::1]:" + port, "", false},
		{"evil.example:" + port, "", false},
		{"localhost.evil.example:" + port, "", false},
		{"localhost.:" + port, "", false},
		{"127.0.0.1.nip.io:" + port, "", false},
		{"127.0.0.1:" + port, "null", false},
		{"127.0.0.1:" + port, "http://evil.example", false},
		{"127.0.0.1:" + port, "https://127.0.0.1:" + port, false},
		{"127.0.0.1:" + port, "http://127.0.0.1:1", false},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port + ".evil.example", false},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port + "@evil.example", false},
		{"127.0.0.1:" + port, "http://evil@127.0.0.1:" + port, false},
		{"127.0.0.1:" + port, "http://evil:x@localhost:" + port, false},
		{"127.0.0.1:" + port, "http://@127.0.0.1:" + port, false},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port + "/", false},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port + "?x", false},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port + "#x", false},
		{"127.0.0.1:" + port, "http://", false},
		{"127.0.0.1:" + port, "http://[", false},
		{"127.0.0.1:" + port, "file://", false},
	}
	paths := []struct {
		method, path string
		status       int // when allowed
	}{{"GET", "/", 200}, {"HEAD", "/", 200}, {"GET", "/v1/models", 200}, {"POST", "/v1/messages/count_tokens", 501}}
	for _, test := range tests {
		for _, p := range paths {
			for _, bearer := range []string{"Bearer " + r.bearer, "Bearer wrong.s1"} {
				got := r.do(p.method, p.path, "", "Host", test.host, "Origin", test.origin, "Authorization", bearer)
				want := p.status
				switch {
				case !test.allowed:
					want = 403
				case p.path != "/" && bearer == "Bearer wrong.s1":
					want = 401
				}
				if got.status != want {
					t.Errorf("%s %s, Host %s, Origin %q: %d, want %d", p.method, p.path, test.host, test.origin, got.status, want)
				}
				if got.header.Get("Access-Control-Allow-Origin") != "" {
					t.Error("a CORS header was sent")
				}
				if want == 403 && p.method != "HEAD" {
					if errType, _ := envelopeOf(t, got.body); errType != "permission_error" {
						t.Errorf("error type %s", errType)
					}
				}
			}
		}
	}
	req := r.request("GET", "/v1/models", "")
	req.Header["Origin"] = []string{"http://127.0.0.1:" + port, "http://evil.example"}
	resp, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 403 {
		t.Errorf("a second, foreign Origin: %d", resp.StatusCode)
	}
	for target, want := range map[string]int{
		"http://evil.example/": 403, "http://evil@127.0.0.1:" + port + "/": 403, "http://127.0.0.1:" + port + "/": 200,
	} {
		c := r.dial()
		c.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n")
		if got := c.response().StatusCode; got != want {
			t.Errorf("the absolute target %s: %d", target, got)
		}
	}
}

func TestHealthNeedsNoBearer(t *testing.T) {
	r := newRig(t, &fake{})
	for _, path := range []string{"/", "/?beta=true"} {
		got := r.do("GET", path, "", "Authorization", "")
		if got.status != 200 || got.body != "ok" {
			t.Errorf("GET %s: %+v", path, got)
		}
		got = r.do("HEAD", path, "", "Authorization", "")
		if got.status != 200 || got.body != "" || got.header.Get("Content-Length") != "2" {
			t.Errorf("HEAD %s: %+v", path, got)
		}
	}
	if got := r.do("POST", "/", "", "Authorization", ""); got.status != 401 {
		t.Errorf("POST /: %d", got.status)
	}
	if got := r.do("POST", "/", ""); got.status != 404 {
		t.Errorf("POST / with a bearer: %d", got.status)
	}
}

// TestAPIKeyIsTheBearer takes the same secret as an API key, from clients that send nothing else.
func TestAPIKeyIsTheBearer(t *testing.T) {
	r := newRig(t, &fake{})
	for key, want := range map[string]int{r.bearer: 200, "Bearer " + r.bearer: 401, r.bearer + "x": 401, "": 401, "x." + strings.Repeat("0", 64): 401} {
		for _, path := range []string{"/v1/models", "/v1/models?limit=1"} {
			if got := r.do("GET", path, "", "Authorization", "", "X-Api-Key", key); got.status != want {
				t.Errorf("GET %s with a key of %d bytes: %d, want %d", path, len(key), got.status, want)
			}
		}
	}
	req := r.request("GET", "/v1/models", "", "Authorization", "")
	req.Header["X-Api-Key"] = []string{r.bearer, r.bearer}
	resp, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("two keys: %d", resp.StatusCode)
	}
}

// A wrong bearer is the same 401 on every route, known or not, and reaches no service.
func TestBadBearers(t *testing.T) {
	f := &fake{}
	r := newRig(t, f)
	revoked, err := r.Open("gone")
	if err != nil {
		t.Fatal(err)
	}
	r.Revoke("gone")
	old := r.bearer
	if r.bearer, err = r.Open("s1"); err != nil {
		t.Fatal(err)
	}
	other, err := r.Open("s2")
	if err != nil {
		t.Fatal(err)
	}
	secret, _, _ := strings.Cut(r.bearer, ".")
	otherSecret, _, _ := strings.Cut(other, ".")
	bad := map[string]string{
		"none":              "",
		"empty":             "Bearer ",
		"no scheme":         r.bearer,
		"other scheme":      "Basic " + r.bearer,
		"lower case scheme": "bearer " + r.bearer,
		"two spaces":        "Bearer  " + r.bearer,
		"no dot":            "Bearer " + secret,
		"no session":        "Bearer " + secret + ".",
		"no secret":         "Bearer .s1",
		"wrong secret":      "Bearer " + strings.Repeat("0", 64) + ".s1",
		"short secret":      "Bearer " + secret[:63] + ".s1",
		"long secret":       "Bearer " + secret + "0.s1",
		"upper case secret": "Bearer " + strings.ToUpper(secret) + ".s1",
		"another's secret":  "Bearer " + otherSecret + ".s1",
		"unknown session":   "Bearer " + secret + ".s9",
		"longer session":    "Bearer " + secret + ".s1.x",
		"revoked":           "Bearer " + revoked,
		"replaced":          "Bearer " + old,
	}
	routes := []string{"GET /v1/models", "GET /v1/models/claude-opus-4-6", "POST /v1/messages", "POST /v1/messages?beta=true",
		"POST /v1/messages/count_tokens", "GET /v1/messages", "DELETE /v1/messages", "OPTIONS /v1/messages", "OPTIONS /",
		"GET /nothing", "POST /v1/files", "HEAD /api/hello", "GET //", "GET /v1/../v1/models"}
	for name, bearer := range bad {
		for _, route := range routes {
			method, path, _ := strings.Cut(route, " ")
			key := r.bearer // which does not help where there is an Authorization
			if bearer == "" {
				key = otherSecret + ".s1"
			}
			got := r.do(method, path, streamBody, "Authorization", bearer, "X-Api-Key", key)
			if got.status != 401 {
				t.Errorf("%s, %s: %d", name, route, got.status)
			}
			if method == "HEAD" {
				continue
			}
			if errType, message := envelopeOf(t, got.body); errType != "authentication_error" || strings.Contains(message, secret) {
				t.Errorf("%s, %s: %s", name, route, got.body)
			}
		}
	}
	req := r.request("GET", "/v1/models", "")
	req.Header["Authorization"] = []string{"Bearer " + r.bearer, "Bearer x.y"}
	resp, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("two bearers: %d", resp.StatusCode)
	}
	c := r.dial()
	c.send("OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:" + r.guard.port + "\r\n\r\n")
	if got := c.response().StatusCode; got != 401 {
		t.Errorf("OPTIONS *: %d", got)
	}
	if messages, lists := f.calls(); messages+lists != 0 {
		t.Errorf("%d messages and %d lists were asked for", messages, lists)
	}
	if len(r.exchanges) != 0 {
		t.Errorf("observed: %+v", r.exchanges)
	}
	if got := r.do("GET", "/v1/models", ""); got.status != 200 {
		t.Errorf("the right bearer: %d %s", got.status, got.body)
	}
}

func TestOpen(t *testing.T) {
	r := newRig(t, &fake{})
	for _, id := range []string{"", "a b", "a\n", "é", "a\x7f"} {
		if b, err := r.Open(id); err == nil {
			t.Errorf("Open(%q) = %q", id, b)
		}
	}
	seen := map[string]bool{}
	for range 100 {
		b, err := r.Open("x.y")
		if err != nil {
			t.Fatal(err)
		}
		secret, id, _ := strings.Cut(b, ".")
		if len(secret) != 64 || id != "x.y" || seen[secret] {
			t.Fatalf("bearer %q", b)
		}
		seen[secret] = true
		r.bearer = b
	}
	if got := r.do("GET", "/v1/models", ""); got.status != http.StatusOK {
		t.Errorf("a session id with a dot: %d", got.status)
	}
	r.Revoke("never opened")
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Open("late"); err == nil {
		t.Error("a closed server opens sessions")
	}
}

// A request that says its length in two ways, over which two programs could disagree, is the last one of its connection.
func TestNothingFollowsARequestWithTwoLengths(t *testing.T) {
	for name, test := range map[string]struct {
		bearer string
		status int
	}{"with a bearer": {"", 501}, "without": {"Bearer wrong.s1", 401}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, &fake{})
			bearer := test.bearer
			if bearer == "" {
				bearer = "Bearer " + r.bearer
			}
			head := "POST /v1/messages/count_tokens HTTP/1.1\r\nHost: 127.0.0.1:" + r.guard.port + "\r\nAuthorization: " + bearer + "\r\n"
			c := r.dial()
			c.send(head + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" +
				"GET / HTTP/1.1\r\nHost: 127.0.0.1:" + r.guard.port + "\r\n\r\n")
			got := c.response()
			if got.StatusCode != test.status || !got.Close {
				t.Errorf("status %d, close %v", got.StatusCode, got.Close)
			}
			if _, err := io.Copy(io.Discard, got.Body); err != nil {
				t.Fatal(err)
			}
			if rest, _ := io.ReadAll(c.in); len(rest) > 0 {
				t.Errorf("then comes %q", rest)
			}
		})
	}
}
