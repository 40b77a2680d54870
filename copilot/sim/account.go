package sim

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/copilot/sim/script"
)

// Account is the kind of account to simulate, with the requirements of its service. The zero value is a paid individual
// account on the usual endpoint.
type Account struct {
	// Plan is the plan in discovery; "" is a paid individual one. Accounts of the plan "free" get limited quotas, and a
	// request that names a model is refused with model_not_supported unless it has the token of a model session with
	// that model.
	Plan string
	// SessionModels are the models of a model session, the selected one first; nil: claude-haiku-4.5 and gpt-5-mini.
	// NoSessions means that /models/session does not exist, as in older services.
	SessionModels []string
	NoSessions    bool
	// Scheme is the only authentication scheme that the Copilot API accepts for GitHub tokens; "" is Bearer. For minted
	// tokens it is always Bearer.
	Scheme string
	// OnlyMinted reports whether the Copilot API refuses the GitHub token itself with 401 and accepts tokens of the
	// exchange.
	OnlyMinted bool
	// Exchange is how the token exchange fails; "" lets it succeed. A number such as "404" is the status of a refusal
	// without a reason, anything else the notification id of a 403.
	Exchange string
	// Split reports whether the endpoints for GitHub tokens and minted ones differ, and each answers 421 to the other's
	// tokens. The recorded header X-Sim-Base of a request names its endpoint: "direct" or "minted".
	Split bool
	// Device is the error that a sign-in with a code ends with, such as "access_denied"; "" lets it succeed.
	Device string
	// NoEndpoints reports that discovery and exchange name no endpoint, so that clients use the default of the host.
	NoEndpoints bool
	// Server reports whether the REST API is below /api/v3, as on GitHub Enterprise Server; see [Server.GitHubURL].
	Server bool
}

// Paths of the two endpoints of a split account, and where GitHub Enterprise Server has its REST API.
const (
	baseDirect = "/direct"
	baseMinted = "/minted"
	restPrefix = "/api/v3"
	headerBase = "X-Sim-Base"
)

// sessionLifetime is the time for which a model session lasts.
const sessionLifetime = time.Hour

// accountState is an account with the model sessions opened for it.
type accountState struct {
	Account
	mu       sync.Mutex
	sessions map[string]time.Time // end by token
}

// SetAccount replaces the account. Its token stays; its minted tokens and model sessions become invalid.
func (s *Server) SetAccount(a Account) {
	s.account.mu.Lock()
	s.account.Account, s.account.sessions = a, nil
	s.account.mu.Unlock()
	s.quota.mu.Lock()
	s.quota.minted = nil
	s.quota.mu.Unlock()
}

// get returns the current account.
func (a *accountState) get() Account {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Account
}

// enter removes the base from the path of a request and records it in a header.
func (a *accountState) enter(r *http.Request) *http.Request {
	now, path := a.get(), r.URL.Path
	r.Header.Del(headerBase)
	base := ""
	switch {
	case now.Split && strings.HasPrefix(path, baseDirect+"/"):
		base = "direct"
	case now.Split && strings.HasPrefix(path, baseMinted+"/"):
		base = "minted"
	case now.Server && strings.HasPrefix(path, restPrefix+"/"):
		r.URL.Path = strings.TrimPrefix(path, restPrefix)
		return r
	case now.Server && strings.HasPrefix(path, "/copilot_internal/"):
		r.URL.Path = "/not-below" + restPrefix
		return r
	}
	if base != "" {
		r.Header.Set(headerBase, base)
		r.URL.Path = strings.TrimPrefix(path, "/"+base)
	}
	return r
}

// base returns the endpoint that discovery or the exchange names, "" for none.
func (a *accountState) base(url string, minted bool) string {
	switch now := a.get(); {
	case now.NoEndpoints:
		return ""
	case now.Split && minted:
		return url + baseMinted
	case now.Split:
		return url + baseDirect
	}
	return url
}

// checkScheme refuses an Authorization header that the endpoint cannot read.
func (a *accountState) checkScheme(scheme string, minted bool) *problem {
	want := "Bearer"
	if s := a.get().Scheme; s != "" && !minted {
		want = s
	}
	if strings.EqualFold(scheme, want) {
		return nil
	}
	return &problem{check: "auth scheme", status: http.StatusBadRequest, shape: script.ShapeText, message: textBadAuthHeader}
}

// checkBase refuses a token at the other token's endpoint, and GitHub tokens if only minted ones are accepted.
func (a *accountState) checkBase(r *http.Request, minted bool) *problem {
	now, base := a.get(), r.Header.Get(headerBase)
	if now.Split && (base == "minted") != minted {
		return &problem{check: "base", status: http.StatusMisdirectedRequest, shape: script.ShapeText,
			message: "Misdirected Request"}
	}
	if now.OnlyMinted && !minted {
		return &problem{check: "auth", status: http.StatusUnauthorized, shape: script.ShapeText, message: textUnauthorized}
	}
	return nil
}

