// Package install installs an agent's runtime that is not there yet, for the command /install.
//
// In come what is offered, the user's consent and the results of its commands; out go the question, the progress and notices. What
// installs is behind chat.Installer.
package install
