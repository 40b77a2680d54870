// Package instruct finds the instructions and the facts that the builtin agent begins a session with. In come directories and
// the user's word about the project. Out go instruction files in the order in which the model reads them, and texts.
//
// The user's own AGENTS.md in parley's configuration directory comes first. Then, from the root of the git repository (or,
// outside of one, from below the home directory) down to the working directory, come AGENTS.md, CLAUDE.md, .claude/CLAUDE.md,
// .claude/rules/*.md and CLAUDE.local.md, and at the root .github/copilot-instructions.md and
// .github/instructions/*.instructions.md. Those with patterns of files (applyTo, paths) apply when such a file is touched, those
// of a directory below the working directory when a file there is touched. An identical file is left out.
//
// A line may import another file with @path: relative to the file, within the project, or for the user's own files below the
// home directory. Files are read as regular files, within bounds; a link out of the project is left out and named. A project
// whose instructions the user has not agreed to has none.
//
// The facts are read from files: no git runs, because a repository's configuration may start other programs.
//
// It may import session and rooms below internal.
package instruct
