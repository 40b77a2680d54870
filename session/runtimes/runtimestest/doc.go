// Package runtimestest gives contract tests the real runtimes that parley was tested with, installed as `parley runtimes
// install` does it.
//
// In comes a test, or the environment's PARLEY_CONTRACT_RUNTIMES: a folder that is filled already, so that the packages of
// one run share it. Out go folders and command lines. It is for tests with the build tag contract only: it needs npm, node
// and the network.
package runtimestest
