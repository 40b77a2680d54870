package copilottest

import (
	"net/http"

	"parley/copilot/copilottest/cloudsim"
)

// Cloud returns the simulated service of GitHub's cloud agent.
func (s *Server) Cloud() *cloudsim.Service { return s.cloud }

// serveCloud answers a request to that service.
func (s *Server) serveCloud(r *http.Request, body []byte) answer {
	a := s.cloud.Answer(cloudsim.Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header, Body: body})
	return answer{status: a.Status, contentType: a.Type, header: a.Header, body: a.Body}
}
