package login

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/cli/go-gh/v2/pkg/auth"
)

// OverrideError reports an address that cannot replace one of the two services.
type OverrideError struct {
	// Name is the setting, such as "GitHubAPIURL".
	Name string
	// Value is the address without any user information.
	Value string
	// Reason explains why it is refused.
	Reason string
}

// Error names the setting, its value and the reason.
func (e *OverrideError) Error() string {
	return fmt.Sprintf("%s %q: %s", e.Name, e.Value, e.Reason)
}

// ParseOverride returns the address that replaces a service, without a slash at its end. The token goes there, so only
// loopback is accepted; anything else is an [*OverrideError].
func ParseOverride(name, raw string) (string, error) {
	if raw == "" {
		return "", nil
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", &OverrideError{Name: name, Value: Masked, Reason: "not a URL"}
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

// isLoopback reports whether a host is localhost, 127.0.0.0/8 or ::1. It resolves no names.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// CheckEndpoint returns the address of an endpoint from discovery, if the token may be sent there. It accepts plain
// http only for loopback, and only if discovery itself used an override.
func CheckEndpoint(raw string, overridden bool) (string, error) {
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

// NormalizeHost returns a GitHub host in the form gh uses (lower case, api.github.com as github.com, any name below a
// tenant as the tenant), or an error if it is not a host name.
func NormalizeHost(host string) (string, error) {
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

// IsTenancy reports whether a normalized host is a tenant of ghe.com.
func IsTenancy(host string) bool { return auth.IsTenancy(host) }
