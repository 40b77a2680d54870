package proxy

import (
	"net"
	"net/http"
	"strings"
)

// guard accepts the names of the server. A page in a browser can reach loopback, also through a host name that it
// resolves to 127.0.0.1, but Host and Origin reveal that.
type guard struct{ port string }

// foreign reports whether a request was not meant for this server, or was sent by a web page of another origin.
func (g guard) foreign(r *http.Request) bool {
	if !g.own(r.Host) {
		return true
	}
	if r.URL.User != nil { // of an absolute target: net/http uses its host and drops the user
		return true
	}
	for _, origin := range r.Header["Origin"] {
		// An origin is exactly a scheme, a host and a port.
		if host, ok := strings.CutPrefix(origin, "http://"); !ok || !g.own(host) {
			return true
		}
	}
	return false
}

// own reports whether a host and port name this server.
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
