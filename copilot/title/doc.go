// Package title names a conversation in a few words, with a model that costs nothing.
//
// In come the first prompt and the first answer. Out goes a title, or none where the plan has no free model.
//
// One request is sent for one title, marked as the agent's, so that a plan that counts requests does not count it. It goes to
// the service directly: through the proxy only what a session's bearer covers may be marked.
//
// The package stores nothing and retries nothing.
package title
