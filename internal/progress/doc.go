// Package progress shows how far the installation of a runtime is, for commands without a screen. In come the steps of the
// installation, out goes a line that changes on a terminal, or a line for each stage elsewhere. It installs nothing and reads nothing.
package progress
