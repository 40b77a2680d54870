//go:build unix && !linux

package proc

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// startOf returns the start of a process as ps prints it, "" for none.
func startOf(pid int) string {
	out, err := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// processes reads the process table with ps, which prints the environment of the user's processes after the command.
func processes() ([]entry, error) {
	out, err := exec.Command("ps", "-A", "-ww", "-E", "-o", "pid=,ppid=,lstart=,command=").Output()
	if err != nil {
		return nil, err
	}
	return parsePS(string(out)), nil
}

// killProcesses kills each process that still has its start time. The next reading of the table shows whether it has ended.
func killProcesses(victims []entry) {
	for _, v := range victims {
		if startOf(v.pid) == v.start {
			_ = unix.Kill(v.pid, unix.SIGKILL)
		}
	}
	time.Sleep(5 * time.Millisecond) // there is no portable wait for a process that is not our child
}

// place names the system whose pids are ours.
func place() string {
	name, _ := os.Hostname()
	return name
}
