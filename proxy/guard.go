package proxy

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// guard knows under which names the server may be called. A page in a browser can reach loopback, also through a host
// name of its own that it makes resolve to 127.0.0.1; it cannot hide that from Host and Origin.
type guard struct{ port string }

// foreign reports a request that was not meant for this server, or that a web page of another origin sent.
func (g guard) foreign(r *http.Request) bool {
	if !g.own(r.Host) {
		return true
	}
	for _, origin := range r.Header["Origin"] {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || !g.own(u.Host) {
			return true
		}
	}
	return false
}

// own reports a host and port that stand for this server.
func (g guard) own(hostport string) bool {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host, port = hostport, "80"
	}
	if port != g.port {
		return false
	}
	return host == "127.0.0.1" || strings.EqualFold(host, "localhost")
}
