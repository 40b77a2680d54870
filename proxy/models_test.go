package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/copilot"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func listing(models ...copilot.Model) *fake {
	return &fake{onModels: func(context.Context) ([]copilot.Model, error) { return models, nil }}
}

func claude(id string) copilot.Model {
	return copilot.Model{ID: id, Name: "Name of " + id, Vendor: "Anthropic", Endpoints: []string{"/v1/messages", "/chat/completions"}}
}

func TestListModels(t *testing.T) {
	limited := claude("claude-opus-4.6")
	limited.Limits = copilot.Limits{Context: 1000000, Prompt: 936000, Output: 64000}
	noPrompt := claude("claude-haiku-4.5")
	noPrompt.Limits = copilot.Limits{Context: 200000}
	unnamed := claude("claude-sonnet-5")
	unnamed.Name, unnamed.Vendor = "", "anthropic"
	r := newRig(t, listing(
		limited, noPrompt, unnamed, claude("claude-opus-4.8-fast"), claude("claude-opus-4-6"), // the last is the first again
		copilot.Model{ID: "gpt-5", Vendor: "OpenAI", Endpoints: []string{"/v1/messages"}},
		copilot.Model{ID: "claude-opus-3", Vendor: "Anthropic", Endpoints: []string{"/chat/completions"}},
		copilot.Model{ID: "claude-hidden-9", Vendor: "Anthropic"},
	))
	got := r.do("GET", "/v1/models?beta=true", "")
	if got.status != 200 || got.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%+v", got)
	}
	var v any
	if err := json.Unmarshal([]byte(got.body), &v); err != nil {
		t.Fatal(err)
	}
	text, _ := json.MarshalIndent(v, "", "  ")
	golden(t, "models.json", append(text, '\n'))

	for path, want := range map[string]string{
		"claude-opus-4-6":           "claude-opus-4-6",
		"claude-opus-4.6":           "claude-opus-4-6",
		"claude-opus-4-6-20260101":  "claude-opus-4-6",
		"claude-opus-4-6%5B1m%5D":   "claude-opus-4-6",
		"claude-opus-4.8-fast":      "claude-opus-4.8-fast",
		"claude-opus-4-6?beta=true": "claude-opus-4-6",
		"claude-opus-3":             "",
		"gpt-5":                     "",
		"nothing":                   "",
	} {
		got := r.do("GET", "/v1/models/"+path, "")
		if want == "" {
			if errType, _ := envelopeOf(t, got.body); got.status != 404 || errType != "not_found_error" {
				t.Errorf("%s: %+v", path, got)
			}
			continue
		}
		var m struct {
			ID, Type  string
			CreatedAt time.Time `json:"created_at"`
		}
		if err := json.Unmarshal([]byte(got.body), &m); err != nil || got.status != 200 || m.ID != want || m.Type != "model" {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs:\n%s", path, got)
	}
}

func TestModelPages(t *testing.T) {
	r := newRig(t, listing(claude("claude-a-1"), claude("claude-b-1"), claude("claude-c-1"), claude("claude-d-1"), claude("claude-e-1")))
	tests := []struct {
		query string
		ids   string // by their letters
		more  bool
	}{
		{"", "abcde", false},
		{"limit=1000", "abcde", false},
		{"limit=5", "abcde", false},
		{"limit=2", "ab", true},
		{"limit=2&after_id=claude-b-1", "cd", true},
		{"limit=2&after_id=claude-d-1", "e", false},
		{"limit=2&after_id=claude-e-1", "", false},
		{"after_id=claude-c-1", "de", false},
		{"limit=2&before_id=claude-e-1", "cd", true},
		{"limit=2&before_id=claude-c-1", "ab", false},
		{"limit=2&before_id=claude-a-1", "", false},
		{"after_id=claude-a-1&before_id=claude-e-1", "bcd", false},
		{"after_id=claude-d-1&before_id=claude-b-1", "", false},
	}
	for _, test := range tests {
		got := r.do("GET", "/v1/models?"+test.query, "")
		var page struct {
			Data    []struct{ ID string }
			HasMore bool    `json:"has_more"`
			FirstID *string `json:"first_id"`
			LastID  *string `json:"last_id"`
		}
		if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.status != 200 {
			t.Fatalf("%s: %+v %v", test.query, got, err)
		}
		ids := ""
		for _, m := range page.Data {
			ids += strings.TrimSuffix(strings.TrimPrefix(m.ID, "claude-"), "-1")
		}
		if ids != test.ids || page.HasMore != test.more {
			t.Errorf("%s: %s, more %v", test.query, ids, page.HasMore)
		}
		if ids == "" {
			if page.FirstID != nil || page.LastID != nil || !strings.Contains(got.body, `"data":[]`) {
				t.Errorf("%s: %s", test.query, got.body)
			}
		} else if *page.FirstID != page.Data[0].ID || *page.LastID != page.Data[len(page.Data)-1].ID {
			t.Errorf("%s: %s", test.query, got.body)
		}
	}
	for _, query := range []string{"limit=0", "limit=-1", "limit=1001", "limit=x", "after_id=nothing", "before_id=nothing"} {
		if got := r.do("GET", "/v1/models?"+query, ""); got.status != 400 {
			t.Errorf("%s: %d", query, got.status)
		}
	}
}

func TestListModelsFails(t *testing.T) {
	f := listing()
	r := newRig(t, f)
	if got := r.do("GET", "/v1/models", ""); got.body != `{"data":[],"has_more":false,"first_id":null,"last_id":null}` {
		t.Errorf("an empty list: %s", got.body)
	}
	own := `{"type":"error","error":{"type":"authentication_error","message":"no"},"request_id":"q","more":1}`
	for _, test := range []struct {
		err    error
		status int
		body   string
	}{
		{&copilot.Error{Op: "list models", Kind: copilot.KindAuth, Status: 401, Envelope: []byte(own)}, 401, own},
		{&copilot.Error{Op: "list models", Kind: copilot.KindNetwork, Err: errors.New("no route")}, 502, ""},
		{errors.New("something"), 502, ""},
	} {
		f.onModels = func(context.Context) ([]copilot.Model, error) { return nil, test.err }
		for _, path := range []string{"/v1/models", "/v1/models/claude-a-1"} {
			got := r.do("GET", path, "")
			envelopeOf(t, got.body)
			if got.status != test.status || test.body != "" && got.body != test.body {
				t.Errorf("%s, %v: %+v", path, test.err, got)
			}
		}
	}
}
