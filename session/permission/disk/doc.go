// Package disk finds out where paths lead: links, spellings, what is there.
//
// In come functions that ask a disk, and paths. Out go real paths, or that it is not sure where a path leads; nothing is read but names.
package disk
