package proc

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// hold is a job object with all that the child starts. The system ends everything in it when its last handle, ours, is
// closed, however parley ends.
type hold struct{ job windows.Handle }

func holdChild(cmd *exec.Cmd) (hold, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return hold{}, os.NewSyscallError("CreateJobObject", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err == nil {
		var process windows.Handle
		process, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
		if err == nil {
			err = windows.AssignProcessToJobObject(job, process)
			_ = windows.CloseHandle(process)
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return hold{}, os.NewSyscallError("AssignProcessToJobObject", err)
	}
	return hold{job}, nil
}

func (h hold) kill() {
	if h.job != 0 {
		_ = windows.TerminateJobObject(h.job, 1)
	}
}

func (h hold) release() {
	if h.job != 0 {
		_ = windows.CloseHandle(h.job)
	}
}

// setAttributes keeps console signals meant for us away from the child.
func setAttributes(cmd *exec.Cmd, c Command) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, CmdLine: c.Raw}
}

// terminate ends the process: the system cannot ask it.
func terminate(p *os.Process) error { return p.Kill() }

// killGroup does nothing: the job object is the group.
func killGroup(int) {}

// awaitEnd reports false: the system does not reap.
func awaitEnd(int) bool { return false }

// holds reports false: the system does not say it in one call.
func holds(uintptr) bool { return false }

func exitOf(s *os.ProcessState) Exit {
	if s == nil {
		return Exit{Code: -1}
	}
	return Exit{Code: s.ExitCode()}
}

// startOf returns when the process was created, "" if there is none.
func startOf(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	var code uint32
	const stillActive = 259
	if windows.GetExitCodeProcess(h, &code) == nil && code != stillActive {
		return ""
	}
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

// processes returns only the process of a record: other environments cannot be read, and job objects have ended the processes
// of ended programs.
func processes() ([]entry, error) { return nil, nil }

func killProcesses([]entry) {}

// place names the system whose pids are ours.
func place() string {
	name, _ := os.Hostname()
	return name
}
