// Package tooltest runs single calls of tools in tests: a directory with a workspace on it, and nobody who is asked.
package tooltest
