// Package mcptest is an MCP server for tests: with tools that echo, fail, ask, wait, flood, send images and describe themselves
// badly.
//
// In come a transport, or the process of a test that was started again with [Variable] set. Out goes what a server answers. It is
// used by tests only.
package mcptest
