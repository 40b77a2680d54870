package sim

import (
	"encoding/json"
	"net/http"
	"strings"

	"parley/copilot/sim/cloud"
	"parley/copilot/sim/script"
)

// pathMessages is the Messages API.
const pathMessages = "/v1/messages"

// texts of the service that tests of clients depend on.
const (
	textUnauthorized  = "unauthorized: AuthenticateToken authentication failed"
	textBadAuthHeader = "bad request: Authorization header is badly formatted"
	textNoIntegration = "bad request: missing required Copilot-Integration-Id header"
	textPAT           = "bad request: Personal Access Tokens are not supported for this endpoint"
)

// route is one endpoint.
type route struct {
	messages bool
	guard    func(*Server, *http.Request) *problem // authentication
	serve    func(*Server, *http.Request, []byte) answer
}

// route finds the endpoint. An unknown path is a plain-text 404, also without authentication.
func (s *Server) route(r *http.Request) (route, *problem) {
	path, get := r.URL.Path, r.Method == http.MethodGet || r.Method == http.MethodHead
	model, isModel := strings.CutPrefix(path, "/models/")
	policyOf, isPolicy := strings.CutSuffix(model, "/policy")
	switch api := cloud.Serves(path); {
	case api == cloud.Copilot:
		return route{guard: (*Server).checkCopilotAuth, serve: (*Server).serveCloud}, nil
	case api == cloud.GitHub:
		return route{guard: (*Server).checkGitHubAuth, serve: (*Server).serveCloud}, nil
	case path == "/copilot_internal/user" && get:
		return route{guard: (*Server).checkGitHubAuth, serve: (*Server).serveUser}, nil
	case path == "/copilot_internal/v2/token" && get:
		return route{guard: (*Server).checkGitHubAuth, serve: (*Server).serveToken}, nil
	case path == "/login/device/code" && r.Method == http.MethodPost:
		return route{guard: anybody, serve: (*Server).serveDevice}, nil
	case path == "/login/oauth/access_token" && r.Method == http.MethodPost:
		return route{guard: anybody, serve: (*Server).serveDeviceToken}, nil
	case path == "/models/session" && r.Method == http.MethodPost:
		return route{guard: (*Server).checkCopilotAuth, serve: (*Server).serveSession}, nil
	case path == "/models" && get:
		return route{guard: (*Server).checkCopilotAuth, serve: (*Server).serveModels}, nil
	case isModel && isPolicy && r.Method == http.MethodPost:
		return route{guard: (*Server).checkCopilotAuth, serve: func(s *Server, _ *http.Request, body []byte) answer {
			return s.servePolicy(policyOf, body)
		}}, nil
	case isModel && get:
		return route{guard: (*Server).checkCopilotAuth, serve: func(s *Server, r *http.Request, _ []byte) answer {
			return s.serveModel(model, r)
		}}, nil
	case protocolOf(path) != nil && r.Method == http.MethodPost:
		return route{guard: (*Server).checkCopilotAuth, messages: true}, nil
	case path == "/_ping" && get:
		return route{guard: anybody,
			serve: func(*Server, *http.Request, []byte) answer {
				return answer{status: 200, contentType: typeText, body: []byte("OK\n")}
			}}, nil
	case path == "/embeddings":
		return route{}, &problem{check: "route", status: http.StatusNotImplemented, shape: script.ShapeText,
			message: "the simulated Copilot has no " + path + "; use " + pathMessages}
	}
	return route{}, &problem{check: "route", status: http.StatusNotFound, shape: script.ShapeText, message: "404 page not found"}
}

// anybody needs no authentication.
func anybody(*Server, *http.Request) *problem { return nil }

// checkGitHubAuth is the authentication of GitHub's REST API, which takes both schemes.
func (s *Server) checkGitHubAuth(r *http.Request) *problem {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token == s.token && (strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "token")) {
		return nil
	}
	message := "Bad credentials"
	if scheme == "" {
		message = "Requires authentication"
	}
	return &problem{check: "github auth", status: http.StatusUnauthorized, shape: script.ShapeMessage,
		body: string(mustJSON(map[string]any{"message": message, "documentation_url": "https://docs.github.com/rest",
			"status": "401"}))}
}

// checkCopilotAuth is the authentication of the Copilot API: the scheme, the token, then the integration id.
func (s *Server) checkCopilotAuth(r *http.Request) *problem {
	header := r.Header.Get("Authorization")
	scheme, token, _ := strings.Cut(header, " ")
	minted := s.quota.accepts(token, s.clock.Now())
	if header != "" {
		if p := s.account.checkScheme(scheme, minted); p != nil {
			return p
		}
	}
	if p := s.account.checkBase(r, minted); p != nil {
		return p
	}
	if token != s.token && !minted {
		return &problem{check: "auth", status: http.StatusUnauthorized, shape: script.ShapeText, message: textUnauthorized}
	}
	id := r.Header.Get("Copilot-Integration-Id")
	if id == "" {
		return &problem{check: "integration id", status: http.StatusBadRequest, shape: script.ShapeText, message: textNoIntegration}
	}
	if strings.HasPrefix(token, "github_pat_") && id != "copilot-developer-cli" {
		return &problem{check: "integration id", status: http.StatusBadRequest, shape: script.ShapeText, message: textPAT}
	}
	return nil
}

func (s *Server) serveModels(r *http.Request, _ []byte) answer {
	data := []any{}
	for _, m := range s.models.all() {
		data = append(data, m.wire(r.Header.Get("X-GitHub-Api-Version")))
	}
	return jsonAnswer(http.StatusOK, map[string]any{"object": "list", "data": data})
}

func (s *Server) serveModel(id string, r *http.Request) answer {
	m, ok := s.models.find(id)
	if !ok {
		return (&problem{status: http.StatusNotFound, shape: script.ShapeCode, code: "model_not_found",
			message: "The requested model does not exist."}).answer()
	}
	return jsonAnswer(http.StatusOK, m.wire(r.Header.Get("X-GitHub-Api-Version")))
}

// servePolicy accepts or withdraws the terms of a model.
func (s *Server) servePolicy(id string, body []byte) answer {
	var in struct {
		State string `json:"state"`
	}
	if json.Unmarshal(body, &in) != nil || in.State != "enabled" && in.State != "disabled" {
		return (&problem{status: http.StatusBadRequest, shape: script.ShapeText, message: "Bad Request"}).answer()
	}
	if !s.models.setPolicy(id, in.State) {
		return (&problem{status: http.StatusNotFound, shape: script.ShapeText, message: "404 page not found"}).answer()
	}
	return jsonAnswer(http.StatusOK, map[string]any{"message": "Policy " + in.State + " for " + id})
}
