package copilot

import (
	"fmt"

	"parley/copilot/login"
)

// defaultEndpoint serves github.com accounts whose discovery names no endpoint.
const defaultEndpoint = "https://api.githubcopilot.com"

// enterpriseEndpoint serves the seats of enterprises; those of GitHub Enterprise Server have no other.
const enterpriseEndpoint = "https://api.enterprise.githubcopilot.com"

// githubHost holds the addresses of a GitHub host.
type githubHost struct {
	name string // normalised
	rest string // base of the REST API
	// endpoint serves accounts whose discovery names no endpoint. The token of a tenant must not leave the tenant.
	endpoint string
	// server means GitHub Enterprise Server, which may have no Copilot itself.
	server bool
}

// describeHost returns the addresses of a host: github.com, a tenant of ghe.com (GitHub Enterprise Cloud with data
// residency), or a GitHub Enterprise Server, which has its API below a path and whose seats use the endpoint of
// GitHub's enterprise plans.
func describeHost(name string) (githubHost, error) {
	h, err := login.NormalizeHost(name)
	switch {
	case err != nil:
		return githubHost{}, err
	case h == "ghe.com":
		return githubHost{}, fmt.Errorf("%q is not a GitHub host name: write your tenant's, such as acme.ghe.com", name)
	case h == "github.com":
		return githubHost{name: h, rest: "https://api.github.com", endpoint: defaultEndpoint}, nil
	case login.IsTenancy(h):
		return githubHost{name: h, rest: "https://api." + h, endpoint: "https://copilot-api." + h}, nil
	}
	return githubHost{name: h, rest: "https://" + h + "/api/v3", endpoint: enterpriseEndpoint, server: true}, nil
}
