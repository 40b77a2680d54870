package copilot

import (
	"cmp"
	"context"

	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/guard"
	"parley/session/copilot/mapper"
	"parley/session/permission"
)

// The texts that the model reads of a refused call. The runtime puts "The user rejected this tool call. User feedback:" before
// them.
const (
	refusedUnread  = "Refused: parley could not read what the runtime asked."
	refusedNoTurn  = "Refused: no turn is running."
	refusedByAbort = "The turn was interrupted."
)

// permission answers a permission request of the runtime.
func (b *asks) permission(ctx context.Context, q dispatch.PermissionCall) dispatch.PermissionDecision {
	id := session.CallID(q.Call)
	g := b.guardNow()
	call, ok := guard.ReadRequest(q.Data, b.started(id), g.Servers, g.Client)
	if !ok {
		return refuse(refusedUnread)
	}
	call.ID, call.Agent = cmp.Or(call.ID, id), cmp.Or(q.Agent, call.Agent)
	if call.Written != "" {
		b.runs(call.ID, call.Command)
	}
	if b.allowedBefore(call.ID, q.Data) {
		return dispatch.PermissionDecision{Kind: dispatch.ApproveOnce}
	}
	j := g.Judge(call)
	switch j.Ruling {
	case permission.Deny:
		b.drop(call.ID)
		return refuse(cmp.Or(j.Reason, permission.PlanModeReason))
	case permission.Allow:
		b.image(ctx, g, call, false)
		return dispatch.PermissionDecision{Kind: dispatch.ApproveOnce}
	}
	ask := g.Ask(call, j)
	v, asked := b.put(ctx, q.Origin, session.Asked{Kind: session.AskPermission, Call: call.ID, Permission: ask}, call)
	switch {
	case !asked:
		b.drop(call.ID)
		return refuse(refusedNoTurn)
	case v.Answer.Decision == session.Allow:
		b.allow(call.ID, q.Data, v.Answer.Message)
		b.image(ctx, g, call, v.Ruling == nil) // the user had time to change the file
		return dispatch.PermissionDecision{Kind: dispatch.ApproveOnce}
	}
	b.drop(call.ID)
	switch {
	case v.Ruling != nil:
		return refuse(cmp.Or(v.Ruling.Reason, permission.PlanModeReason))
	case v.How == session.SettledCancelled:
		return refuse(refusedByAbort)
	}
	return refuse(cmp.Or(v.Answer.Message, mapper.RefusedByUser))
}

// refuse returns the decision that refuses with a message for the model.
func refuse(message string) dispatch.PermissionDecision {
	return dispatch.PermissionDecision{Kind: dispatch.Reject, Feedback: message}
}
