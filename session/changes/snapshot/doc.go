// Package snapshot describes and keeps what a file is at one time, and puts a kept file back.
//
// In come paths and contents. Out come a [State] of each, and files in the store's directory that are named by the SHA-256
// of their content, written once, with mode 0600, and shared by all sessions. [Store.Restore] puts a state back at once or
// not at all, and follows no link.
//
// Images are not synced when they are taken, so that no call waits for a disk: a power cut may lose those of the last seconds
// or damage them, which [Store.Read] finds out. What is about to be replaced and what replaces it are synced first.
//
// The package knows neither sessions nor calls, and may not decide what to keep or undo.
package snapshot
