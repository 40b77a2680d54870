package mapper

import (
	"maps"
	"slices"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// usage holds the figures of the session.
type usage struct {
	rec       *record.Recorder
	elsewhere bool                     // another meter counts credits and quotas
	quotas    map[string]session.Quota // as reported last
	fill      session.ContextReported  // as reported last, without a head
}

// context reports how full the context window is, if it changed. With a size of 0 the window is unchanged.
func (u *usage) context(used, size int64, at time.Time) {
	e := session.ContextReported{Used: used, Window: size}
	if used <= 0 || e == u.fill {
		return
	}
	u.fill = e
	e.Head = u.rec.At(at)
	u.rec.Emit(e)
}

// used reports what a request to the model used.
func (m *Mapper) used(e protocol.Event, at time.Time) {
	d := decode[usageData](e)
	child := m.children.speaker(e, d.ParentCall, at)
	h := m.rec.In(child, at)
	u := session.Usage{Input: int64(max(0, d.Input-d.CacheRead-d.CacheWrite)), Output: int64(d.Output),
		CacheRead: int64(d.CacheRead), CacheWrite: int64(d.CacheWrite)}
	if u != (session.Usage{}) {
		m.rec.Emit(session.UsageReported{Head: h, Usage: u, Model: m.names(d.Model)})
	}
	if child == "" {
		m.turn.refused = d.Filtered || d.Finish == "content_filter" || d.Finish == "refusal"
	}
	if m.usage.elsewhere || d.ByKey {
		return
	}
	if d.Copilot.NanoAIU > 0 {
		m.rec.Emit(session.CreditsReported{Head: h, NanoAIU: int64(d.Copilot.NanoAIU)})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Quotas)) {
		q := quotaOf(name, d.Quotas[name])
		if m.usage.quotas[name] != q {
			m.usage.quotas[name] = q
			m.rec.Emit(session.LimitReported{Head: m.rec.At(at), Quota: q})
		}
	}
}

// quotaOf returns the state of an allowance.
func quotaOf(name string, d quotaData) session.Quota {
	q := session.Quota{Name: name, Unlimited: d.Unlimited, Percent: d.Percent, Overage: d.Overage, ResetsAt: d.Reset.UTC()}
	if d.Reset.IsZero() {
		q.ResetsAt = time.Time{}
	}
	if !d.Unlimited && d.Entitlement > 0 {
		q.Entitlement, q.Remaining = d.Entitlement, d.Entitlement-d.Used
		q.Unit = "requests"
		if d.Tokens {
			q.Unit = "credits"
		}
	}
	return q
}
