package login

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim"
)

// A sign-in with a code waits as the service asks, ends with a token, and says of every refusal what to do.
func TestWithDevice(t *testing.T) {
	for refusal, want := range map[string]string{
		"": "", "access_denied": "declined", "expired_token": "expired", "incorrect_client_credentials": "github.client_id", "odd": "odd",
	} {
		t.Run("refusal "+refusal, func(t *testing.T) {
			sim, err := sim.Start(sim.Options{Account: sim.Account{Device: refusal}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { sim.Close() })
			var shown []DeviceCode
			var waits []time.Duration
			cred, err := WithDevice(t.Context(), DeviceOptions{
				ClientID: "app", GitHubAPIURL: sim.GitHubURL(), HTTP: http.DefaultClient,
				Show:  func(c DeviceCode) { shown = append(shown, c) },
				Sleep: func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil },
			})
			if len(shown) != 1 || shown[0].UserCode == "" || !strings.HasPrefix(shown[0].Address, "http") {
				t.Errorf("shown: %+v", shown)
			}
			if len(waits) != 3 || waits[0] != 5*time.Second || waits[2] != 10*time.Second {
				t.Errorf("waited %v", waits)
			}
			if refusal != "" {
				if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), sim.Token()) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || cred.Token.Reveal() != sim.Token() || cred.Host != "github.com" {
				t.Errorf("got %v %v", cred, err)
			}
		})
	}
}

// A sign-in that is left ends at once, and one whose code is never entered when it expires.
func TestWithDeviceEnds(t *testing.T) {
	status := http.StatusOK
	github := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		if r.URL.Path == "/login/device/code" {
			_, _ = io.WriteString(w, `{"device_code":"d","user_code":"U","verification_uri":"https://x/","expires_in":60}`)
		} else {
			_, _ = io.WriteString(w, `{"error":"authorization_pending"}`)
		}
	}))
	defer github.Close()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	o := DeviceOptions{ClientID: "app", GitHubAPIURL: github.URL, HTTP: github.Client(), Show: func(DeviceCode) {},
		Now: func() time.Time { return now }}
	o.Sleep = func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }
	if _, err := WithDevice(t.Context(), o); err == nil || !strings.Contains(err.Error(), "expired") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Sleep, o.Show = nil, func(DeviceCode) { cancel() }
	if _, err := WithDevice(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	status = http.StatusNotFound
	if _, err := WithDevice(t.Context(), o); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("got %v", err)
	}
}

// The file of our own tokens is for its owner alone, and the last place that is looked at.
func TestTokenFile(t *testing.T) {
	f := TokenFile(filepath.Join(t.TempDir(), "new", "tokens.json"))
	if s, err := f.Load("github.com"); !s.IsZero() || err != nil {
		t.Errorf("of no file: %v", err)
	}
	for host, token := range map[string]string{"github.com": "gho_own", "acme.ghe.com": "gho_acme"} {
		if err := f.Save(host, NewSecret(token)); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(string(f))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	find := func(gh GH) (Credential, error) {
		return Find(t.Context(), FindOptions{Host: "github.com", Getenv: noEnv, GH: gh, TokenFile: f})
	}
	if c, err := find(&fakeGH{keyring: "gho_k"}); err != nil || c.Token.Reveal() != "gho_k" {
		t.Errorf("beside a keyring: %v %v", c, err)
	}
	if c, err := find(&fakeGH{}); err != nil || c.Token.Reveal() != "gho_own" || c.Source != sourceOwnFile {
		t.Errorf("without gh: %v %v", c, err)
	}
	if err := os.Chmod(string(f), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := find(&fakeGH{}); !errors.Is(err, ErrNoToken) || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("readable by others: %v", err)
	}
	if err := os.Chmod(string(f), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(string(f), []byte(`{"github.com": gho_secret`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := find(&fakeGH{}); !errors.Is(err, ErrNoToken) || !strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "gho_secret") {
		t.Errorf("damaged: %v", err)
	}
	if err := f.Save("github.com", NewSecret("gho_x")); err == nil {
		t.Error("a damaged file was replaced")
	}
	if err := os.Remove(string(f)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", string(f)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Load("github.com"); err == nil || !strings.Contains(err.Error(), "regular") {
		t.Errorf("a link: %v", err)
	}
}
