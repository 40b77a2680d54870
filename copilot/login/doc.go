// Package login finds, creates and protects the GitHub credential.
//
// [Find] searches COPILOT_GITHUB_TOKEN, then the places of the gh command in the order of go-gh 2.16, then the file of
// parley's own sign-ins. For github.com and *.ghe.com gh's variables are GH_TOKEN and GITHUB_TOKEN, for other hosts
// GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN; gh's configuration and its keyring (through "gh auth token") follow.
// [WithDevice] signs in with a code. The result is a [Credential] with its source and host, or an error with the
// searched places and what to do. [Stamp] changes when the login does.
//
// A token is a [Secret], which no formatting prints; a [Masker] replaces secrets in text from outside. [ParseOverride]
// and [CheckEndpoint] decide which addresses a token may be sent to.
//
// The package writes only a [TokenFile], logs nothing, starts no process except "gh auth token" and does not know the
// Copilot API.
package login
