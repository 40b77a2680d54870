// Package cloud is the client of GitHub's cloud agent, the one that works on GitHub's own machines and opens pull requests.
//
// In come jobs, ids and comments, out go plain values: jobs, sessions, logs and pull requests. Jobs, sessions and
// logs come from the Copilot API through [copilot.Client]; repositories, pull requests, their checks and comments come from
// GitHub's REST and GraphQL APIs through gh's library, with the same credential. Answers that may be asked for often are
// requested conditionally.
//
// The package keeps nothing, starts nothing and retries nothing. Every error is a [*copilot.Error], or that of the context.
package cloud
