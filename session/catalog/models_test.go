package catalog

import (
	"strings"
	"testing"
	"time"

	"parley/copilot"
	"parley/session"
)

// A model of another protocol that lists efforts decides by itself how much it thinks.
func TestAdaptiveModels(t *testing.T) {
	efforts := copilot.Supports{Efforts: []string{"low", "high"}}
	for _, tt := range []struct {
		name string
		m    copilot.Model
		want bool
	}{
		{"says so", copilot.Model{Supports: copilot.Supports{AdaptiveThinking: true}}, true},
		{"translated, with efforts", copilot.Model{Endpoints: []string{copilot.EndpointResponses}, Supports: efforts}, true},
		{"translated, without", copilot.Model{Endpoints: []string{copilot.EndpointChat}}, false},
		{"of the Messages API", copilot.Model{Endpoints: []string{copilot.EndpointMessages}, Supports: efforts}, false},
		{"of no known endpoint", copilot.Model{Supports: efforts}, false},
	} {
		if got := sessionModel(tt.m).AdaptiveThinking; got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// An error of the client names the operation once, and a misrouted account is not a missing permission.
func TestErrors(t *testing.T) {
	e := Error(&copilot.Error{Op: "list models", Kind: copilot.KindMisrouted, Status: 421})
	if n := strings.Count(e.Error(), "list models"); n != 1 {
		t.Errorf("%d times: %v", n, e)
	}
	if p := session.ProblemOf(e, time.Time{}); p.Kind != session.KindInvalid || strings.Contains(p.Next, "policy") {
		t.Errorf("%+v", p)
	}
	for kind := range kinds {
		if Error(&copilot.Error{Kind: kind}).(*session.Error).Kind == "" {
			t.Errorf("%s has no counterpart", kind)
		}
	}
}

func TestAFreeModelIsFree(t *testing.T) {
	if m := sessionModel(copilot.Model{Free: true}); !m.Free || sessionModel(copilot.Model{}).Free {
		t.Errorf("%+v", m)
	}
}
