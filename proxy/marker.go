package proxy

import (
	"errors"

	"parley/copilot"
	"parley/internal/errmark"
)

// detailOf returns the details of an error that its message lacks.
func detailOf(err error) errmark.Detail {
	var e *copilot.Error
	if !errors.As(err, &e) {
		return errmark.Detail{Kind: "unknown"}
	}
	d := errmark.Detail{Kind: string(e.Kind), Status: e.Status, Code: e.Code, RequestID: e.RequestID, RetryAfter: e.RetryAfter}
	for _, q := range copilot.QuotaHeaders(e.Header) {
		spent := !q.Unlimited && q.Percent <= 0
		if spent && q.RateLimit == (e.Kind == copilot.KindRateLimit) && q.Reset.After(d.Reset) {
			d.Reset = q.Reset
		}
	}
	return d
}
