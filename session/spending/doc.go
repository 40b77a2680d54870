// Package spending adds up what sessions cost, by day, model, agent and directory.
//
// In come the costs of sessions as their journals have them; out goes a report for people and programs. It is pure: it reads no
// file and no clock.
package spending
