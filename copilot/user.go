package copilot

import (
	"slices"
	"strings"
	"time"
)

// User is the account according to discovery. Unknown fields are zero.
type User struct {
	// Login is the GitHub login. Plan is a word such as "free", "individual", "individual_pro", "business" or
	// "enterprise", SKU the exact product.
	Login, Plan, SKU string
	Endpoint         string // the API base URL in use
	// Organizations are the logins of the organisations that provide the seat.
	Organizations []string
	// ChatEnabled reports whether the account may use chat; CanSignUp whether it may start a free plan.
	ChatEnabled, CanSignUp bool
	// TokenBilling reports whether usage is billed by token rather than by request.
	TokenBilling bool
	// TelemetryRestricted and Staff are flags of GitHub.
	TelemetryRestricted, Staff bool
	// Quotas are the allowances, sorted by ID.
	Quotas []Quota
	// QuotaReset is the time at which the quotas are renewed; zero if unknown.
	QuotaReset time.Time
}

// Quota is one allowance.
type Quota struct {
	// ID is "chat", "completions" or "premium_interactions".
	ID string
	// Entitlement is the allowance of a period, Remaining the rest of it, negative after overage. Both are in units of
	// the plan: requests, messages or AI credits.
	Entitlement, Remaining float64
	// Percent is the remaining percentage; negative after overage.
	Percent float64
	// Unlimited reports whether the figures are meaningless.
	Unlimited bool
	// HasQuota is the service's flag that this quota applies to the account; true for limited plans.
	HasQuota bool
	// Overage is the usage beyond the entitlement; OverageAllowed means that there may be more.
	Overage        float64
	OverageAllowed bool
	// Limited marks a quota of a free plan, which counts down until Reset and then stops.
	Limited bool
	// At is the time of the service's count, Reset that of the reset; zero if unknown.
	At, Reset time.Time
}

// Quota returns the allowance with an id such as "premium_interactions".
func (u User) Quota(id string) (Quota, bool) {
	for _, q := range u.Quotas {
		if q.ID == id {
			return q, true
		}
	}
	return Quota{}, false
}

// freePlan reports whether the account has a plan with limited quotas or a free product, such as that for students.
// Since June 2026 such accounts may not choose a model by id alone; this client opens a model session for them.
func (u User) freePlan() bool {
	return u.Plan == "free" || strings.HasPrefix(u.SKU, "free_") || u.SKU == "no_auth_limited_copilot" || slices.ContainsFunc(u.Quotas, func(q Quota) bool { return q.Limited })
}

// clone returns a User that shares nothing with u.
func (u User) clone() User {
	u.Organizations = slices.Clone(u.Organizations)
	u.Quotas = slices.Clone(u.Quotas)
	return u
}

// decodeUser decodes the answer of discovery. The endpoint is unchecked.
func decodeUser(o fields) User {
	u := User{
		Login: o.str("login"), Plan: o.str("copilot_plan"), SKU: o.str("access_type_sku"),
		Endpoint:      o.object("endpoints").str("api"),
		Organizations: o.strings("organization_login_list"),
		ChatEnabled:   o.flag("chat_enabled"), CanSignUp: o.flag("can_signup_for_limited"),
		TokenBilling: o.flag("token_based_billing"), TelemetryRestricted: o.flag("restricted_telemetry"),
		Staff: o.flag("is_staff"),
	}
	if u.Organizations == nil {
		for _, raw := range o.list("organization_list") {
			if login := object(raw).str("login"); login != "" {
				u.Organizations = append(u.Organizations, login)
			}
		}
	}
	for _, name := range []string{"quota_reset_date_utc", "quota_reset_date", "limited_user_reset_date"} {
		if u.QuotaReset = readTime(o.str(name)); !u.QuotaReset.IsZero() {
			break
		}
	}
	u.Quotas = append(decodeSnapshots(o.object("quota_snapshots"), u.QuotaReset), decodeLimited(o)...)
	slices.SortStableFunc(u.Quotas, func(a, b Quota) int { return strings.Compare(a.ID, b.ID) })
	// A free plan may report an allowance in both forms; the snapshot, which comes first, has more detail.
	for i := 1; i < len(u.Quotas); i++ {
		if u.Quotas[i].ID == u.Quotas[i-1].ID && u.Quotas[i].Limited {
			u.Quotas[i-1].Limited = true
		}
	}
	u.Quotas = slices.CompactFunc(u.Quotas, func(a, b Quota) bool { return a.ID == b.ID })
	return u
}

// decodeSnapshots decodes the allowances of paid plans.
func decodeSnapshots(all fields, reset time.Time) []Quota {
	var out []Quota
	for id := range all {
		q := all.object(id)
		if q == nil {
			continue
		}
		remaining, ok := q.number("quota_remaining") // exact, where "remaining" is rounded
		if !ok {
			remaining = q.float("remaining")
		}
		entitlement := q.float("entitlement")
		percent, ok := q.number("percent_remaining")
		if !ok && entitlement > 0 {
			percent = remaining / entitlement * 100
		}
		out = append(out, Quota{
			ID: id, Entitlement: entitlement, Remaining: remaining, Percent: percent,
			Unlimited: q.flag("unlimited") || entitlement < 0, HasQuota: q.flag("has_quota"),
			Overage: q.float("overage_count"), OverageAllowed: q.flag("overage_permitted"),
			At: readTime(q.str("timestamp_utc")), Reset: reset,
		})
	}
	return out
}

// decodeLimited decodes the allowances of free plans: the rest, and the sum per month.
func decodeLimited(o fields) []Quota {
	left, monthly := o.object("limited_user_quotas"), o.object("monthly_quotas")
	reset := readTime(o.str("limited_user_reset_date"))
	var out []Quota
	for id := range left {
		n, ok := left.number(id)
		if !ok {
			continue
		}
		q := Quota{ID: id, Remaining: n, Entitlement: monthly.float(id), HasQuota: true, Limited: true, Reset: reset}
		if q.Entitlement > 0 {
			q.Percent = n / q.Entitlement * 100
		}
		out = append(out, q)
	}
	return out
}

// readTime parses a date with or without a time of day, as UTC without a zone; zero if it is neither.
func readTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
