package store

import (
	"errors"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/windows"
)

// noFollow has no counterpart here; links are refused before.
const noFollow = 0

// writableByOthers reports false: the mode does not contain the permissions of other users.
func writableByOthers(fs.FileMode) bool { return false }

// processExists reports whether a process has the pid and has not ended.
func processExists(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(h)
	var code uint32
	const stillActive = 259
	return windows.GetExitCodeProcess(h, &code) != nil || code == stillActive
}

// processStart returns when the process was created, "" if unknown.
func processStart(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

// discard closes the file of a lock, and removes it. The system refuses that while another process has it open.
func discard(f *os.File) {
	_ = f.Close()
	_ = os.Remove(f.Name())
}
