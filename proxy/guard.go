package proxy

import (
	"net"
	"net/http"
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
	if r.URL.User != nil { // of an absolute target; net/http takes the host from there and drops this
		return true
	}
	for _, origin := range r.Header["Origin"] {
		// An origin is a scheme, a host and a port, and nothing else.
		if host, ok := strings.CutPrefix(origin, "http://"); !ok || !g.own(host) {
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
