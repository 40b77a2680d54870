package proc

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// startOf returns the start of a process in clock ticks since boot, "" for none or one that was not reaped yet.
func startOf(pid int) string {
	_, start, _, ok := statOf(pid)
	if !ok {
		return ""
	}
	return start
}

// statOf reads proc(5) stat. It reports false for a missing process or one that has ended.
func statOf(pid int) (ppid int, start string, rests, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, "", false, false
	}
	return parseStat(string(data))
}

// parseStat returns the parent and the start time in a line of proc(5) stat, and whether the process waits for an event, as none
// does while it becomes another program.
func parseStat(line string) (ppid int, start string, rests, ok bool) {
	// The second field is the program's name in parentheses, which may contain spaces and parentheses.
	i := strings.LastIndex(line, ") ")
	if i < 0 {
		return 0, "", false, false
	}
	fields := strings.Fields(line[i+2:])
	const state, parent, startTime = 0, 4 - 3, 22 - 3 // the first of fields is field 3
	if len(fields) <= startTime || fields[state] == "Z" || fields[state] == "X" {
		return 0, "", false, false
	}
	ppid, err := strconv.Atoi(fields[parent])
	return ppid, fields[startTime], fields[state] == "S" || fields[state] == "I", err == nil
}

// processes reads the process table. Processes that end meanwhile are left out, those of other users have no mark.
func processes() ([]entry, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var table []entry
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		ppid, start, _, ok := statOf(pid)
		if !ok {
			continue
		}
		e := entry{ident: ident{pid, start}, ppid: ppid}
		env, err := os.ReadFile("/proc/" + name + "/environ")
		if err == nil && len(env) == 0 && later(start, ownStart()) {
			_, _, rests, ok := statOf(pid)
			e.changing = ok && !rests
			env, _ = os.ReadFile("/proc/" + name + "/environ") // one that rests by now has become what it is
		}
		e.mark, e.guard = parseEnviron(env)
		table = append(table, e)
	}
	return table, nil
}

// ownStart returns the start of this program. Nothing that started before is a child of its children.
var ownStart = sync.OnceValue(func() string { return startOf(ownPid) })

// later reports whether a count of clock ticks is the higher one, or the same.
func later(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a >= b }

// parseEnviron returns our variables in the initial environment of a process, where a zero byte ends each.
func parseEnviron(env []byte) (mark string, guard bool) {
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if v, ok := bytes.CutPrefix(kv, []byte(MarkVariable+"=")); ok {
			mark = string(v)
		}
		guard = guard || bytes.HasPrefix(kv, []byte(guardVariable+"="))
	}
	return mark, guard
}

// reapTime bounds the wait for a killed process.
const reapTime = 2 * time.Second

// killProcesses kills each process that still has its start time, and waits for its end. It uses pidfds where available, so
// that the compared process is the killed one.
func killProcesses(victims []entry) {
	var fds []int
	for _, v := range victims {
		fd, err := unix.PidfdOpen(v.pid, 0)
		if err != nil {
			if !errors.Is(err, unix.ESRCH) && startOf(v.pid) == v.start {
				_ = unix.Kill(v.pid, unix.SIGKILL)
			}
			continue
		}
		if startOf(v.pid) == v.start {
			_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
			fds = append(fds, fd)
		} else {
			_ = unix.Close(fd)
		}
	}
	deadline := time.Now().Add(reapTime)
	for _, fd := range fds {
		awaitPidfd(fd, deadline)
		_ = unix.Close(fd)
	}
}

func awaitPidfd(fd int, deadline time.Time) {
	for {
		left := time.Until(deadline).Milliseconds()
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(max(left, 0)))
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// place names the system whose pids are ours: this boot and this container.
func place() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	ns, _ := os.Readlink("/proc/self/ns/pid")
	return strings.TrimSpace(string(boot)) + "/" + ns
}
