package sim

import (
	"net/http"

	"parley/copilot/sim/cloud"
)

// Cloud returns the simulated service of GitHub's cloud agent.
func (s *Server) Cloud() *cloud.Service { return s.cloud }

// serveCloud answers a request to that service.
func (s *Server) serveCloud(r *http.Request, body []byte) answer {
	a := s.cloud.Answer(cloud.Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header, Body: body})
	return answer{status: a.Status, contentType: a.Type, header: a.Header, body: a.Body}
}
