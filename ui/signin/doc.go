// Package signin is the screen of a user who is not signed in.
//
// In come what was looked for and which ways to sign in there are; out goes the user's choice: to sign in, to try the demo,
// or to leave. The package does not sign in; the screen ends with the choice.
package signin
