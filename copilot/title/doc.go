// Package title names a conversation in a few words, with a model that costs nothing.
//
// In come the first prompt and the first answer. Out goes a title, or none if the plan has no free model.
//
// It sends one request per title, marked as the agent's, so that a plan that counts requests does not count it. The
// request goes directly to the service, because the proxy decides itself how to mark requests.
//
// The package stores nothing and retries nothing.
package title
