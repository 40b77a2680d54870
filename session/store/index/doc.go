// Package index stores which words were said in which sessions, so that a search reads only the sessions that may have them.
//
// In come descriptions of sessions and what was said in them. Out go the sessions with a word, and the newest descriptions. It is a
// SQLite database beside the journals that may be deleted at any time: nothing stands only here, and whoever looks finds out which
// sessions changed since. Of a session that grew it reads what was added, and of all sessions what was said before what tools did. One process at a time brings it up to date, any number read it. One that is damaged is set aside.
package index
