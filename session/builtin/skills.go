package builtin

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/builtin/mapper"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
	"parley/session/permission"
)

// host is a loop as its tools know it.
type host struct{ l *loop }

// Perform makes a call of another tool in the name of a call.
func (h host) Perform(ctx context.Context, id session.CallID, name string, input json.RawMessage) tool.Outcome {
	var began time.Time
	return h.l.outcomeOf(ctx, mapper.Call{ID: id, Name: name, Input: input}, func(string) {}, &began)
}

// The answers to what asks for rules.
const (
	grantEach = "Ask me each time"
	grantTurn = "Allow for this turn"
)

// Grant asks the user to let rules hold until the turn ends. Where nobody answers, or nothing is asked anyway, they do not.
func (h host) Grant(ctx context.Context, id session.CallID, of string, rules []permission.Rule) {
	l := h.l
	if l.c.o.Unattended || l.c.current().Mode == session.ModeBypass {
		return
	}
	var texts []string
	for _, r := range rules {
		texts = append(texts, r.String())
	}
	q := session.Question{Text: "The " + of + " asks to use these without asking: " + strings.Join(texts, "; "), Header: "Permissions",
		Options: []session.QuestionOption{{Label: grantEach, Description: "its calls are asked about as usual"},
			{Label: grantTurn, Description: "these rules hold until the turn ends"}}}
	v := putToUser(ctx, l, session.Asked{Kind: session.AskQuestion, Call: id, Question: &session.QuestionAsk{Questions: []session.Question{q}}}, askedFor{})
	if v.Answer.Decision == session.Allow && slices.Equal(v.Answer.Choices[q.Text], []string{grantTurn}) {
		l.c.lent.add(rules)
	}
}

// lent is the model and the effort that a skill asked for, "" where it did not.
type lent struct{ model, effort string }

// UseModel lets the agent go on with a model and an effort until its turn ends. Of several skills the last one decides.
func (h host) UseModel(model, effort string) {
	next := lent{model, effort}
	if was := h.l.lent.Load(); was != nil {
		next = lent{cmp.Or(model, was.model), cmp.Or(effort, was.effort)}
	}
	h.l.lent.Store(&next)
}

// lentOver returns what a request uses in place of a model and an effort while a skill has asked for others. An effort that was
// meant for another model does not go along, and one that the model does not take is left out.
func (l *loop) lentOver(models []session.Model, model session.Model, effort string) (session.Model, string) {
	now := l.lent.Load()
	if now == nil {
		return model, effort
	}
	if now.model != "" && now.model != model.ID {
		model, effort = wire.ChooseModel(models, now.model), ""
	}
	if slices.Contains(model.Efforts, now.effort) {
		effort = now.effort
	}
	return model, effort
}

// loan is rules that hold until the turn ends. It is safe for concurrent use.
type loan struct {
	mu    sync.Mutex
	rules []permission.Rule
}

func (l *loan) add(rules []permission.Rule) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rules = append(slices.Clip(l.rules), rules...)
}

func (l *loan) now() []permission.Rule {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rules
}

func (l *loan) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rules = nil
}
