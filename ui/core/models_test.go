package core

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// How full the window is can be said also of a session that another program held, which says nothing of the window and
// spells the model its own way.
func TestContextOfAModelByItsSpelling(t *testing.T) {
	models := []session.Model{{ID: "claude-sonnet-4.6", ContextWindow: 200}, {ID: "gpt-1", ContextWindow: 100, Default: true}}
	for _, tc := range []struct {
		model  string
		told   session.ContextState
		window int64
	}{
		{"claude-sonnet-4.6", session.ContextState{Used: 5}, 200},
		{"claude-sonnet-4-6", session.ContextState{Used: 5}, 200},
		{"claude-sonnet-4-6-20250929", session.ContextState{Used: 5}, 200},
		{"claude-sonnet-4-5", session.ContextState{Used: 5}, 0},
		{"", session.ContextState{Used: 5}, 100},
		{"gpt-1", session.ContextState{Used: 5, Window: 50}, 50},
	} {
		told := &session.Transcript{}
		told.Context, told.Settings.Model = tc.told, tc.model
		if got := ContextOf(told, models); got.Used != 5 || got.Window != tc.window {
			t.Errorf("%s: %+v", tc.model, got)
		}
	}
}

func TestPricesInTheWordsOfThePlan(t *testing.T) {
	price := &session.Price{Input: 500, Output: 2500}
	for _, tt := range []struct {
		m                  session.Model
		byRequest, byToken string
	}{
		{session.Model{Free: true}, "included", "included"},
		{session.Model{Free: true, Price: &session.Price{UpTo: 1000}}, "included", "included"},
		{session.Model{Free: true, Price: price}, "included", "$5 / $25"},
		{session.Model{Multiplier: 1, Price: price}, "1 request", "$5 / $25"},
		{session.Model{Multiplier: 0.33}, "0.33 requests", ""},
		{session.Model{Multiplier: 3, Free: true}, "3 requests", "included"},
		{session.Model{Price: &session.Price{Input: 50, Output: 2}}, "$0.50 / $0.02", "$0.50 / $0.02"},
		{session.Model{Price: price, PriceCategory: "very_high"}, "$5 / $25", "$5 / $25"},
		{session.Model{PriceCategory: "low\x1b[2J"}, "low␛[2J", "low␛[2J"},
		{session.Model{}, "", ""},
	} {
		if got := ModelPrice(tt.m, false); got != tt.byRequest {
			t.Errorf("%+v by request: %q", tt.m, got)
		}
		if got := ModelPrice(tt.m, true); got != tt.byToken {
			t.Errorf("%+v by tokens: %q", tt.m, got)
		}
	}
}

func TestAPriceClassIsNoPrice(t *testing.T) {
	about := strings.Join(ModelAbout(session.Model{ID: "m", PriceCategory: "very_high", Category: "powerful"}, false), " ")
	if strings.Contains(about, "A prompt costs") || !strings.Contains(about, "price very high") {
		t.Errorf("it says %q", about)
	}
}

func TestTheUnitOfAQuotaTellsThePlan(t *testing.T) {
	priced := []session.Model{{}, {Price: &session.Price{Input: 1}}}
	for _, tt := range []struct {
		quotas []session.Quota
		models []session.Model
		want   bool
	}{
		{[]session.Quota{{Unit: "messages"}, {Unit: "credits"}}, nil, true},
		{[]session.Quota{{Unit: "requests"}}, priced, false},
		{[]session.Quota{{}}, priced, true},
		{nil, []session.Model{{Multiplier: 1}}, false},
	} {
		if got := ByTokens(tt.quotas, tt.models); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestWhatAModelCanDoInSentences(t *testing.T) {
	m := session.Model{ID: "m-1", Purpose: "older; where a team has pinned it", ContextWindow: 200_000, MaxPrompt: 128_000, MaxOutput: 32_000, Efforts: []string{"low", "high"}, Vision: true,
		Price:       &session.Price{Input: 500, Output: 2500, CacheRead: 50, CacheWrite: 625, UpTo: 200_000},
		LongContext: &session.Price{Input: 1000, Output: 3750}, Category: "powerful", PriceCategory: "very_high", Preview: true,
		Notes: []string{"30% off until May", ""}, Unusable: "switched off by policy", Multiplier: 3}
	want := []string{"m-1", "Older; where a team has pinned it.", "Cannot be used: switched off by policy.", "! 30% off until May", "Context window: 200k tokens. Longest prompt: 128k. Longest answer: 32k.",
		"Effort: low, high. Sees images.",
		"Per 1M tokens: $5 in, $25 out, $0.50 read from the cache, $6.25 written to it. A credit is $0.01.",
		"For prompts over 200k tokens: $10 in, $37.50 out.", "Category: powerful, price very high.", "A preview: it may change."}
	if got := ModelAbout(m, true); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	want = slices.Insert(want, 6, "A prompt costs 3 requests of the plan.")
	if got := ModelAbout(m, false); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	m = session.Model{ID: "a\x1b[2Jb", Free: true, MaxOutput: 4000, PriceCategory: "low"}
	want = []string{ModelAbout(m, false)[0], "Longest answer: 4k.", "Takes no effort. Does not see images.", "Included in the plan.", "Price category: low."}
	if got := ModelAbout(m, false); !slices.Equal(got, want) || got[0] == m.ID {
		t.Errorf("%q", got)
	}
}
