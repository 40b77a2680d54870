// Package codeblocks lists the code blocks of an answer, one of which is copied.
//
// In come blocks; out go rows, and the effect that copies one.
package codeblocks
