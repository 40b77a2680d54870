// Package scratch makes and removes the folders of sessions that have no project: each session has its own below parley's data, and
// keeps it for life. Copies of a session work in the same folder, and the last of them takes it along.
package scratch
