package uitest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/spending"
	"parley/ui"
	"parley/ui/core"
)

// The first row shows what the newest answer reported as left, with its unit, and what the session cost; a new
// session takes the one with it and not the other.
func TestAllowanceInTheHeader(t *testing.T) {
	for _, size := range sizes {
		t.Run(size.name, func(t *testing.T) {
			quota := session.Quota{Name: "premium_interactions", Unit: "requests", Entitlement: 1500, Remaining: 1500, Percent: 100,
				ResetsAt: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}
			c := Config{Settings: opus, Width: size.w, Height: size.h, Options: func(o *ui.Options) {
				o.Catalog = quotas{func() []session.Quota { return []session.Quota{quota} }}
				o.Spent = spent
			}}
			Run(t, c, func(p *Program) {
				has := func(want ...string) {
					t.Helper()
					for _, w := range want {
						if !strings.Contains(p.Rows()[0], w) && (size.w >= 120 || size.w >= 80 && (len(want) == 1 || strings.Contains(w, "credits"))) {
							t.Errorf("no %q in %q", w, p.Rows()[0])
						}
					}
				}
				p.Type("hello")
				turn := p.Turn()
				has("1,500 requests left")
				quota.Remaining = 1499 // as the header of the answer says
				turn.Emit(session.LimitReported{Quota: session.Quota{Name: "premium_interactions", Entitlement: 9, Remaining: 7}})
				turn.Text("Well.")
				turn.Emit(session.CreditsReported{NanoAIU: 420e6})
				p.Settle()
				has("1,499 requests left", "0.42 credits")
				turn.Emit(session.CreditsReported{NanoAIU: 1e9})
				p.Settle()
				has("1.42 credits")
				turn.Emit(session.UsageReported{Usage: session.Usage{Input: 1200, CacheRead: 30000, Output: 800}})
				turn.End(session.TurnCompleted)
				p.Settle()
				p.Type("/usage")
				p.Golden("usage-" + size.name)
				p.Keys("esc")
				p.Type("/new")
				if !p.Has("1,499 requests left") || p.Has("credits") {
					t.Errorf("the first page:\n%s", p.Text())
				}
			})
		})
	}
}

// spent reports what sessions cost on the last days of 2026.
func spent(context.Context) (spending.Report, error) {
	days := []spending.Day{{Day: "2026-12-31", Model: "opus", NanoAIU: 12e9, Children: 3e9}}
	for i := range 20 {
		days = append(days, spending.Day{Day: fmt.Sprintf("2026-12-%02d", 4+i), Model: "haiku", NanoAIU: int64(i%7) * 2e9})
	}
	return spending.NewReport([]spending.Session{{Agent: "builtin", Dir: "/repos/x", Days: days}, {Agent: "claude", Dir: "/repos/y", Days: days[:1]}},
		time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)), nil
}

// quotas is a catalog that knows nothing but what is left of the plan.
type quotas struct{ newest func() []session.Quota }

func (quotas) Models(context.Context) ([]session.Model, error) { return nil, nil }

func (quotas) Account(context.Context) (session.Account, error) { return session.Account{}, nil }

func (q quotas) Quotas() []session.Quota { return q.newest() }

// TestUsageInANarrowWindow shows when the plan renews, in a second row where there is no room in the first.
func TestUsageInANarrowWindow(t *testing.T) {
	quota := session.Quota{Name: "premium_interactions", Unit: "requests", Entitlement: 1500, Remaining: 1380, Percent: 92,
		ResetsAt: time.Date(2027, 12, 1, 0, 0, 0, 0, time.UTC)}
	Run(t, Config{Width: 40, Height: 12, Options: func(o *ui.Options) {
		o.Catalog = quotas{func() []session.Quota { return []session.Quota{quota} }}
	}}, func(p *Program) {
		p.Type("/usage")
		p.Settle()
		if !p.Has("1 Dec") {
			t.Errorf("the day is cut off:\n%s", p.Text())
		}
	})
}

// /usage is open before the costs of all sessions are read, on the screen; in lines it is printed as a whole when they are.
func TestUsageOpensAtOnce(t *testing.T) {
	slow := func(o *core.Options) (release func()) {
		wait := make(chan struct{})
		o.Spent = func(ctx context.Context) (spending.Report, error) {
			select {
			case <-wait:
				return spent(ctx)
			case <-ctx.Done():
				return spending.Report{}, ctx.Err()
			}
		}
		return func() { close(wait) }
	}
	var release func()
	Run(t, Config{Options: func(o *ui.Options) { release = slow(&o.Options.Options) }}, func(p *Program) {
		p.Type("/usage")
		p.Settle()
		if !p.Has("esc back") || !p.Has("Reading their costs") {
			t.Errorf("it waits:\n%s", p.Text())
		}
		release()
		p.Settle()
		if !p.Has("By directory") || p.Has("Reading their costs") {
			t.Errorf("it is not filled in:\n%s", p.Text())
		}
	})
	RunLines(t, Config{Options: func(o *ui.Options) { release = slow(&o.Options.Options) }}, func(l *Lines) {
		l.News()
		l.Type("/usage")
		l.Settle()
		if said := l.News(); strings.Contains(said, "30 days") || strings.Contains(said, "Reading") {
			t.Errorf("half of it is printed:\n%s", said)
		}
		release()
		l.Settle()
		if said := l.News(); !strings.Contains(said, "Today: ") || !strings.Contains(said, "By directory") {
			t.Errorf("it is not printed:\n%s", said)
		}
	})
}
