//go:build unix

package proc

import "syscall"

func leaveSession() { _, _ = syscall.Setsid() }

func (g *guard) pid() int { return g.cmd.Process.Pid }
