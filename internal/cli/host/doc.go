// Package host has the commands for sessions that outlive their terminal: `parley attach`, `parley ps` and `parley stop`, and the hidden
// one that is the session host.
//
// In come the folder of the hosts and what a run serves ([Scope]). Out go the commands ([Commands]), the place of the host for a run
// ([Scope.Place]), the process of one ([Spawn]), and what a logout ends ([Logins]). What happens in a host is package session/host.
package host
