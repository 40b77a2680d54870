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

// startOf returns when the process started, as ps prints it, "" if there is none.
func startOf(pid int) string {
	out, err := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// processes reads the process table with ps, which shows the environment of our own processes after the command.
func processes() ([]entry, error) {
	out, err := exec.Command("ps", "-A", "-ww", "-E", "-o", "pid=,ppid=,lstart=,command=").Output()
	if err != nil {
		return nil, err
	}
	return parsePS(string(out)), nil
}

// killProcesses kills each process if it is still the one meant. The next reading of the table tells whether it is dead.
func killProcesses(victims []entry) {
	for _, v := range victims {
		if startOf(v.pid) == v.start {
			_ = unix.Kill(v.pid, unix.SIGKILL)
		}
	}
	time.Sleep(5 * time.Millisecond) // there is no portable way to await the death of a process that is not our child
}

// place names the world in which our pids mean something.
func place() string {
	name, _ := os.Hostname()
	return name
}
