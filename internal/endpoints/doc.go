// Package endpoints gives each session an endpoint of one proxy in this process.
//
// In come the ids of sessions and the proxy's options. Out come addresses with a bearer for each session, and what its requests
// have used. The proxy starts with the first session. The package knows no agent and no GitHub token.
package endpoints
