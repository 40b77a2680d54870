package copilot

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/guard"
	"parley/session/form"
)

// The texts that the model reads of what was not answered.
const (
	planKept   = "The user does not approve the plan yet. Do not begin with it; ask what should be different."
	planEdited = "The user approved the plan with changes. Only their version counts:\n\n"
	userSays   = "The user says: "
)

// userInput puts a question of the model to the user. It answers in any case: the model reads nothing of an error.
func (b *asks) userInput(ctx context.Context, q dispatch.UserInputCall) (dispatch.UserInputAnswer, error) {
	question := session.Question{Text: q.Question, Free: q.Freeform == nil || *q.Freeform || len(q.Choices) == 0}
	for _, choice := range q.Choices {
		question.Options = append(question.Options, session.QuestionOption{Label: choice})
	}
	v, asked := b.put(ctx, q.Origin, session.Asked{Kind: session.AskQuestion, Call: b.callOf(q.Call, "ask_user", q.Agent),
		Question: &session.QuestionAsk{Questions: []session.Question{question}}}, guard.Call{})
	if !asked || v.How == session.SettledCancelled {
		return dispatch.UserInputAnswer{Answer: refusedByAbort, Freeform: true}, nil
	}
	chosen := v.Answer.Choices[q.Question]
	text, note := strings.TrimSpace(strings.Join(chosen, ", ")), strings.TrimSpace(v.Answer.Notes[q.Question])
	switch {
	case v.Answer.Decision != session.Allow || text == "" && note == "":
		return dispatch.UserInputAnswer{Answer: cmp.Or(strings.TrimSpace(v.Answer.Message), session.Unanswered), Freeform: true}, nil
	case note == "" && len(chosen) == 1 && slices.Contains(q.Choices, chosen[0]):
		return dispatch.UserInputAnswer{Answer: chosen[0]}, nil
	case note != "":
		text = strings.TrimSpace(text + "\n" + note)
	}
	return dispatch.UserInputAnswer{Answer: text, Freeform: true}, nil
}

// callOf returns the call that asks something: the named one, else the oldest running call of the tool by the agent.
func (b *asks) callOf(named, tool, agent string) session.CallID {
	if named != "" {
		return session.CallID(named)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var found *runningCall
	for _, r := range b.calls {
		if r.name == tool && r.Agent == agent && (found == nil || r.order < found.order) {
			found = r
		}
	}
	if found == nil {
		return ""
	}
	return found.ID
}

// elicitation puts a form or a page of an MCP server to the user. Only a user declines one; without a user it is cancelled.
func (b *asks) elicitation(ctx context.Context, q dispatch.ElicitationCall) dispatch.ElicitationAnswer {
	ask := &session.ElicitationAsk{Server: q.Source, Message: q.Message, Schema: slices.Clone(q.Schema)}
	if q.Mode == "url" {
		ask.URL, ask.Schema = q.URL, nil
	}
	v, asked := b.put(ctx, q.Origin, session.Asked{Kind: session.AskElicitation, Call: session.CallID(q.Call), Elicitation: ask}, guard.Call{})
	switch a := v.Answer; {
	case !asked, v.How != session.SettledAnswered, a.Decision == session.Cancel:
		return dispatch.ElicitationAnswer{Action: "cancel"}
	case a.Decision != session.Allow:
		return dispatch.ElicitationAnswer{Action: "decline"}
	case ask.URL != "":
		return dispatch.ElicitationAnswer{Action: "accept"}
	}
	content, err := json.Marshal(form.Content(ask.Schema, v.Answer.Choices))
	if err != nil {
		return dispatch.ElicitationAnswer{Action: "cancel"}
	}
	return dispatch.ElicitationAnswer{Action: "accept", Content: content}
}

// planTool is the tool with which the model proposes a plan.
const planTool = "exit_plan_mode"

// exitPlan puts a plan to the user. The runtime passes no words of an approval on to the model; they are added to the result of
// the call by the hook after it, as is a plan that the user changed.
func (b *asks) exitPlan(ctx context.Context, q dispatch.ExitPlanCall) dispatch.ExitPlanAnswer {
	plan := q.Plan
	if strings.TrimSpace(plan) == "" {
		plan = q.Summary
	}
	call := b.callOf("", planTool, q.Agent)
	v, asked := b.put(ctx, q.Origin, session.Asked{Kind: session.AskPlan, Call: call, Plan: &session.PlanAsk{Plan: plan}}, guard.Call{})
	switch a := v.Answer; {
	case !asked || v.How == session.SettledCancelled:
		return dispatch.ExitPlanAnswer{Feedback: refusedByAbort}
	case a.Decision != session.Allow:
		return dispatch.ExitPlanAnswer{Feedback: cmp.Or(strings.TrimSpace(a.Message), planKept)}
	}
	var notes []string
	if m := strings.TrimSpace(v.Answer.Message); m != "" {
		notes = append(notes, userSays+m)
	}
	if edited := strings.TrimSpace(v.Answer.Plan); edited != "" && edited != strings.TrimSpace(plan) {
		notes = append(notes, planEdited+edited)
		_ = b.o.SetPlan(ctx, v.Answer.Plan) // the model reads it in any case
	}
	b.allow(call, nil, strings.Join(notes, "\n\n"))
	b.o.SetMode(cmp.Or(v.Answer.Mode, session.ModeDefault))
	return dispatch.ExitPlanAnswer{Approved: true, Action: planAction(q.Actions)}
}

// planAction returns what the runtime does after an approved plan: it begins with the work, and parley goes on judging every
// call. The runtime's autopilot is never chosen.
func planAction(actions []string) string {
	if len(actions) == 0 || slices.Contains(actions, "interactive") {
		return "interactive"
	}
	return "exit_only"
}

// The answers to the offer of another model.
const (
	switchOnce   = "Yes, for this prompt"
	switchAlways = "Yes, always when a limit is reached"
	switchNever  = "No, stop here"
)

// autoMode asks whether the runtime may choose another model after a rate limit.
func (b *asks) autoMode(ctx context.Context, q dispatch.AutoModeCall) string {
	const text = "The rate limit of this model is reached. Let Copilot go on with another model?"
	options := []session.QuestionOption{{Label: switchOnce}, {Label: switchAlways}, {Label: switchNever}}
	v, asked := b.put(ctx, q.Origin, session.Asked{Kind: session.AskQuestion, Question: &session.QuestionAsk{
		Questions: []session.Question{{Text: text, Header: "Rate limit", Options: options}}}}, guard.Call{})
	if !asked || v.Answer.Decision != session.Allow {
		return "no"
	}
	switch strings.Join(v.Answer.Choices[text], ",") {
	case switchOnce:
		return "yes"
	case switchAlways:
		return "yes_always"
	}
	return "no"
}
