package copilot

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/copilot/login"
)

// hosts answers requests by host without any network, and remembers where they went.
type hosts struct {
	answers map[string]func(*http.Request) (int, string)
	asked   []string
}

func (h *hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	to := r.URL.Scheme + "://" + r.URL.Host + r.URL.Path
	h.asked = append(h.asked, to+" "+r.Header.Get("Authorization"))
	status, body := 404, `{"message":"Not Found"}`
	if f := h.answers[to]; f != nil {
		status, body = f(r)
	}
	rec := &http.Response{StatusCode: status, Header: http.Header{}, Request: r, ProtoMajor: 2}
	rec.Body = newBody(body)
	return rec, nil
}

// body is the body of a made-up answer.
type body struct{ *strings.Reader }

func newBody(s string) body { return body{strings.NewReader(s)} }

func (body) Close() error { return nil }

// says answers with a body.
func says(status int, body string) func(*http.Request) (int, string) {
	return func(*http.Request) (int, string) { return status, body }
}

// Every sort of host is asked in its own places, and its token goes nowhere else.
func TestHostsFromStartToFinish(t *testing.T) {
	models := says(200, `{"data":[{"id":"m"}]}`)
	for _, tt := range []struct {
		name, host string
		answers    map[string]func(*http.Request) (int, string)
		want       []string
	}{
		{"github.com", "github.com", map[string]func(*http.Request) (int, string){
			"https://api.github.com/copilot_internal/user":  says(200, `{"endpoints":{"api":"https://api.business.githubcopilot.com"}}`),
			"https://api.business.githubcopilot.com/models": models,
		}, []string{"https://api.github.com/copilot_internal/user Bearer gho_1", "https://api.business.githubcopilot.com/models Bearer gho_1"}},
		{"tenant without an endpoint", "Acme.ghe.com", map[string]func(*http.Request) (int, string){
			"https://api.acme.ghe.com/copilot_internal/user": says(200, `{"login":"mona"}`),
			"https://copilot-api.acme.ghe.com/models":        models,
		}, []string{"https://api.acme.ghe.com/copilot_internal/user Bearer gho_1", "https://copilot-api.acme.ghe.com/models Bearer gho_1"}},
		{"server that knows Copilot", "git.corp.example:8443", map[string]func(*http.Request) (int, string){
			"https://git.corp.example:8443/api/v3/copilot_internal/user": says(200, `{"endpoints":{"api":"https://copilot.corp.example/x/"}}`),
			"https://copilot.corp.example/x/models":                      models,
		}, []string{"https://git.corp.example:8443/api/v3/copilot_internal/user Bearer gho_1", "https://copilot.corp.example/x/models Bearer gho_1"}},
		{"server that does not", "git.corp.example", map[string]func(*http.Request) (int, string){
			"https://api.enterprise.githubcopilot.com/models": models,
		}, []string{"https://git.corp.example/api/v3/copilot_internal/user Bearer gho_1", "https://api.enterprise.githubcopilot.com/models Bearer gho_1"}},
		{"enterprise seat with two endpoints", "github.com", map[string]func(*http.Request) (int, string){
			"https://api.github.com/copilot_internal/user":     says(200, `{"endpoints":{"api":"https://api.business.githubcopilot.com"}}`),
			"https://api.business.githubcopilot.com/models":    says(401, "unauthorized"),
			"https://api.github.com/copilot_internal/v2/token": says(200, `{"token":"tid=1","refresh_in":1500,"endpoints":{"api":"https://api.enterprise.githubcopilot.com"}}`),
			"https://api.enterprise.githubcopilot.com/models":  models,
		}, []string{
			"https://api.github.com/copilot_internal/user Bearer gho_1", "https://api.business.githubcopilot.com/models Bearer gho_1",
			"https://api.github.com/copilot_internal/user Bearer gho_1", "https://api.business.githubcopilot.com/models Bearer gho_1",
			"https://api.github.com/copilot_internal/v2/token token gho_1", "https://api.enterprise.githubcopilot.com/models Bearer tid=1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &hosts{answers: tt.answers}
			c, err := New(Options{HTTP: &http.Client{Transport: h},
				Credential: login.Credential{Token: login.NewSecret("gho_1"), Host: tt.host}})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Models(t.Context()); err != nil {
				t.Error(err)
			}
			if !slices.Equal(h.asked, tt.want) {
				t.Errorf("asked\n\t%s\nwant\n\t%s", strings.Join(h.asked, "\n\t"), strings.Join(tt.want, "\n\t"))
			}
		})
	}
}

// Only a server of one's own may not know discovery; elsewhere a 404 means that the token may not see the account.
func TestDiscoveryUnknownToTheHost(t *testing.T) {
	for host, endpoint := range map[string]string{
		"github.com": "", "acme.ghe.com": "", "git.corp.example": "https://api.enterprise.githubcopilot.com",
	} {
		h := &hosts{}
		c, err := New(Options{HTTP: &http.Client{Transport: h}, Credential: login.Credential{Token: login.NewSecret("gho_1"), Host: host}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		u, err := c.User(t.Context())
		if u.Endpoint != endpoint || endpoint == "" && (KindOf(err) != KindForbidden ||
			!strings.Contains(err.Error(), "https://github.com/settings/copilot")) || endpoint != "" && err != nil {
			t.Errorf("%s: got %q, %v", host, u.Endpoint, err)
		}
	}
}
