// Package lsptest installs the real language servers that contract tests drive.
//
// In comes a test; out goes the directory of a server's programs, which the user's cache keeps for the next run. It is for tests with
// the build tag contract only: it needs the network, and npm for the one of TypeScript.
package lsptest
