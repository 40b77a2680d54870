package models

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
)

func TestAPriceClassIsNoPrice(t *testing.T) {
	texts, _ := about(session.Model{ID: "m", PriceCategory: "very_high", Category: "powerful"}, false)
	all := strings.Join(texts, " ")
	if strings.Contains(all, "A prompt costs") || !strings.Contains(all, "price very high") {
		t.Errorf("it says %q", all)
	}
}

func TestWhatAModelCanDoInSentences(t *testing.T) {
	m := session.Model{ID: "m-1", Purpose: "older; where a team has pinned it", ContextWindow: 200_000, MaxPrompt: 128_000, MaxOutput: 32_000, Efforts: []string{"low", "high"}, Vision: true,
		Price:       &session.Price{Input: 500, Output: 2500, CacheRead: 50, CacheWrite: 625, UpTo: 200_000},
		LongContext: &session.Price{Input: 1000, Output: 3750}, Category: "powerful", PriceCategory: "very_high", Preview: true,
		Notes: []string{"30% off until May", ""}, Unusable: "switched off by policy", Multiplier: 3}
	want := []string{"m-1", "Older; where a team has pinned it.", "Cannot be used: switched off by policy.", "! 30% off until May", "Context window: 200k tokens. Longest prompt: 128k. Longest answer: 32k.",
		"Effort: low, high. Sees images.", "Per 1M tokens: $5 in, $25 out.", "Cached tokens, per 1M: $0.50 read, $6.25 written.",
		"For prompts over 200k tokens: $10 in, $37.50 out.", "A credit is $0.01.", "Category: powerful, price very high.", "A preview: it may change."}
	got, repeats := about(m, true)
	if !slices.Equal(got, want) || len(repeats) != len(got) || repeats[1] != columnPurpose || repeats[6] != columnTokens {
		t.Errorf("%q repeats %d", got, repeats)
	}
	want = slices.Insert(want, 6, "A prompt costs 3 requests of the plan.")
	if got, repeats := about(m, false); !slices.Equal(got, want) || repeats[6] != columnPrompt {
		t.Errorf("%q repeats %d", got, repeats)
	}
	m = session.Model{ID: "a\x1b[2Jb", Free: true, MaxOutput: 4000, PriceCategory: "low"}
	for _, byTokens := range []bool{true, false} {
		got, _ := about(m, byTokens)
		want = []string{got[0], "Longest answer: 4k.", "Takes no effort. Does not see images.", "Included in the plan.", "Price category: low."}
		if !slices.Equal(got, want) || got[0] == m.ID {
			t.Errorf("%q", got)
		}
	}
}

// The cloud of another company on which models run is not who made them.
func TestVendorsByTheirOwnName(t *testing.T) {
	for vendor, want := range map[string]string{"Azure OpenAI": "OpenAI", "OpenAI": "OpenAI", "Anthropic": "Anthropic", "": ""} {
		if got := vendorTitle(vendor); got != want {
			t.Errorf("%q is called %q", vendor, got)
		}
	}
}
