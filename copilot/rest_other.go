//go:build !linux

package copilot

import "net"

// lowWater reports that this system cannot be told.
func lowWater(*net.TCPConn, int) bool { return false }

// waiting is not asked where lowWater does nothing.
func waiting(*net.TCPConn) bool { return false }
