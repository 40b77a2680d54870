// Package agentfiles finds custom agents and prompts: files with a head that describe an agent (`*.agent.md`, `*.md` in a
// folder of agents) or a prompt (`*.prompt.md`).
//
// In come a directory, the user's folders and whether the user trusts a directory. Out go [session.Customs]: what the
// files describe, which of several of one name counts, and what is wrong with a file, with its line ([Finder]). The
// package also writes the template of a new agent ([Create]), lists what a repository would bring ([Finder.Items]), and
// says which tools of an agent a list of a file means ([Allowed]), because files name tools as Copilot or Claude Code do.
//
// A file is data of its author: it is read within bounds, no link leads out of a repository, and nothing in it is run.
// What a repository has is returned only where the user trusts it.
//
// The package imports only session. It starts nothing and decides nothing for the user.
package agentfiles
