package cli

import (
	"encoding/json"
	"testing"
	"time"

	"parley/internal/errmark"
	"parley/session"
	"parley/session/claude/mapper"
)

// What the proxy writes behind an error message, the mapper of the Claude Code runtime reads back and leaves out, although
// the two rooms do not know each other.
func TestMarkersReachTheUser(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for kind, want := range map[string]session.Kind{
		"auth": session.KindAuth, "forbidden": session.KindForbidden, "quota": session.KindQuota, "rate_limit": session.KindRateLimit,
		"overloaded": session.KindOverloaded, "server": session.KindServer, "network": session.KindNetwork, "stalled": session.KindStalled,
		"bad_request": session.KindBadRequest, "too_long": session.KindTooLong, "model": session.KindModel,
	} {
		mark := errmark.Encode(errmark.Detail{Kind: kind, Status: 418, RequestID: "request", RetryAfter: 90 * time.Second})
		line, err := json.Marshal(map[string]any{"type": "result", "subtype": "success", "is_error": true, "api_error_status": 500,
			"result": "API Error: 500 Words of the service" + mark})
		if err != nil {
			t.Fatal(err)
		}
		m := mapper.New("s", 1)
		m.Begin("t", session.Prompt{Text: "p"}, session.OriginUser, now)
		var p *session.Problem
		for _, e := range m.Map(line, now) {
			if ended, ok := e.(session.TurnEnded); ok {
				p = ended.Problem
			}
		}
		if p == nil || p.Kind != want || p.Status != 418 || p.RequestID != "request" || !p.RetryAt.Equal(now.Add(90*time.Second)) {
			t.Errorf("%s: %+v", kind, p)
			continue
		}
		if plain, _, _ := errmark.Strip(p.What); plain != p.What {
			t.Errorf("%s: the marker is shown: %s", kind, p.What)
		}
	}
}
