// Package copilot is the client of the GitHub Copilot API.
//
// In comes a GitHub token ([FindCredential] looks for one the way the gh command does) and Anthropic Messages requests
// as raw JSON. Out go raw server-sent events or whole answers, the model list, the account with its quotas, and typed
// errors ([*Error]) that carry the Anthropic envelope to hand on.
//
// The GitHub token itself is the bearer of every call. Which host serves the account is asked of GitHub once
// (GET /copilot_internal/user), kept for half an hour and asked anew after a 401, 403 or 421, in which case the refused
// request is sent a second time. Nothing else is ever sent twice.
//
// Frames and bodies are passed on as they came, so that what this package does not know survives it; typed reading is a
// layer on top ([Decode], [QuotaHeaders]).
//
// The package writes nothing to disk, logs nothing, starts no process but "gh auth token", and never lets the token
// leave in anything but the Authorization header: not in an error, not in a formatted value. It translates no model ids
// and no other protocol; it knows nothing of sessions or screens.
package copilot
