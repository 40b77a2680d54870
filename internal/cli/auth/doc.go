// Package auth signs in to GitHub and has the commands of `parley auth`.
//
// In come the configuration, the environment and the file of parley's own tokens as [Options]. Out go the GitHub credential and the
// client that has it ([SignIn.Client]), ways to sign in as text, and the commands ([Command]). It changes nothing of gh's, and
// prints no token.
package auth
