// Package spending adds up what sessions cost, by day, model, agent and directory.
//
// In come the costs of sessions as their journals have them, and the events of one; out go a report for people and programs, and what
// one session was charged for: prompts, requests, child agents, summaries. It is pure: it reads no file and no clock.
package spending
