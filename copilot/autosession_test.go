package copilot

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot/sim"
)

// modelsAsked lists the models of the requests that reached a model, in order.
func (s *simulated) modelsAsked() []string {
	var out []string
	for _, r := range s.Requests() {
		if r.Path == pathMessages && r.Status == 200 {
			out = append(out, r.Model)
		}
	}
	return out
}

// An account of a free plan names its models in a session, which is shared, kept and refreshed before its end.
func TestFreePlanUsesAModelSession(t *testing.T) {
	s, n := newSim(t, sim.Account{Plan: "free"}), 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if err := s.ask(t.Context(), "claude-haiku-4.5"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := times(s.since(&n), "/models/session Bearer 200"); got != 1 {
		t.Errorf("opened %d sessions", got)
	}
	s.clock.advance(54 * time.Minute)
	if err := s.ask(t.Context(), "gpt-5-mini"); err == nil || KindOf(err) == "" {
		t.Errorf("got %v", err) // offered by the session, but not by this endpoint
	}
	s.since(&n)
	s.clock.advance(2 * time.Minute) // within the last five of the hour
	if err := s.ask(t.Context(), "claude-haiku-4.5"); err != nil {
		t.Error(err)
	}
	s.client.current().auto.wait()
	s.clock.advance(10 * time.Minute)
	if err := s.ask(t.Context(), "claude-haiku-4.5"); err != nil {
		t.Error(err)
	}
	if got := times(s.since(&n), "/models/session Bearer 200"); got != 1 {
		t.Errorf("opened %d sessions at the end of the first", got)
	}
	for _, r := range s.Requests() {
		if r.Path == "/models/session" {
			if string(r.Body) != `{"auto_mode":{"model_hints":["auto"]}}` || r.Header.Get("X-Github-Api-Version") != "2025-07-16" ||
				r.Header.Get("Copilot-Integration-Id") == "" || r.Header.Get("Copilot-Session-Token") != "" {
				t.Errorf("the session was asked for with %s, %v", r.Body, r.Header)
			}
		}
		if r.Path == pathMessages && !strings.HasPrefix(r.Header.Get("Copilot-Session-Token"), "sess_") {
			t.Errorf("a request has no session: %v", r.Header)
		}
	}
}

func TestPaidPlanUsesNoModelSession(t *testing.T) {
	s := newSim(t, sim.Account{})
	header := http.Header{"Copilot-Session-Token": {"evil"}}
	if _, err := s.client.Messages(t.Context(), Request{Header: header, Body: []byte(
		`{"model":"claude-haiku-4.5","max_tokens":10,"messages":[{"role":"user","content":"say \"auto\" or \"model\":\"auto\""}]}`)}); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Requests() {
		if r.Path == "/models/session" || r.Header.Get("Copilot-Session-Token") != "" {
			t.Errorf("%s with %v", r.Path, r.Header)
		}
	}
}

// "auto" is not a model: the model that the session selected is sent in its place, and nothing else of the request
// changes.
func TestAutoIsNeverSent(t *testing.T) {
	for _, plan := range []string{"free", ""} {
		s := newSim(t, sim.Account{Plan: plan})
		if err := s.ask(t.Context(), autoModel); err != nil {
			t.Error(err)
		}
		if got := s.modelsAsked(); !slices.Equal(got, []string{"claude-haiku-4.5"}) {
			t.Errorf("plan %q: asked %v", plan, got)
		}
		s.SetAccount(sim.Account{Plan: plan, NoSessions: true})
		s.client.Forget()
		err := s.ask(t.Context(), autoModel)
		if me, ok := errors.AsType[*ModelError](err); !ok || me.ID != autoModel || KindOf(err) != KindModel {
			t.Errorf("plan %q, without sessions: got %v", plan, err)
		}
	}
	in := ` {"messages":[{"model":"auto"}], "m\u006fdel" : "auto" ,"x":1e400}`
	if got := string(withModel([]byte(in), `a"b`)); got != strings.Replace(in, `: "auto" ,`, `: "a\"b" ,`, 1) {
		t.Errorf("got %s", got)
	}
	if got := modelOf([]byte(in)); got != autoModel {
		t.Errorf("the model is %q", got)
	}
	for _, none := range []string{`{"model":5}`, `{}`, `[]`, `x`} {
		if got := modelOf([]byte(none)); got != "" {
			t.Errorf("%s names %q", none, got)
		}
	}
}

// A model the session does not offer is an error that names those it does. Nothing is sent in its place.
func TestModelTheSessionDoesNotOffer(t *testing.T) {
	s := newSim(t, sim.Account{Plan: "free", SessionModels: []string{"gpt-5-mini", "claude-haiku-4.5"}})
	nearest := func() []string {
		t.Helper()
		err := s.ask(t.Context(), "claude-opus-4.6")
		e, _ := errors.AsType[*Error](err)
		me, ok := errors.AsType[*ModelError](err)
		if !ok || me.ID != "claude-opus-4.6" || e.Kind != KindModel || e.Code != "model_not_supported" ||
			!strings.Contains(string(e.Envelope), "not offered") {
			t.Fatalf("got %v", err)
		}
		var ids []string
		for _, m := range me.Nearest {
			ids = append(ids, m.ID)
		}
		return ids
	}
	if got := nearest(); !slices.Equal(got, []string{"gpt-5-mini", "claude-haiku-4.5"}) {
		t.Errorf("without a list: %v", got)
	}
	if _, err := s.client.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := nearest(); !slices.Equal(got, []string{"claude-haiku-4.5", "gpt-5-mini"}) {
		t.Errorf("with the list: %v", got)
	}
	if got := s.modelsAsked(); len(got) != 0 {
		t.Errorf("asked %v", got)
	}
}

// Older services have no sessions: the request goes as it is, and their refusal is the answer.
func TestFreePlanWithoutSessions(t *testing.T) {
	s, n := newSim(t, sim.Account{Plan: "free", NoSessions: true}), 0
	if _, err := s.client.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.since(&n)
	for range 2 {
		err := s.ask(t.Context(), "claude-opus-4.6")
		if me, ok := errors.AsType[*ModelError](err); !ok || len(me.Nearest) == 0 || KindOf(err) != KindModel {
			t.Errorf("got %v", err)
		}
	}
	got := s.since(&n)
	if times(got, "/v1/messages Bearer 400") != 2 || times(got, "/models/session Bearer 404") == 0 {
		t.Errorf("the requests are %v", got)
	}
}

// Where the plan is not known, the refusal of a model is taken as a sign that a session is wanted.
func TestUnknownPlanTriesASession(t *testing.T) {
	f := newFake(t)
	refuse := answer(400, "", `{"error":{"message":"The requested model is not supported.","code":"model_not_supported"}}`)
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Copilot-Session-Token") == "" {
			refuse(w, r)
			return
		}
		good(w, r)
	})
	open := answer(200, "", `{"available_models":[{"id":"claude-opus-4.6"},"auto"],"selected_model":"x","session_token":"s"}`)
	f.on("/models/session", open)
	c := f.client(t, func(o *Options) { o.GitHubAPIURL, o.CopilotAPIURL = "", f.URL })
	if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
		t.Error(err)
	}
	if len(f.got(pathMessages)) != 2 || len(f.got("/models/session")) != 1 {
		t.Errorf("%d requests, %d sessions", len(f.got(pathMessages)), len(f.got("/models/session")))
	}
	// With a known paid plan a refusal is a refusal.
	f.on(pathMessages, refuse)
	if err := calls["Messages"].call(t.Context(), f.client(t), nil); KindOf(err) != KindModel {
		t.Errorf("got %v", err)
	}
	if len(f.got("/models/session")) != 1 {
		t.Error("a session was opened for a paid plan")
	}
}

