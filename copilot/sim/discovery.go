package sim

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"parley/copilot/sim/script"
)

// The simulated account.
const (
	simLogin       = "sim-user"
	simSKU         = "plus_monthly_subscriber_quota"
	simPlan        = "individual_pro"
	simEntitlement = 1500
	// tokenLife is the validity of a minted token, in seconds.
	tokenLife = 1800
)

// quotaState counts the usage of the account.
type quotaState struct {
	mu     sync.Mutex
	used   float64 // premium interactions
	minted map[string]time.Time
}

func (q *quotaState) spend(n float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used += n
}

// remaining returns the rest of the premium entitlement, in interactions and in percent.
func (q *quotaState) remaining() (left, percent float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	left = simEntitlement - q.used
	return left, left / simEntitlement * 100
}

// mint makes a token like the older exchange and records its expiry.
func (q *quotaState) mint(now time.Time) (token string, expires time.Time) {
	expires = now.Add(tokenLife * time.Second)
	token = fmt.Sprintf("tid=%s;exp=%d;sku=%s;rt=1;ccr=1:%s", strings.ToLower(randomID(26)), expires.Unix(), simSKU,
		strings.ToLower(randomID(52)))
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.minted == nil {
		q.minted = map[string]time.Time{}
	}
	q.minted[token] = expires
	return token, expires
}

// accepts reports whether token was minted here and has not expired.
func (q *quotaState) accepts(token string, now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	until, ok := q.minted[token]
	return ok && now.Before(until)
}

// resetDate returns the first day of the next month, when quotas reset.
func resetDate(now time.Time) time.Time {
	y, m, _ := now.UTC().Date()
	return time.Date(y, m+1, 1, 0, 0, 0, 0, time.UTC)
}

// headers returns the quota headers of an inference answer. Each value is a query string.
func (q *quotaState) headers(now time.Time) map[string]string {
	_, percent := q.remaining()
	now = now.UTC()
	unlimited := quotaHeader(-1, 100, resetDate(now))
	return map[string]string{
		"X-Quota-Snapshot-Chat":                 unlimited,
		"X-Quota-Snapshot-Completions":          unlimited,
		"X-Quota-Snapshot-Premium_interactions": quotaHeader(simEntitlement, percent, resetDate(now)),
		"X-Usage-Ratelimit-Session":             quotaHeader(0, percent, now.Add(5*time.Hour).Truncate(time.Hour)),
		"X-Usage-Ratelimit-Weekly":              quotaHeader(0, percent, now.AddDate(0, 0, 7).Truncate(24*time.Hour)),
	}
}

// quotaHeader describes one quota: its size (-1 for no limit), the remaining percentage, and the time of the reset.
func quotaHeader(entitlement int, percent float64, reset time.Time) string {
	return fmt.Sprintf("ent=%d&ov=0.0&ovPerm=false&rem=%.1f&rst=%s", entitlement, percent,
		url.QueryEscape(reset.Format(time.RFC3339)))
}

// serveUser answers endpoint discovery.
func (s *Server) serveUser(*http.Request, []byte) answer {
	now := s.clock.Now().UTC()
	reset := resetDate(now)
	left, percent := s.quota.remaining()
	snapshot := func(id string, entitlement int, left, percent float64, unlimited bool) map[string]any {
		return map[string]any{"entitlement": entitlement, "remaining": int(left), "quota_remaining": left,
			"percent_remaining": percent, "unlimited": unlimited, "has_quota": unlimited || left > 0, "overage_count": 0,
			"overage_permitted": false, "quota_id": id, "timestamp_utc": now.Format(time.RFC3339)}
	}
	user := map[string]any{
		"login": simLogin, "access_type_sku": simSKU, "copilot_plan": simPlan, "assigned_date": nil,
		"chat_enabled": true, "can_signup_for_limited": false, "codex_agent_enabled": true, "is_mcp_enabled": true,
		"copilotignore_enabled": false, "restricted_telemetry": true, "is_staff": false, "token_based_billing": false,
		"analytics_tracking_id":   "00000000000000000000000000000000",
		"organization_login_list": []string{}, "organization_list": []any{},
		"endpoints":        s.endpoints(false),
		"quota_reset_date": reset.Format(time.DateOnly), "quota_reset_date_utc": reset.Format("2006-01-02T15:04:05.000Z"),
		"quota_snapshots": map[string]any{
			"chat":                 snapshot("chat", 0, 0, 100, true),
			"completions":          snapshot("completions", 0, 0, 100, true),
			"premium_interactions": snapshot("premium_interactions", simEntitlement, left, percent, false),
		},
	}
	s.account.describe(user, now)
	return jsonAnswer(http.StatusOK, user)
}

// endpoints returns the endpoints of the service for GitHub tokens, or for minted ones.
func (s *Server) endpoints(minted bool) map[string]string {
	api := s.account.base(s.url, minted)
	if api == "" {
		return nil
	}
	return map[string]string{"api": api, "telemetry": s.url + "/telemetry", "proxy": s.url + "/proxy",
		"origin-tracker": s.url + "/origin-tracker"}
}

// serveToken answers the older token exchange. It refuses personal access tokens and the default User-Agent of Go's
// client, like the service.
func (s *Server) serveToken(r *http.Request, _ []byte) answer {
	if strings.HasPrefix(s.token, "github_pat_") || strings.HasPrefix(s.token, "ghp_") {
		return (&problem{status: http.StatusForbidden, shape: script.ShapeMessage,
			message: "Resource not accessible by personal access token"}).answer()
	}
	if strings.HasPrefix(r.UserAgent(), "Go-http-client/") {
		return jsonAnswer(http.StatusForbidden, map[string]any{
			"message": "Resource not accessible by integration", "reason": "go_http_client",
			"can_signup_for_limited": false, "error_details": map[string]any{
				"title": "Unsupported client", "message": "This client is not supported.", "url": s.url,
				"notification_id": "go_http_client"}})
	}
	if refusal := s.account.refuseExchange(s.url); refusal != nil {
		return *refusal
	}
	token, expires := s.quota.mint(s.clock.Now())
	return jsonAnswer(http.StatusOK, map[string]any{
		"token": token, "expires_at": expires.Unix(), "refresh_in": tokenLife - 300, "sku": simSKU, "individual": true,
		"chat_enabled": true, "chat_jetbrains_enabled": true, "annotations_enabled": true, "endpoints": s.endpoints(true),
		"limited_user_quotas": nil, "limited_user_reset_date": nil, "organization_list": []string{},
		"enterprise_list": []int{}, "public_suggestions": "disabled", "telemetry": "disabled",
		"code_quote_enabled": true, "code_review_enabled": true, "codesearch": true, "copilotignore_enabled": false,
		"blackbird_clientside_indexing": false, "nes_enabled": true, "prompt_8k": true,
		"tracking_id":             "00000000000000000000000000000000",
		"vsc_electron_fetcher_v2": false, "xcode": true, "user_notification": nil,
	})
}
