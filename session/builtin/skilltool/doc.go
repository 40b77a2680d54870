// Package skilltool offers skills and commands to the builtin agent.
//
// In come the skills of a directory. Out go the list of their names and descriptions that a session begins with, within a bounded
// length ([List]), the tool that loads the text of one or finds those that the list has no room for, and the texts of those that
// the user types as a command ([Kit.Typed]).
//
// Nothing of a skill is allowed by the skill: the commands whose output it begins with are judged and asked about as calls of Bash,
// and what it would like to be allowed is put to the user and holds until the turn ends.
//
// The package imports session, session/extensions/skill, session/rules, session/permission, session/builtin/tool and session/toolview.
package skilltool
