// Package sources lists the sessions that programs keep in files of their own, and finds one of them.
//
// In come the files of a program, as its [Source] finds and describes them; out go descriptions of sessions, and where each is. A file that
// did not change is not described again, one that cannot be read is named and hides no other, and of several sessions with one id each has
// a name of its own.
package sources
