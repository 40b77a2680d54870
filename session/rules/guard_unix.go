//go:build unix

package rules

import (
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// policyPath returns the administrator's file.
func policyPath() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/parley/policy.yaml"
	}
	return "/etc/parley/policy.yaml"
}

// guard returns why users other than root may have written a file or a directory: root must own it, and neither its group nor
// others may write to it. A link has no modes.
func guard(path string) (why string, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return judge(info.Mode(), ok && stat.Uid == 0), nil
}

// judge returns why a file with this mode may have been written by users other than root, "" if it cannot have been.
func judge(mode fs.FileMode, root bool) string {
	switch {
	case !root:
		return "is not owned by root"
	case mode&fs.ModeSymlink == 0 && mode.Perm()&0o022 != 0:
		return "can be written by its group or by others"
	}
	return ""
}
