// Package copilot is the client of the GitHub Copilot API.
//
// In comes a GitHub credential, which package login finds, and requests as raw JSON: of the Anthropic Messages API, or
// of OpenAI's Responses API or Chat Completions for models with these protocols. Out come raw server-sent events or
// whole answers, the model list, the account with its quotas, and typed errors ([*Error]) with the Anthropic envelope.
//
// The GitHub token itself is the bearer of every call. GitHub names the host of the account (GET
// /copilot_internal/user). The client caches that for half an hour and asks again after a 401, 403 or 421, and then
// repeats the refused request. Two more refusals have a remedy: an endpoint that expects another authentication scheme
// gets that one, and a token that is still refused is exchanged for a minted one (GET /copilot_internal/v2/token),
// which has a separate endpoint. The results are cached until [Client.Forget] or [Client.SignIn]. Accounts that may not
// choose a model freely use a model session (POST /models/session). Nothing else is ever sent twice, and no model is
// ever replaced by another.
//
// The exchange is tried under these conditions: the service answered 401 even after discovery was repeated, or could
// read neither scheme; the token is an OAuth token, one of an app on behalf of a user, or of unknown kind, because the
// exchange refuses personal access tokens and those of Actions; the endpoint was discovered, because no other
// credential is sent to a fixed one; and the exchange has not refused within the last half hour. It does not help with
// 403 and 421, which concern the seat and the host: a minted token has the same seat.
//
// If the service refuses the token itself, or gh's login has changed, the credential is read again ([Options.Renew]),
// once for all callers, and a refused request is sent with the new one.
//
// Frames and bodies are passed on unchanged, including fields that this package does not know; typed reading is a
// separate layer ([QuotaHeaders]).
//
// The package writes nothing to disk, logs nothing and starts no process. A token leaves it only in the headers meant
// for it, never in an error or a formatted value. The package translates no model ids and no protocols, and does not
// know sessions or screens.
package copilot