func TestSessionAnswers(t *testing.T) {
	date := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	h := http.Header{"Date": {date.Format(http.TimeFormat)}}
	for body, want := range map[string]time.Duration{
		`{}`:                    usualSession,
		`{"expires_at":"soon"}`: usualSession,
		`{"expires_at":-1}`:     usualSession,
		`{"expires_at":99e99}`:  usualSession,
		`{"expires_at":1}`:      minSession,
		`{"expires_at":1e11}`:   maxSession,
		fmt.Sprintf(`{"expires_at":%d}`, date.Add(time.Hour).Unix()):                    time.Hour,
		fmt.Sprintf(`{"expires_at":"%d"}`, date.Add(time.Hour).Unix()):                  time.Hour,
		fmt.Sprintf(`{"expires_at":%q}`, date.Add(40*time.Minute).Format(time.RFC3339)): 40 * time.Minute,
	} {
		// The local clock is a day late, which must not matter.
		if got := sessionLife(object([]byte(body)), h, date.Add(-24*time.Hour)); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
	if got := sessionLife(object([]byte(fmt.Sprintf(`{"expires_at":%d}`, date.Add(time.Hour).Unix()))), http.Header{}, date); got != time.Hour {
		t.Errorf("without a Date header: %v", got)
	}
	for body, ok := range map[string]bool{
		`{"session_token":"a b","selected_model":"m"}`: false, `{"selected_model":"m"}`: false, `[]`: false, `x`: false,
		`{"session_token":"ab"}`: true,
	} {
		f := newFake(t)
		f.on(pathUser, answer(200, "", fmt.Sprintf(`{"copilot_plan":"free","endpoints":{"api":%q}}`, f.URL)))
		f.on("/models/session", answer(200, "", body))
		f.on(pathMessages, good)
		err := calls["Messages"].call(t.Context(), f.client(t), nil)
		if ok != (err == nil) || !ok && KindOf(err) != KindProtocol {
			t.Errorf("%s: got %v", body, err)
		}
	}
	// A failure that may pass is a failure, not the news that there are no sessions.
	for _, status := range []int{429, 500, 503} {
		f := newFake(t)
		f.on(pathUser, answer(200, "", fmt.Sprintf(`{"copilot_plan":"free","endpoints":{"api":%q}}`, f.URL)))
		f.on("/models/session", inTurn(answer(status, "", ""), answer(200, "", `{"session_token":"ab"}`)))
		f.on(pathMessages, good)
		c := f.client(t)
		if e, ok := errors.AsType[*Error](calls["Messages"].call(t.Context(), c, nil)); !ok || e.Status != status || e.Op != opSession {
			t.Errorf("%d: got %v", status, e)
		}
		if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
			t.Error(err)
		}
	}
}

