package proxy

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/copilot"
	"parley/internal/errmark"
)

// Only a session that asked for it gets the marker; everything else of the service's words stays byte for byte.
func TestMarkerIsForThoseWhoAsk(t *testing.T) {
	own := `{"type":"error", "error":{"type":"rate_limit_error","message":"slow \u00e9 down" ,"extra":1.50},"request_id":"req_1"}`
	e := &copilot.Error{Op: "x", Kind: copilot.KindQuota, Status: 402, Code: "quota_exceeded", RequestID: "r-1", Envelope: []byte(own),
		Header: http.Header{"X-Quota-Snapshot-Premium_interactions": {"ent=300&rem=0&rst=2026-12-01T00:00:00Z"},
			"X-Quota-Snapshot-Chat": {"ent=-1&rem=100"}}}
	mark := errmark.Encode(errmark.Detail{Kind: "quota", Status: 402, Code: "quota_exceeded", RequestID: "r-1",
		Reset: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	marked := strings.Replace(own, `slow \u00e9 down`, `slow é down`+mark, 1)
	f := &fake{
		onStream: func(context.Context, copilot.Request) (frames, http.Header, error) {
			return newScript(hello[0], step{err: e}), nil, nil
		},
		onMessage: func(context.Context, copilot.Request) (*copilot.Response, error) { return nil, e },
		onModels:  func(context.Context) ([]copilot.Model, error) { return nil, e },
	}
	r := newRig(t, f)
	asked, err := r.Open("s2", WithMarker())
	if err != nil {
		t.Fatal(err)
	}
	for bearer, want := range map[string]string{r.bearer: own, asked: marked} {
		if got := r.do("POST", "/v1/messages", wholeBody, "Authorization", "Bearer "+bearer); got.body != want || got.status != 402 {
			t.Errorf("%s\nwant %s", got.body, want)
		}
		if got := r.do("GET", "/v1/models", "", "Authorization", "Bearer "+bearer); got.body != want {
			t.Errorf("%s\nwant %s", got.body, want)
		}
		got := r.do("POST", "/v1/messages", streamBody, "Authorization", "Bearer "+bearer)
		if !strings.HasSuffix(got.body, "event: error\ndata: "+want+"\n\n") {
			t.Errorf("%s\nwant %s", got.body, want)
		}
	}
	// What the proxy itself refuses was never lost.
	if got := r.do("POST", "/v1/messages", "{", "Authorization", "Bearer "+asked); strings.Contains(got.body, "parley-error") {
		t.Error(got.body)
	}
}
