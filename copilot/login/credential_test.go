package login

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeGH is what gh knows.
type fakeGH struct {
	host                   string
	token, source, keyring string
	err                    error
	asked                  []string
	wait                   bool // until the context ends
}

func (g *fakeGH) usualHost() string { return g.host }

func (g *fakeGH) envOrConfig(host string) (token, source string) {
	g.asked = append(g.asked, host)
	return g.token, g.source
}

func (g *fakeGH) readKeyring(ctx context.Context, _ string) (string, error) {
	if g.wait {
		<-ctx.Done()
		return "", ctx.Err()
	}
	return g.keyring, g.err
}

func TestFindOrder(t *testing.T) {
	for _, tt := range []struct {
		name, env string
		gh        fakeGH
		token     string
		source    string
		host      string
	}{
		{"own variable first", " gho_own\n", fakeGH{host: "github.com", token: "gho_gh", source: "GH_TOKEN"},
			"gho_own", "COPILOT_GITHUB_TOKEN", "github.com"},
		{"then gh's variables", "", fakeGH{host: "github.com", token: "gho_gh", source: "GH_TOKEN", keyring: "gho_k"},
			"gho_gh", "GH_TOKEN", "github.com"},
		{"then its configuration", "", fakeGH{host: "Acme.ghe.com", token: "gho_c", source: "oauth_token"},
			"gho_c", "oauth_token", "acme.ghe.com"},
		{"then the keyring", "  ", fakeGH{host: "github.com", keyring: "gho_k\n"}, "gho_k", "gh", "github.com"},
		{"a fine-grained token", "github_pat_1", fakeGH{}, "github_pat_1", "COPILOT_GITHUB_TOKEN", "github.com"},
		{"an unknown token", "0123456789abcdef", fakeGH{}, "0123456789abcdef", "COPILOT_GITHUB_TOKEN", "github.com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Find(t.Context(), FindOptions{GH: &tt.gh, Getenv: func(name string) string {
				if name != "COPILOT_GITHUB_TOKEN" {
					t.Errorf("%s was read", name)
				}
				return tt.env
			}})
			if err != nil {
				t.Fatal(err)
			}
			if c.Token.Reveal() != tt.token || c.Source != tt.source || c.Host != tt.host {
				t.Errorf("got %q from %q for %q", c.Token.Reveal(), c.Source, c.Host)
			}
		})
	}
}

func noEnv(string) string { return "" }

func TestFindNotSignedIn(t *testing.T) {
	_, err := Find(t.Context(), FindOptions{Getenv: noEnv, GH: &fakeGH{err: errors.New("empty")}})
	ne, ok := errors.AsType[*NotSignedInError](err)
	if !ok || !errors.Is(err, ErrNoToken) {
		t.Fatalf("got %v", err)
	}
	want := []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "gh's configuration", "gh's keyring (empty)"}
	if diff := cmp.Diff(want, ne.Looked); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(err.Error(), "gh auth login") {
		t.Errorf("%q does not say what to do", err)
	}
	_, err = Find(t.Context(), FindOptions{Host: "git.corp.example", Getenv: noEnv, GH: &fakeGH{}})
	if ne, ok := errors.AsType[*NotSignedInError](err); !ok || ne.Looked[1] != "GH_ENTERPRISE_TOKEN" ||
		ne.Host != "git.corp.example" {
		t.Errorf("got %v", err)
	}
}

func TestFindRefusesUselessTokens(t *testing.T) {
	for token, kind := range map[string]TokenKind{
		"ghp_classic": TokenClassic, "ghr_refresh": TokenRefresh, "gho_two words": TokenOAuth, "gho_ü": TokenOAuth,
	} {
		_, err := Find(t.Context(), FindOptions{Getenv: noEnv, GH: &fakeGH{token: token, source: "GITHUB_TOKEN"}})
		te, ok := errors.AsType[*TokenError](err)
		if !ok || te.Kind != kind || te.Source != "GITHUB_TOKEN" {
			t.Errorf("%q: got %v", token, err)
			continue
		}
		if strings.Contains(err.Error(), token) || te.Next == "" {
			t.Errorf("bad text %q", err)
		}
	}
	for token, kind := range map[string]TokenKind{
		"gho_x": TokenOAuth, "ghu_x": TokenUserToApp, "github_pat_x": TokenFineGrained, "ghs_x": TokenServer, "x": TokenUnknown,
	} {
		if got := (Credential{Token: NewSecret(token)}).Kind(); got != kind {
			t.Errorf("%q is %q", token, got)
		}
	}
}

func TestFindEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Find(ctx, FindOptions{Getenv: noEnv, GH: &fakeGH{wait: true}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	_, err = Find(t.Context(), FindOptions{Getenv: noEnv, GH: &fakeGH{wait: true}, KeyringBudget: time.Millisecond})
	if _, ok := errors.AsType[*NotSignedInError](err); !ok {
		t.Errorf("got %v", err)
	}
}

// asGH lets this test binary be the gh command.
func asGH(t *testing.T, how string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GH_PATH", self)
	t.Setenv(actAsGH, how)
}

func TestSystemKeyring(t *testing.T) {
	for how, want := range map[string]struct{ source, reason string }{
		"token": {source: "gh"}, "empty": {reason: "gh's keyring (empty)"}, "hang": {reason: "did not answer in time"},
	} {
		t.Run(how, func(t *testing.T) {
			asGH(t, how)
			budget := patience
			if how == "hang" {
				budget = 50 * time.Millisecond
			}
			c, err := Find(t.Context(), FindOptions{Host: "github.com", KeyringBudget: budget})
			if want.source != "" {
				if err != nil || c.Source != want.source || c.Token.Reveal() != "gho_of_the_keyring" {
					t.Errorf("got %q from %q, %v", c.Token.Reveal(), c.Source, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), want.reason) {
				t.Errorf("got %v, want %q", err, want.reason)
			}
		})
	}
}

func TestSystemWithoutGH(t *testing.T) {
	_, err := Find(t.Context(), FindOptions{Host: "github.com"})
	if err == nil || !strings.Contains(err.Error(), "gh could not be run") {
		t.Errorf("got %v", err)
	}
	t.Setenv("GH_PATH", "")
	t.Setenv("PATH", t.TempDir())
	_, err = Find(t.Context(), FindOptions{Host: "github.com"})
	if err == nil || !strings.Contains(err.Error(), "gh is not installed") {
		t.Errorf("got %v", err)
	}
}

func TestSystemEnvironmentAndConfig(t *testing.T) {
	find := func() Credential {
		t.Helper()
		c, err := Find(t.Context(), FindOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := find(); c.Host != "acme.ghe.com" || c.Source != "oauth_token" || c.Token.Reveal() != "gho_of_acme" {
		t.Errorf("from the only configured host: %+v", c)
	}
	for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN", "COPILOT_GITHUB_TOKEN"} { // later ones win
		t.Setenv(name, "gho_"+name)
		if c := find(); c.Source != name || c.Token.Reveal() != "gho_"+name {
			t.Errorf("%s does not come first: %+v", name, c)
		}
	}
	t.Setenv("GH_HOST", "github.com")
	if c := find(); c.Host != "github.com" {
		t.Errorf("GH_HOST does not count: %+v", c)
	}
}

func TestDefaultHost(t *testing.T) {
	for _, tt := range []struct{ host, source, want string }{
		{"github.com", "default", "github.com"}, {"acme.ghe.com", "hosts", "acme.ghe.com"},
		{"git.corp.example", "hosts", "github.com"}, {"git.corp.example", "GH_HOST", "git.corp.example"},
	} {
		if got := hostFrom(tt.host, tt.source); got != tt.want {
			t.Errorf("%s from %s: got %s", tt.host, tt.source, got)
		}
	}
}

// TestHowToReplace compares what to do about a refused token, by its source.
func TestHowToReplace(t *testing.T) {
	for source, want := range map[string]string{
		"GH_TOKEN":             "set another token in GH_TOKEN, or unset it",
		"COPILOT_GITHUB_TOKEN": "set another token in COPILOT_GITHUB_TOKEN",
		sourceKeyring:          "run `gh auth login --hostname acme.ghe.com`",
		sourceGHConfig:         "run `gh auth login --hostname acme.ghe.com`",
		"the demo":             "sign in again",
		"":                     "sign in again",
	} {
		if got := HowToReplace(source, "acme.ghe.com"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", source, got)
		}
	}
}
