package auth

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"parley/internal/cli/output"
	"parley/session"
)

// TestAccountIsInWords prints plans and allowances by their names, and figures in whole numbers.
func TestAccountIsInWords(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	requests := session.Quota{Name: "premium_interactions", Unit: "requests", Entitlement: 1500, Remaining: 1479.6666666666667, Percent: 98.6}
	overdrawn := requests
	overdrawn.Remaining, overdrawn.Percent, overdrawn.Overage = -3.2, -0.2, true
	for name, tc := range map[string]struct {
		acc  session.Account
		want []string
	}{
		"requests":  {session.Account{Plan: "individual_pro", Quotas: []session.Quota{requests}}, []string{"Plan: Copilot Pro+\n", "Premium requests: 1,479 of 1,500 requests left (98 %)\n"}},
		"credits":   {session.Account{Plan: "business", Quotas: []session.Quota{{Name: "premium_interactions", Unit: "credits", Entitlement: 10, Remaining: 10, Percent: 100}}}, []string{"Plan: Copilot Business\n", "Credits: 10 of 10 credits left (100 %)\n"}},
		"unlimited": {session.Account{Quotas: []session.Quota{{Name: "chat", Unlimited: true}}}, []string{"Plan: unknown\n", "Chat: unlimited\n"}},
		"new words": {session.Account{Plan: "max_plus", Quotas: []session.Quota{{Name: "video_minutes", Entitlement: 5, Remaining: 1, Percent: 20}}}, []string{"Plan: max plus\n", "video minutes: 1 of 5 left (20 %)\n"}},
		"overdrawn": {session.Account{Quotas: []session.Quota{overdrawn}}, []string{"-4 of 1,500 requests left (-1 %), more is allowed\n"}},
	} {
		if len(tc.acc.Quotas) == 1 { // what never ends is left out beside what does
			tc.acc.Quotas = append(tc.acc.Quotas, session.Quota{Name: "completions", Unlimited: true})
		}
		var out bytes.Buffer
		if err := printAccount(output.Results(&out, nil), tc.acc, now); err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, out.String())
			}
		}
		if noise := strings.Contains(out.String(), "Completions"); noise != (name == "unlimited") {
			t.Errorf("%s: completions are listed: %v", name, noise)
		}
	}
}
