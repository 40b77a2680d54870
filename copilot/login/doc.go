// Package login finds, makes and protects the GitHub credential.
//
// [Find] looks for a token where the gh command keeps it, in COPILOT_GITHUB_TOKEN and in the file of parley's own
// sign-ins; [WithDevice] signs in with a code. Out comes a [Credential] with its source and host, or an error that says
// where it was looked for and what to do. [Stamp] changes when the login does.
//
// A token is a [Secret], which no formatting prints; a [Masker] replaces secrets in text from outside. [ParseOverride]
// and [CheckEndpoint] decide which addresses a token may be sent to.
//
// The package writes nothing but a [TokenFile], logs nothing, starts no process but "gh auth token" and does not know
// the Copilot API.
package login
