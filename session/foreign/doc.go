// Package foreign reads the sessions of programs that parley does not drive: Codex, opencode, crush, Gemini CLI, goose, Antigravity.
//
// In come their files and databases, where each program keeps them; out go descriptions and events of sessions. Each program is a
// source, which finds files with sessions, describes those of one file and reads one session; a program that is missing costs one look
// at the disk. Nothing is written there: a database is read from a copy of it, or from its file alone where it is too large for one.
//
// Such a session is continued by its own program only. An agent of this package therefore opens no conversation, and says how to go on.
package foreign
