package worktree

import "golang.org/x/sys/unix"

const sysStatAt = unix.SYS_NEWFSTATAT
