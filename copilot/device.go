package copilot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	opDevice = "sign in with a code"
	// deviceScope is all that is asked for: to read who signs in.
	deviceScope = "read:user"
	deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

	// leastPoll is the shortest pause between two questions, and what each request to slow down adds.
	leastPoll = 5 * time.Second
	// mostDevice bounds how long a code is waited for, whatever the service says.
	mostDevice = 30 * time.Minute
)

// DeviceCode is what the user has to do to sign in: open an address and enter a code there.
type DeviceCode struct {
	UserCode, Address string
	// Expires is when the code is of no use any more.
	Expires time.Time
}

// DeviceOptions configures [SignInWithDevice]. ClientID and Show are required.
type DeviceOptions struct {
	// ClientID is the OAuth app that signs in.
	ClientID string
	// Host is the GitHub host; "" means github.com.
	Host string
	// Client says how GitHub is reached: GitHubAPIURL, Getenv, RootCAs, HTTP, UserAgent and Now count.
	Client Options
	// Show is called once with what the user has to do. It must not block for long.
	Show func(DeviceCode)
	// Sleep waits; nil: the clock of the machine.
	Sleep func(context.Context, time.Duration) error
}

// SignInWithDevice signs in with GitHub's device flow, which takes as long as the user does; the context ends it. Errors
// say what to do and never hold a token. Nothing is stored.
func SignInWithDevice(ctx context.Context, o DeviceOptions) (Credential, error) {
	name, err := normalizeHost(orElse(o.Host, "github.com"))
	if err != nil {
		return Credential{}, err
	}
	base, err := parseOverride("GitHubAPIURL", o.Client.GitHubAPIURL)
	if err != nil {
		return Credential{}, err
	}
	f := &deviceFlow{o: o, base: orElse(base, "https://"+name), now: o.Client.Now}
	if f.now == nil {
		f.now = time.Now
	}
	if f.o.Sleep == nil {
		f.o.Sleep = sleep
	}
	var own bool
	if f.http, own, err = newHTTP(o.Client); err != nil {
		return Credential{}, err
	}
	if own {
		defer f.http.CloseIdleConnections()
	}
	token, err := f.run(ctx)
	if err != nil {
		return Credential{}, fmt.Errorf("%s at %s: %w", opDevice, name, err)
	}
	return Credential{Token: token, Source: sourceOwnFile, Host: name}, nil
}

// deviceFlow is one sign-in with a code.
type deviceFlow struct {
	o    DeviceOptions
	base string
	http *http.Client
	now  func() time.Time
}

// run asks for a code, shows it, and asks until the user has entered it.
func (f *deviceFlow) run(ctx context.Context) (Secret, error) {
	begun, err := f.post(ctx, "/login/device/code", url.Values{"client_id": {f.o.ClientID}, "scope": {deviceScope}})
	if err != nil {
		return Secret{}, err
	}
	device, code, address := begun.str("device_code"), begun.str("user_code"), begun.str("verification_uri")
	if reason := begun.str("error"); reason != "" {
		return Secret{}, deviceRefusal(reason)
	}
	if u, err := url.Parse(address); device == "" || code == "" || err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return Secret{}, errors.New("GitHub gave no code to enter; try again")
	}
	life, pause := mostDevice, leastPoll
	if n, ok := begun.number("expires_in"); ok && n > 0 {
		life = min(clampWait(n), mostDevice)
	}
	if n, ok := begun.number("interval"); ok {
		pause = max(clampWait(n), leastPoll)
	}
	expires := f.now().Add(life)
	f.o.Show(DeviceCode{UserCode: code, Address: address, Expires: expires})
	for f.now().Before(expires) {
		if err := f.o.Sleep(ctx, pause); err != nil {
			return Secret{}, err
		}
		answer, err := f.post(ctx, "/login/oauth/access_token",
			url.Values{"client_id": {f.o.ClientID}, "device_code": {device}, "grant_type": {deviceGrant}})
		if err != nil {
			if ctx.Err() != nil {
				return Secret{}, err
			}
			continue // the network may be back before the code expires
		}
		switch reason := answer.str("error"); reason {
		case "":
			return deviceToken(answer.str("access_token"))
		case "authorization_pending":
		case "slow_down":
			pause += leastPoll
		default:
			return Secret{}, deviceRefusal(reason)
		}
	}
	return Secret{}, deviceRefusal("expired_token")
}

// deviceToken checks the token that GitHub gave.
func deviceToken(token string) (Secret, error) {
	if token == "" {
		return Secret{}, errors.New("GitHub gave no token; try again")
	}
	if err := checkToken(sourceOwnFile, token); err != nil {
		return Secret{}, err
	}
	return NewSecret(token), nil
}

// deviceRefusal words a refusal of GitHub.
func deviceRefusal(reason string) error {
	switch reason {
	case "expired_token":
		return errors.New("the code has expired before it was entered; try again")
	case "access_denied":
		return errors.New("the sign-in was declined on GitHub; try again to be asked once more")
	case "incorrect_client_credentials", "device_flow_disabled", "unauthorized_client", "Not Found":
		return fmt.Errorf("GitHub does not let this app sign in (%s); check github.client_id", reason)
	}
	return fmt.Errorf("GitHub refused it (%s); try again", strings.ToValidUTF8(reason, "?"))
}

// post sends a form and reads a JSON object. GitHub says most refusals with status 200.
func (f *deviceFlow) post(ctx context.Context, path string, form url.Values) (fields, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchBudget)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("User-Agent", orElse(f.o.Client.UserAgent, "parley/"+buildVersion()))
	resp, err := f.http.Do(req)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return nil, fmt.Errorf("GitHub cannot be reached: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := readBounded(resp.Body, maxErrorBody)
	if err != nil {
		return nil, fmt.Errorf("GitHub cannot be reached: %w", err)
	}
	o := object(body)
	if o == nil || resp.StatusCode >= 400 && o.str("error") == "" {
		return nil, fmt.Errorf("GitHub answered %s; check github.client_id and github_host", statusLine(resp.StatusCode))
	}
	return o, nil
}

// sleep waits for so long, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
