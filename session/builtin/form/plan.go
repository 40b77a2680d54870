package form

import (
	"encoding/json"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Plan proposes a plan. It is offered in every mode: tools come first in what the service caches, so that a list that
// follows the mode would discard the cache of the whole conversation with each change.
var Plan = &tool.Tool{
	Name: "ExitPlanMode", Kind: toolview.Plan,
	Description: "In plan mode, shows the user your plan and asks whether to go on with it. Call it when the plan is complete; a " +
		"question about something else belongs in AskUserQuestion before. The result says whether the user approved the plan, " +
		"changed it, or wants you to keep planning. Outside of plan mode it fails.",
	Schema: `{"type":"object","properties":{` +
		`"plan":{"type":"string","description":"The whole plan, in markdown"}},` +
		`"required":["plan"],"additionalProperties":false}`,
	Prepare: preparePlan,
}

// The texts that the model reads of the user's decision about a plan.
const (
	planElsewhere = "Plan mode is not on, so there is nothing to approve. Go on with what the user asked for; they are asked about " +
		"single calls where that is necessary."
	planKept     = "The user does not approve the plan yet. Do not begin with it; ask what should be different."
	planKeptSay  = "The user does not approve the plan yet and says: "
	planKeptNext = "\n\nDo not begin with it. Propose the changed plan with ExitPlanMode."
)

func preparePlan(_ *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Plan string `json:"plan"`
	}
	if err := tool.DecodeInput(input, &in, "plan"); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Plan) == "" {
		return nil, tool.Errorf("The plan is empty. Give the whole plan, in markdown.")
	}
	return &tool.Job{Put: &tool.Form{
		Asked: session.Asked{Kind: session.AskPlan, Plan: &session.PlanAsk{Plan: in.Plan}},
		Only:  session.ModePlan, Elsewhere: planElsewhere,
		Settle: func(leavePlan func(session.Answer) session.Mode, a session.Answer) tool.Outcome {
			if a.Decision != session.Allow {
				return tool.Declined(a.Message, planKept, planKeptSay, planKeptNext)
			}
			return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: approved(in.Plan, a, leavePlan(a))}}
		},
	}}, nil
}

// approved returns what the model reads of an approved plan. mode is the mode from now on.
func approved(plan string, a session.Answer, mode session.Mode) string {
	changed := strings.TrimSpace(a.Plan)
	if changed == strings.TrimSpace(plan) {
		changed = ""
	}
	said := "The user approved the plan."
	if changed != "" {
		said = "The user approved the plan with changes. Only their version counts; it stands at the end."
	}
	said += " Plan mode is over. " + meaning[mode] + " Begin with the work."
	if m := strings.TrimSpace(a.Message); m != "" {
		said += "\n\nThe user says: " + m
	}
	if changed != "" {
		said += "\n\nThe plan as the user changed it:\n\n" + changed
	}
	return said
}
