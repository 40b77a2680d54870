package apierror

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/session"
)

// Quotas parses the quota headers of the Copilot API (as of API version 2026-06-01), by name. The value is a query
// string: ent is the entitlement (-1 for none), rem the remaining percentage, ov the overage, ovPerm whether overage is
// permitted, rst the time of the reset.
func Quotas(h http.Header) []session.Quota {
	var out []session.Quota
	for name, values := range h {
		quota, ok := strings.CutPrefix(strings.ToLower(name), "x-quota-snapshot-")
		if !ok || len(values) == 0 {
			continue
		}
		v, err := url.ParseQuery(values[0])
		if err != nil {
			continue
		}
		q := session.Quota{Name: quota}
		ent, entErr := strconv.ParseFloat(v.Get("ent"), 64)
		rem, remErr := strconv.ParseFloat(v.Get("rem"), 64)
		if entErr != nil || remErr != nil {
			continue
		}
		q.Unlimited = ent < 0
		if !q.Unlimited {
			q.Entitlement, q.Percent, q.Remaining = ent, rem, ent*rem/100
		}
		q.Overage = strings.EqualFold(v.Get("ovPerm"), "true") || v.Get("ovPerm") == "1"
		q.ResetsAt = resetTime(v.Get("rst"))
		out = append(out, q)
	}
	slices.SortFunc(out, func(a, b session.Quota) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func resetTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
