package uitest

import (
	"context"
	"fmt"
	"testing"

	"parley/session"
	"parley/ui"
)

// TestPickersOnSmallScreens shows the pickers of models and sessions where there is little room.
func TestPickersOnSmallScreens(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12, Settings: opus, Options: func(o *ui.Options) { o.Catalog = catalog{} }}, func(p *Program) {
		p.Type("/model")
		p.Golden("models-40x12")
		p.Keys("esc")
		p.Type("/effort")
		p.Golden("efforts-40x12")
		p.Keys("esc")
		p.Keys("ctrl+k")
		p.Golden("palette-small")
	})
}

// TestDescriptionsInANarrowWindow shows what the modes mean where it does not fit beside their names.
func TestDescriptionsInANarrowWindow(t *testing.T) {
	for _, width := range []int{40, 50} {
		Run(t, Config{Width: width, Height: 12}, func(p *Program) {
			p.Type("/mode")
			p.Golden(fmt.Sprintf("modes-%dx12", width))
		})
	}
}

// billedByRequest is a login whose plan bills by request.
type billedByRequest struct{}

func (billedByRequest) Models(context.Context) ([]session.Model, error) {
	return []session.Model{{ID: "claude-opus-4.8", Name: "Claude Opus 4.8", Vendor: "Anthropic", Multiplier: 3}, {ID: "gpt-5-mini", Name: "GPT-5 mini", Vendor: "OpenAI", Free: true}}, nil
}

func (billedByRequest) Account(context.Context) (session.Account, error) {
	return session.Account{Login: "ada", Quotas: []session.Quota{{Name: "premium_interactions", Unit: "requests", Entitlement: 300, Remaining: 200}}}, nil
}

// TestPricesByRequest shows prices in the words of a plan that bills by request.
func TestPricesByRequest(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.Catalog = billedByRequest{} }}, func(p *Program) {
		p.Type("/model")
		p.Golden("models-by-request")
		if !p.Has("3 requests") || !p.Has("included") || p.Has("credits") {
			t.Errorf("the prices are:\n%s", p.Text())
		}
	})
}

// TestResumeOnASmallScreen shows the picker of sessions where there is room for the list alone.
func TestResumeOnASmallScreen(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12, World: library()}, func(p *Program) {
		p.Type("/resume")
		p.Settle()
		p.Golden("resume-40x12")
		p.Send("テスト")
		p.Settle()
		p.Golden("resume-cjk-40x12")
	})
}