// The token of a session that comes back in an answer is masked.
func TestNoErrorHoldsASessionToken(t *testing.T) {
	f := newFake(t)
	f.on(pathUser, answer(200, "", fmt.Sprintf(`{"copilot_plan":"free","endpoints":{"api":%q}}`, f.URL)))
	f.on("/models/session", answer(200, "", `{"session_token":"sess_secret"}`))
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		answer(500, "", "bad "+r.Header.Get("Copilot-Session-Token"))(w, r)
	})
	err := calls["Messages"].call(t.Context(), f.client(t), nil)
	if e, ok := errors.AsType[*Error](err); !ok || e.Message != "bad ***" || strings.Contains(string(e.Envelope), "sess_secret") {
		t.Errorf("got %v", err)
	}
}

// A session that was opened at an endpoint the account has left is not used at the new one, nor is a refused one again.
func TestSessionsGoWithTheirEndpoint(t *testing.T) {
	old, moved := newFake(t), newFake(t)
	for token, f := range map[string]*fake{"s_old": old, "s_new": moved} {
		f.on("/models/session", answer(200, "", `{"session_token":"`+token+`"}`))
	}
	old.on(pathMessages, answer(421, "", "Misdirected Request"))
	moved.on(pathMessages, good)
	old.on(pathUser, inTurn(
		answer(200, "", fmt.Sprintf(`{"copilot_plan":"free","endpoints":{"api":%q}}`, old.URL)),
		answer(200, "", fmt.Sprintf(`{"copilot_plan":"free","endpoints":{"api":%q}}`, moved.URL))))
	c := old.client(t)
	if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	if got := moved.got(pathMessages)[0].header.Get("Copilot-Session-Token"); got != "s_new" {
		t.Errorf("the new endpoint got %q", got)
	}
	moved.on(pathMessages, answer(403, "", "no"))
	if err := calls["Messages"].call(t.Context(), c, nil); err == nil {
		t.Error("no error")
	}
	moved.on(pathMessages, good)
	if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
		t.Error(err)
	}
	if n := len(moved.got("/models/session")); n < 2 {
		t.Errorf("a refused session was kept: opened %d", n)
	}
}
