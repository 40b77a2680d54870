package copilot

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Snapshot is the state of an allowance in one header of an answer.
type Snapshot struct {
	// Name is "chat", "premium_models" or "premium_interactions" for a quota, "session" or "weekly" for a rate limit.
	Name string
	// RateLimit reports that the limit is on the rate of usage, not on its sum.
	RateLimit bool
	// Entitlement is the allowance of a period; meaningless if Unlimited.
	Entitlement float64
	Unlimited   bool
	// Percent is the remaining percentage; it may be negative.
	Percent float64
	// Overage is the usage beyond the entitlement; OverageAllowed means that there may be more.
	Overage        float64
	OverageAllowed bool
	// Reset is the time at which the quota resets; zero if unknown.
	Reset time.Time
}

// The headers with snapshots, by prefix. The value is a query string.
const (
	quotaPrefix = "X-Quota-Snapshot-"
	limitPrefix = "X-Usage-Ratelimit-"
)

// QuotaHeaders decodes the allowances in the header of an answer, sorted by name. It leaves out malformed headers.
func QuotaHeaders(h http.Header) []Snapshot {
	var out []Snapshot
	for name, values := range h {
		name = http.CanonicalHeaderKey(name)
		rest, limit := strings.CutPrefix(name, limitPrefix)
		if !limit {
			var quota bool
			if rest, quota = strings.CutPrefix(name, quotaPrefix); !quota {
				continue
			}
		}
		if len(values) == 0 || rest == "" {
			continue
		}
		if s, ok := readSnapshot(values[0]); ok {
			s.Name, s.RateLimit = strings.ToLower(rest), limit
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Snapshot) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// readSnapshot decodes one value: ent is the entitlement (-1: unlimited), rem the remaining percentage, ov the overage,
// ovPerm whether it is allowed, rst the date of the reset.
func readSnapshot(value string) (Snapshot, bool) {
	q, err := url.ParseQuery(value)
	if err != nil || !q.Has("ent") && !q.Has("rem") {
		return Snapshot{}, false
	}
	number := func(name string) (float64, bool) {
		n, err := strconv.ParseFloat(q.Get(name), 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return 0, false
		}
		return n, true
	}
	s := Snapshot{OverageAllowed: q.Get("ovPerm") == "true", Reset: readTime(strings.ReplaceAll(q.Get("rst"), " ", "+"))}
	var okEnt, okRem bool
	s.Entitlement, okEnt = number("ent")
	s.Percent, okRem = number("rem")
	s.Overage, _ = number("ov")
	if !okEnt && !okRem {
		return Snapshot{}, false
	}
	if s.Entitlement < 0 {
		s.Unlimited, s.Entitlement = true, 0
	}
	return s, true
}
