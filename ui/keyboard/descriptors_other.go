//go:build !linux

package keyboard

// sealPolls does nothing: there is no epoll here.
func sealPolls() {}
