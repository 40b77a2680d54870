package copilot

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// choices is a list like the service's.
func choices() []Model {
	m := func(id, category string, price float64, endpoints ...string) Model {
		return Model{ID: id, Type: "chat", Picker: true, PickerCategory: category, Endpoints: endpoints,
			Supports: Supports{ToolCalls: true}, Policy: Policy{State: "enabled"}, Price: &Price{Input: price}}
	}
	disabled := m("claude-opus-4.7", "powerful", 500, EndpointMessages)
	disabled.Policy.State = "disabled"
	hidden := m("claude-sonnet-9", "versatile", 1, EndpointMessages)
	hidden.Picker = false
	preview := m("claude-sonnet-8", "versatile", 1, EndpointMessages)
	preview.Preview = true
	embed := m("text-embedding-3-small", "", 1)
	embed.Type = "embeddings"
	noTools := m("claude-chat-9", "versatile", 1, EndpointMessages)
	noTools.Supports.ToolCalls = false
	return []Model{
		m("claude-opus-4.8", "powerful", 500, EndpointMessages), disabled,
		m("claude-opus-4.6", "powerful", 500, EndpointMessages), m("claude-sonnet-5", "versatile", 200, EndpointMessages),
		m("claude-sonnet-4.6", "versatile", 300, EndpointMessages), m("claude-haiku-4.5", "lightweight", 100, EndpointMessages),
		m("gpt-5.4", "versatile", 250, "/responses"), m("gpt-5-mini", "lightweight", 25, "/responses"),
		m("gemini-3-pro", "powerful", 200, "/chat/completions"), m("auto", "versatile", 0, EndpointMessages),
		preview, hidden, embed, noTools,
	}
}

func ids(list []Model) (out []string) {
	for _, m := range list {
		out = append(out, m.ID)
	}
	return out
}

func TestDefaultModel(t *testing.T) {
	pick := func(list []Model) string {
		t.Helper()
		want, ok := DefaultModel(list)
		for range 20 { // the order of the list does not count
			rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if got, still := DefaultModel(list); got.ID != want.ID || still != ok {
				t.Fatalf("got %s and %s", got.ID, want.ID)
			}
		}
		return want.ID
	}
	without := func(ids ...string) []Model {
		return slices.DeleteFunc(choices(), func(m Model) bool { return slices.Contains(ids, m.ID) })
	}
	if got := pick(choices()); got != "claude-sonnet-5" {
		t.Errorf("got %s", got)
	}
	if got := pick(without("claude-sonnet-5")); got != "claude-sonnet-4.6" {
		t.Errorf("got %s", got)
	}
	marked := choices()
	for i := range marked {
		marked[i].Default = slices.Contains([]string{"claude-opus-4.6", "claude-opus-4.7", "gpt-5.4"}, marked[i].ID)
	}
	if got := pick(marked); got != "claude-opus-4.6" {
		t.Errorf("the service's default: got %s", got)
	}
	if got := pick(slices.DeleteFunc(choices(), func(m Model) bool { return m.Serves(EndpointMessages) })); got != "gpt-5.4" {
		t.Errorf("without the Messages API: got %s", got)
	}
	for _, none := range [][]Model{nil, {{ID: "auto", Supports: Supports{ToolCalls: true}}}, {{ID: "x"}}} {
		if m, ok := DefaultModel(none); ok {
			t.Errorf("got %s", m.ID)
		}
	}
	if m, ok := DefaultModel([]Model{{ID: "bare", Supports: Supports{ToolCalls: true}}}); !ok || m.ID != "bare" {
		t.Errorf("the only one: got %v", m.ID)
	}
}

func TestNearestModels(t *testing.T) {
	for id, want := range map[string][]string{
		"claude-opus-4.7":          {"claude-opus-4.8", "claude-opus-4.6", "claude-sonnet-4.6"},
		"claude-opus-4-5-20251101": {"claude-opus-4.6", "claude-opus-4.8", "claude-haiku-4.5"},
		"claude-sonnet-4.5":        {"claude-sonnet-4.6", "claude-sonnet-5", "claude-sonnet-8"},
		"Claude-Opus-4-8[1m]":      {"claude-opus-4.8", "claude-opus-4.6", "claude-sonnet-4.6"},
		"gpt-4.1":                  {"gpt-5.4", "gpt-5-mini", "claude-sonnet-5"},
		"gpt-5.4":                  {"gpt-5-mini", "claude-sonnet-5", "claude-sonnet-4.6"},
		"something-else":           {"claude-sonnet-5", "claude-sonnet-4.6", "claude-sonnet-8"},
		"":                         {"claude-sonnet-5", "claude-sonnet-4.6", "claude-sonnet-8"},
	} {
		list := choices()
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := ids(nearestModels(list, id)); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", id, got, want)
		}
	}
	if got := nearestModels(nil, "x"); got != nil {
		t.Errorf("got %v", got)
	}
}

// Where the service refuses a model, the error says which ones are near, if the list is at hand; it is not fetched.
func TestRefusedModelNamesTheNearest(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, answer(200, "", `{"data":[{"id":"claude-opus-4.8","supported_endpoints":["/v1/messages"],
		"capabilities":{"supports":{"tool_calls":true}}}]}`))
	f.on(pathMessages, answer(400, "", `{"error":{"message":"The requested model is not supported.","code":"model_not_supported"}}`))
	c := f.client(t)
	refusal := func() *ModelError {
		t.Helper()
		me, ok := errors.AsType[*ModelError](calls["Messages"].call(t.Context(), c, nil))
		if !ok || me.ID != "claude-opus-4.6" {
			t.Fatalf("got %v", me)
		}
		return me
	}
	if me := refusal(); me.Nearest != nil || len(f.got(pathModels)) != 0 {
		t.Errorf("got %v", me)
	}
	if _, err := c.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if me := refusal(); !slices.Equal(ids(me.Nearest), []string{"claude-opus-4.8"}) {
		t.Errorf("got %v", me)
	}
	f.on(pathMessages, answer(400, "", `{"error":{"message":"m","code":"unsupported_api_for_model"}}`))
	if me, ok := errors.AsType[*ModelError](calls["Messages"].call(t.Context(), c, nil)); ok {
		t.Errorf("the wrong endpoint is not a missing model: %v", me)
	}
}

func FuzzNearestModels(f *testing.F) {
	f.Add("claude-opus-4.6")
	f.Add("[1m]")
	f.Add("9999999999999999999-\xff")
	f.Fuzz(func(t *testing.T, id string) {
		got := nearestModels(choices(), id)
		if len(got) != maxNearest {
			t.Fatalf("%q: got %v", id, ids(got))
		}
		for _, m := range got {
			if m.ID == id || !m.choosable() {
				t.Errorf("%q: got %s", id, m.ID)
			}
		}
	})
}