// refuseExchange returns the failure of the token exchange, nil if it succeeds.
func (a *accountState) refuseExchange(url string) *answer {
	how := a.get().Exchange
	statuses := map[string]int{"401": 401, "403": 403, "404": 404, "500": 500}
	switch status, ok := statuses[how]; {
	case how == "":
		return nil
	case ok:
		out := jsonAnswer(status, map[string]any{"message": http.StatusText(status),
			"documentation_url": "https://docs.github.com/rest", "status": itoa(status)})
		return &out
	}
	out := jsonAnswer(http.StatusForbidden, map[string]any{
		"message": "Resource not accessible by integration", "reason": how,
		"can_signup_for_limited": how == "not_signed_up",
		"error_details": map[string]any{"title": "No access to GitHub Copilot", "message": "This account has no access.",
			"url": url, "notification_id": how},
	})
	return &out
}

// describe adds the account to the answer of discovery.
func (a *accountState) describe(user map[string]any, now time.Time) {
	acc := a.get()
	if acc.Plan != "" {
		user["copilot_plan"], user["access_type_sku"] = acc.Plan, acc.Plan+"_subscriber_quota"
	}
	if acc.Plan != "free" {
		return
	}
	user["access_type_sku"] = "free_limited_copilot"
	user["limited_user_quotas"] = map[string]int{"chat": 500, "completions": 4000}
	user["monthly_quotas"] = map[string]int{"chat": 500, "completions": 4000}
	user["limited_user_reset_date"] = resetDate(now).Format(time.DateOnly)
	delete(user, "quota_snapshots")
}

// models returns the models of a model session.
func (a Account) models() []string {
	if a.SessionModels != nil {
		return a.SessionModels
	}
	return []string{"claude-haiku-4.5", "gpt-5-mini"}
}

// inferencePaths are the paths of requests that name a model.
var inferencePaths = []string{pathMessages, "/responses", "/chat/completions"}

// checkPlan refuses a request with a model that the plan does not permit.
func (s *Server) checkPlan(r *http.Request, data []byte) *problem {
	acc := s.account.get()
	if acc.Plan != "free" || r.Method != http.MethodPost || !slices.Contains(inferencePaths, r.URL.Path) {
		return nil
	}
	var in struct{ Model string }
	if json.Unmarshal(data, &in) != nil {
		return nil // another check refuses it
	}
	s.account.mu.Lock()
	ends, open := s.account.sessions[r.Header.Get("Copilot-Session-Token")]
	s.account.mu.Unlock()
	if open && s.clock.Now().Before(ends) && slices.Contains(acc.models(), in.Model) {
		return nil
	}
	return &problem{check: "plan", status: http.StatusBadRequest, shape: script.ShapeCode, code: "model_not_supported",
		param: "model", message: "The requested model is not supported."}
}

// serveSession opens a model session. The hints must be a list; a plain true is refused.
func (s *Server) serveSession(_ *http.Request, body []byte) answer {
	acc := s.account.get()
	if acc.NoSessions {
		return (&problem{status: http.StatusNotFound, shape: script.ShapeText, message: "404 page not found"}).answer()
	}
	var in struct {
		Auto struct {
			Hints []string `json:"model_hints"`
		} `json:"auto_mode"`
	}
	if json.Unmarshal(body, &in) != nil || len(in.Auto.Hints) == 0 {
		return (&problem{status: http.StatusBadRequest, shape: script.ShapeText, message: "Bad Request"}).answer()
	}
	models := acc.models()
	if len(models) == 0 {
		return (&problem{status: http.StatusBadRequest, shape: script.ShapeCode, code: "model_not_supported",
			message: "The requested model is not supported."}).answer()
	}
	selected := models[0]
	for _, hint := range in.Auto.Hints {
		if slices.Contains(models, hint) {
			selected = hint
			break
		}
	}
	token, ends := "sess_"+randomID(40), s.clock.Now().Add(sessionLifetime)
	s.account.mu.Lock()
	if s.account.sessions == nil {
		s.account.sessions = map[string]time.Time{}
	}
	s.account.sessions[token] = ends
	s.account.mu.Unlock()
	out := jsonAnswer(http.StatusOK, map[string]any{"available_models": models, "selected_model": selected,
		"session_token": token, "expires_at": ends.Unix()})
	out.header = map[string]string{"Date": s.clock.Now().UTC().Format(http.TimeFormat)} // expires_at is by this clock
	return out
}
