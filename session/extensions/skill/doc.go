// Package skill finds skills and commands: texts that an agent reads when it is asked to, with what they may need.
//
// In come the user's folders, a directory, and whether the user agreed to what its repository brings. Out go skills
// (`.../skills/NAME/SKILL.md`, as agentskills.io describes them) and commands (`.../commands/**/NAME.md`) in the order in which
// their names hold: the user's, the repository's from the directory up to its root, those of plugins. One that another replaces,
// that is not agreed to or that has a fault stays in the list with the reason. The text behind the head is read when it is used
// ([Finder.Load]) and filled in by [Skill.Filled].
//
// A file is data of its author: it is read within bounds, no link leads out of a repository, and nothing in it is run; what it
// would like to run is listed for the user who is asked about the repository ([Finder.Items]).
package skill
