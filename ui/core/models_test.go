package core

import (
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
