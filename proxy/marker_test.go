package proxy

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/copilot"
)

func TestMarkerRoundTrip(t *testing.T) {
	for _, d := range []Detail{
		{},
		{Kind: "quota", Status: 402, Code: "quota_exceeded", RequestID: "ab:cd (1)", RetryAfter: time.Minute,
			Reset: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)},
		{Kind: "é", Code: strings.Repeat("x", 1000)},
	} {
		message := "You have no quota" + EncodeMarker(d)
		quoted, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{message, string(quoted), "API Error: 402 " + string(quoted) + " · try later", message + message} {
			got, ok := DecodeMarker(text)
			if !ok || !cmp.Equal(d, got) {
				t.Errorf("%q: %v %s", text, ok, cmp.Diff(d, got))
			}
			if plain := StripMarker(text); strings.Contains(plain, "parley-error") || !strings.Contains(plain, "You have no quota") {
				t.Errorf("%q is left", plain)
			}
		}
	}
	if d, ok := DecodeMarker("x" + EncodeMarker(Detail{RetryAfter: 1500 * time.Millisecond})); !ok || d.RetryAfter != 2*time.Second {
		t.Errorf("%+v", d)
	}
}

// Text that only resembles a marker stays, and says nothing.
func TestNoMarker(t *testing.T) {
	for _, text := range []string{"", "plain", "x (parley-error:1:)", "x (parley-error:1:abc", "x (parley-error:2:e30)",
		"x (parley-error:1:a b)", "x (parley-error:1:" + strings.Repeat("a", maxMarker+1) + ")"} {
		if d, ok := DecodeMarker(text); ok || StripMarker(text) != text {
			t.Errorf("%q: %+v, %q", text, d, StripMarker(text))
		}
	}
	if _, ok := DecodeMarker("x (parley-error:1:aaaa)"); ok {
		t.Error("garbage was read")
	}
	good := EncodeMarker(Detail{Kind: "quota"})
	if d, ok := DecodeMarker("x (parley-error:1:aaaa)" + good); !ok || d.Kind != "quota" {
		t.Errorf("behind garbage: %+v", d)
	}
}

func FuzzMarker(f *testing.F) {
	f.Add("x (parley-error:1:e30)", "quota", 402, int64(60))
	f.Add("", "", 0, int64(-1))
	f.Fuzz(func(t *testing.T, text, kind string, status int, wait int64) {
		if plain := StripMarker(text); len(plain) > len(text) || !strings.Contains(text, markerStart) && plain != text {
			t.Errorf("%q became %q", text, plain)
		}
		d := Detail{Kind: strings.ToValidUTF8(kind, ""), Status: status}
		if wait > 0 && wait < int64(maxWait/time.Second) {
			d.RetryAfter = time.Duration(wait) * time.Second
		}
		if len(kind) > maxMarker/2 {
			return
		}
		got, ok := DecodeMarker(strings.ReplaceAll(text, markerStart, "") + EncodeMarker(d))
		if ok && !cmp.Equal(d, got) || !ok && !strings.Contains(text, "parley-error") {
			t.Errorf("%v %s", ok, cmp.Diff(d, got))
		}
	})
}

// Only a session that asked for it gets the marker; everything else of the service's words stays byte for byte.
func TestMarkerIsForThoseWhoAsk(t *testing.T) {
	own := `{"type":"error", "error":{"type":"rate_limit_error","message":"slow \u00e9 down" ,"extra":1.50},"request_id":"req_1"}`
	e := &copilot.Error{Op: "x", Kind: copilot.KindQuota, Status: 402, Code: "quota_exceeded", RequestID: "r-1", Envelope: []byte(own),
		Header: http.Header{"X-Quota-Snapshot-Premium_interactions": {"ent=300&rem=0&rst=2026-12-01T00:00:00Z"},
			"X-Quota-Snapshot-Chat": {"ent=-1&rem=100"}}}
	mark := EncodeMarker(Detail{Kind: "quota", Status: 402, Code: "quota_exceeded", RequestID: "r-1",
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
