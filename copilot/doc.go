// Package copilot is the client of the GitHub Copilot API.
//
// In comes a GitHub credential, which package login finds, and requests as raw JSON: of the Anthropic Messages API, or of
// OpenAI's Responses API or Chat Completions for models that speak these. Out come raw server-sent events or whole
// answers, the model list, the account with its quotas, and typed errors ([*Error]) with the Anthropic envelope.
//
// The GitHub token itself is the bearer of every call. Which host serves the account is asked of GitHub once
// (GET /copilot_internal/user), cached for half an hour and asked again after a 401, 403 or 421, in which case the refused
// request is sent a second time. Two more refusals have a remedy: an endpoint that reads another authentication scheme
// gets that one, and a token that is refused even so is exchanged for a minted one (GET /copilot_internal/v2/token),
// which has its own endpoint. What was found is cached until [Client.Forget] or [Client.SignIn]. Accounts
// that may not name a model freely do so in a model session (POST /models/session). Nothing else is ever sent twice,
// and no model is ever chosen in place of another.
//
// Where the service refuses the token itself, or gh's login has changed, the credential is read again
// ([Options.Renew]), once for all callers, and a refused request is sent with the new one.
//
// Frames and bodies are passed on as they came, so that what this package does not know survives it; typed reading is a
// layer on top ([QuotaHeaders]).
//
// The package writes nothing to disk, logs nothing and starts no process. A token leaves it in the headers meant for it
// and in nothing else: no error, no formatted value. It translates no model ids and no protocols, and does not know
// sessions or screens.
package copilot
