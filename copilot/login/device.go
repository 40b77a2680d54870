package login

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	opDevice = "sign in with a code"
	// deviceScope is the permission to read who signs in.
	deviceScope = "read:user"
	deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

	// minPoll is the minimum interval between two requests, and the increase with each answer to slow down.
	minPoll = 5 * time.Second
	// maxDevice bounds the wait for a code, whatever the service reports.
	maxDevice = 30 * time.Minute

	// requestBudget and maxAnswer bound one request.
	requestBudget = 30 * time.Second
	maxAnswer     = 1 << 20
)

// DeviceCode is the address that the user opens to sign in, with the code to enter there.
type DeviceCode struct {
	UserCode, Address string
	// Expires is the time at which the code expires.
	Expires time.Time
}

// DeviceOptions configures [WithDevice]. ClientID, HTTP and Show are required.
type DeviceOptions struct {
	// ClientID is the id of the OAuth app.
	ClientID string
	// Host is the GitHub host; "" means github.com.
	Host string
	// GitHubAPIURL replaces the address of the host; loopback only.
	GitHubAPIURL string
	// HTTP sends the requests. It should not follow redirects.
	HTTP *http.Client
	// UserAgent identifies this program.
	UserAgent string
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Show is called once with what the user has to do. It must not block for long.
	Show func(DeviceCode)
	// Sleep waits; nil: in real time.
	Sleep func(context.Context, time.Duration) error
}

// WithDevice signs in with GitHub's device flow, which takes as long as the user does; the context ends it. Errors
// explain what to do and never contain a token. It stores nothing.
func WithDevice(ctx context.Context, o DeviceOptions) (Credential, error) {
	name, err := NormalizeHost(cmp.Or(o.Host, "github.com"))
	if err != nil {
		return Credential{}, err
	}
	base, err := ParseOverride("GitHubAPIURL", o.GitHubAPIURL)
	if err != nil {
		return Credential{}, err
	}
	f := &deviceFlow{DeviceOptions: o, base: cmp.Or(base, "https://"+name)}
	if f.Now == nil {
		f.Now = time.Now
	}
	if f.Sleep == nil {
		f.Sleep = sleep
	}
	token, err := f.run(ctx)
	if err != nil {
		return Credential{}, fmt.Errorf("%s at %s: %w", opDevice, name, err)
	}
	return Credential{Token: token, Source: sourceOwnFile, Host: name}, nil
}

// deviceFlow is one sign-in with a code.
type deviceFlow struct {
	DeviceOptions
	base string
}

// deviceAnswer is an answer of GitHub to either request.
type deviceAnswer struct {
	DeviceCode string  `json:"device_code"`
	UserCode   string  `json:"user_code"`
	Address    string  `json:"verification_uri"`
	ExpiresIn  float64 `json:"expires_in"` // seconds
	Interval   float64 `json:"interval"`   // seconds
	Token      string  `json:"access_token"`
	Error      string  `json:"error"`
}

// seconds returns a duration of at most [maxDevice].
func seconds(n float64) time.Duration {
	return time.Duration(min(max(n, 0), maxDevice.Seconds()) * float64(time.Second))
}

// run requests a code, shows it, and polls until the user has entered it.
func (f *deviceFlow) run(ctx context.Context) (Secret, error) {
	begun, err := f.post(ctx, "/login/device/code", url.Values{"client_id": {f.ClientID}, "scope": {deviceScope}})
	if err != nil {
		return Secret{}, err
	}
	if begun.Error != "" {
		return Secret{}, deviceRefusal(begun.Error)
	}
	u, err := url.Parse(begun.Address)
	if begun.DeviceCode == "" || begun.UserCode == "" || err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return Secret{}, errors.New("GitHub gave no code to enter; try again")
	}
	life, pause := maxDevice, max(seconds(begun.Interval), minPoll)
	if begun.ExpiresIn > 0 {
		life = seconds(begun.ExpiresIn)
	}
	expires := f.Now().Add(life)
	f.Show(DeviceCode{UserCode: begun.UserCode, Address: begun.Address, Expires: expires})
	for f.Now().Before(expires) {
		if err := f.Sleep(ctx, pause); err != nil {
			return Secret{}, err
		}
		answer, err := f.post(ctx, "/login/oauth/access_token",
			url.Values{"client_id": {f.ClientID}, "device_code": {begun.DeviceCode}, "grant_type": {deviceGrant}})
		if err != nil {
			if ctx.Err() != nil {
				return Secret{}, err
			}
			continue // the network may return before the code expires
		}
		switch answer.Error {
		case "":
			return deviceToken(answer.Token)
		case "authorization_pending":
		case "slow_down":
			pause += minPoll
		default:
			return Secret{}, deviceRefusal(answer.Error)
		}
	}
	return Secret{}, deviceRefusal("expired_token")
}

// deviceToken returns the checked token of an answer.
func deviceToken(token string) (Secret, error) {
	if token == "" {
		return Secret{}, errors.New("GitHub gave no token; try again")
	}
	if err := Check(sourceOwnFile, token); err != nil {
		return Secret{}, err
	}
	return NewSecret(token), nil
}

// deviceRefusal returns the error for a refusal of GitHub.
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

// post sends a form and decodes a JSON object. GitHub sends most refusals with status 200.
func (f *deviceFlow) post(ctx context.Context, path string, form url.Values) (*deviceAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestBudget)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("User-Agent", f.UserAgent)
	resp, err := f.HTTP.Do(req)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return nil, fmt.Errorf("GitHub cannot be reached: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := readBounded(resp.Body, maxAnswer)
	if err != nil {
		return nil, fmt.Errorf("GitHub cannot be reached: %w", err)
	}
	var a deviceAnswer
	if err := json.Unmarshal(body, &a); err != nil || resp.StatusCode >= 400 && a.Error == "" {
		return nil, fmt.Errorf("GitHub answered %s; check github.client_id and github_host", resp.Status)
	}
	return &a, nil
}

// sleep waits for a duration, or until ctx ends.
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
