package copilot

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/cli/go-gh/v2/pkg/auth"
)

// defaultEndpoint serves github.com accounts whose discovery names no endpoint.
const defaultEndpoint = "https://api.githubcopilot.com"

// enterpriseEndpoint serves the seats of enterprises; those of GitHub Enterprise Server know no other.
const enterpriseEndpoint = "https://api.enterprise.githubcopilot.com"

// OverrideError says that an address given to replace one of the two services cannot be used.
type OverrideError struct {
	// Name is what was set, such as "GitHubAPIURL".
	Name string
	// Value is the address without any user information.
	Value string
	// Reason says what is wrong with it.
	Reason string
}

// Error says what was set, to what, and why it is refused.
func (e *OverrideError) Error() string {
	return fmt.Sprintf("%s %q: %s", e.Name, e.Value, e.Reason)
}

// parseOverride checks an address that replaces a service. Only loopback is accepted: the token goes there.
func parseOverride(name, raw string) (string, error) {
	if raw == "" {
		return "", nil
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", &OverrideError{Name: name, Value: masked, Reason: "not a URL"}
	}
	refuse := func(reason string) (string, error) {
		shown := *u
		shown.User, shown.RawQuery, shown.Fragment = nil, "", ""
		return "", &OverrideError{Name: name, Value: shown.String(), Reason: reason}
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse("must begin with http:// or https://")
	case !isLoopback(u.Hostname()):
		return refuse("must be a loopback address, such as http://127.0.0.1:8080, because the token is sent there")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return refuse("must have no user, query or fragment")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// isLoopback knows localhost, 127.0.0.0/8 and ::1. Names are not resolved.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// checkEndpoint decides whether the token may be sent to an endpoint that discovery named. Plain http is accepted for
// loopback only, and only if discovery itself ran against an override.
func checkEndpoint(raw string, overridden bool) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("the endpoint GitHub names is not a URL")
	}
	switch {
	case u.Hostname() == "":
		return "", fmt.Errorf("the endpoint GitHub names has no host")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", fmt.Errorf("the endpoint GitHub names on %s has a user, query or fragment", u.Hostname())
	case u.Scheme == "https", u.Scheme == "http" && overridden && isLoopback(u.Hostname()):
		return strings.TrimRight(u.String(), "/"), nil
	}
	return "", fmt.Errorf("the endpoint GitHub names on %s is not https", u.Hostname())
}

// normalizeHost brings a GitHub host into the form gh uses (lower case, api.github.com as github.com, any name below a
// tenant as the tenant), and refuses what is no host name.
func normalizeHost(host string) (string, error) {
	if host == "" {
		return "github.com", nil
	}
	h := auth.NormalizeHostname(host)
	u, err := url.Parse("https://" + h)
	if err != nil || u.Host != h || u.Hostname() == "" {
		return "", fmt.Errorf("%q is not a GitHub host name", host)
	}
	return h, nil
}

// githubHost is where the parts of GitHub are for a host.
type githubHost struct {
	name string // normalised
	rest string // base of the REST API
	// endpoint serves accounts whose discovery names no endpoint. The token of a tenant must not leave the tenant.
	endpoint string
	// server: GitHub Enterprise Server, which may know nothing of Copilot itself.
	server bool
}

// describeHost knows the three sorts of hosts: github.com, tenants of ghe.com (GitHub Enterprise Cloud with data
// residency) and GitHub Enterprise Server, which has its API below a path and whose seats are served by the endpoint of
// GitHub's enterprise plans.
func describeHost(name string) (githubHost, error) {
	h, err := normalizeHost(name)
	switch {
	case err != nil:
		return githubHost{}, err
	case h == "ghe.com":
		return githubHost{}, fmt.Errorf("%q is not a GitHub host name: write your tenant's, such as acme.ghe.com", name)
	case h == "github.com":
		return githubHost{name: h, rest: "https://api.github.com", endpoint: defaultEndpoint}, nil
	case auth.IsTenancy(h):
		return githubHost{name: h, rest: "https://api." + h, endpoint: "https://copilot-api." + h}, nil
	}
	return githubHost{name: h, rest: "https://" + h + "/api/v3", endpoint: enterpriseEndpoint, server: true}, nil
}
