//go:build !linux

package ui

// sealPolls does nothing: there is no epoll here.
func sealPolls() {}
