package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parley/copilot"
	"parley/session"
)

// catalog tells the session's side of the house what the Copilot client knows. It is safe for concurrent use.
type catalog struct {
	client *copilot.Client
	seen   *allowance // is told of the account; may be nil
}

// Models lists the chat models of the login, the service's default first.
func (c catalog) Models(ctx context.Context) ([]session.Model, error) {
	list, err := c.client.Models(ctx)
	if err != nil {
		return nil, domainError(err)
	}
	return sessionModels(list), nil
}

// Account says who is signed in.
func (c catalog) Account(ctx context.Context) (session.Account, error) {
	u, err := c.client.User(ctx)
	if err != nil {
		return session.Account{}, domainError(err)
	}
	cred := c.client.Credential()
	acc := session.Account{Login: u.Login, Plan: u.Plan, Source: cred.Source, Host: cred.Host}
	for _, q := range u.Quotas {
		acc.Quotas = append(acc.Quotas, session.Quota{
			Name: q.ID, Unit: quotaUnit(q.ID, u.TokenBilling), Entitlement: q.Entitlement, Remaining: q.Remaining, Percent: q.Percent,
			Unlimited: q.Unlimited, Overage: q.OverageAllowed, ResetsAt: q.Reset,
		})
	}
	if c.seen != nil {
		c.seen.account(acc)
	}
	return acc, nil
}

// sessionModels keeps the models a person may pick, the default first and the others in the service's order.
func sessionModels(list []copilot.Model) []session.Model {
	var out []session.Model
	def, _ := copilot.DefaultModel(list)
	for _, m := range list {
		m.Default = m.ID == def.ID
		if m.Picker && m.Type != "embeddings" && m.ID != "auto" {
			out = append(out, sessionModel(m))
		}
	}
	slices.SortStableFunc(out, func(x, y session.Model) int {
		switch {
		case x.Default == y.Default:
			return 0
		case x.Default:
			return -1
		default:
			return 1
		}
	})
	return out
}

// reachable reports whether the proxy can bring a request of an agent, which speaks the Messages API, to a model: as it
// is, or translated. Where the service does not say what a model speaks, the attempt will tell.
func reachable(m copilot.Model) bool {
	switch {
	case len(m.Endpoints) == 0, m.Serves(copilot.EndpointMessages):
		return true
	case strings.EqualFold(m.Vendor, "anthropic"):
		return false
	}
	return m.Serves(copilot.EndpointResponses) || m.Serves(copilot.EndpointChat)
}

func sessionModel(m copilot.Model) session.Model {
	out := session.Model{
		ID: m.ID, Name: m.Name, Vendor: m.Vendor, Category: m.PickerCategory, Default: m.Default, Preview: m.Preview,
		ContextWindow: int64(m.Limits.Context), MaxPrompt: int64(m.Limits.Prompt), MaxOutput: int64(m.Limits.Output),
		Efforts: m.Supports.Efforts, AdaptiveThinking: adaptive(m),
		MinThinking: int64(m.Supports.MinThinkingBudget), MaxThinking: int64(m.Supports.MaxThinkingBudget),
		Vision: m.Supports.Vision, Unusable: unusable(m),
	}
	if out.Name == "" {
		out.Name = m.ID
	}
	out.Price, out.LongContext = sessionPrice(m.Price), sessionPrice(m.LongContext)
	out.PriceCategory, out.Multiplier = m.PriceCategory, m.Multiplier
	for _, n := range slices.Concat(m.Warnings, m.Infos) {
		out.Notes = append(out.Notes, n.Message)
	}
	if m.Promo != nil && m.Promo.Message != "" {
		out.Notes = append(out.Notes, m.Promo.Message)
	}
	return out
}

// adaptive reports whether the model decides by itself how much it thinks. Models of other protocols take an effort and
// never a budget, and the service does not call that adaptive.
func adaptive(m copilot.Model) bool {
	return m.Supports.AdaptiveThinking ||
		len(m.Supports.Efforts) > 0 && len(m.Endpoints) > 0 && !m.Serves(copilot.EndpointMessages)
}

func sessionPrice(p *copilot.Price) *session.Price {
	if p == nil {
		return nil
	}
	return &session.Price{Input: p.Input, Output: p.Output, CacheRead: p.CacheRead, CacheWrite: p.CacheWrite, UpTo: int64(p.Context)}
}

// unusable says why an agent of this version cannot work with the model, "" if it can.
func unusable(m copilot.Model) string {
	switch {
	case m.Policy.State == "disabled":
		return "switched off by policy; it can be enabled in the Copilot settings on GitHub"
	case !reachable(m):
		return "speaks a protocol that parley does not know"
	case !m.Supports.ToolCalls:
		return "cannot call tools"
	default:
		return ""
	}
}

// domainError turns an error of the Copilot client into one of the session's, keeping the chain.
func domainError(err error) error {
	e, ok := errors.AsType[*copilot.Error](err)
	if !ok {
		return err
	}
	kind, known := domainKinds[e.Kind]
	if !known {
		kind = session.KindServer
	}
	return &session.Error{Op: "ask Copilot", Kind: kind, Err: err, RetryAfter: e.RetryAfter, Status: e.Status}
}

var domainKinds = map[copilot.Kind]session.Kind{
	copilot.KindAuth:       session.KindAuth,
	copilot.KindForbidden:  session.KindForbidden,
	copilot.KindQuota:      session.KindQuota,
	copilot.KindRateLimit:  session.KindRateLimit,
	copilot.KindOverloaded: session.KindOverloaded,
	copilot.KindServer:     session.KindServer,
	copilot.KindNetwork:    session.KindNetwork,
	copilot.KindStalled:    session.KindStalled,
	copilot.KindBadRequest: session.KindBadRequest,
	copilot.KindTooLong:    session.KindTooLong,
	copilot.KindModel:      session.KindModel,
	copilot.KindMisrouted:  session.KindInvalid, // it is the configured host that has to change
	copilot.KindCancelled:  session.KindCancelled,
	copilot.KindProtocol:   session.KindServer,
}
