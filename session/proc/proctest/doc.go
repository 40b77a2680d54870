// Package proctest makes a test binary fail if a process that its tests started is left when they are over.
//
// In come the tests of a package, from its TestMain. Out goes their exit code, with what is left on standard error.
//
// It knows processes by their descent and not by a mark, so that it also finds what proc lost sight of: on Linux the test
// binary adopts every descendant whose parent ends. Elsewhere it finds nothing and complains of nothing.
package proctest
