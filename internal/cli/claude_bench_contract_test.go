//go:build contract && linux

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/session/runtimes/runtimestest"
)

// BenchmarkContractStream streams 20,000 tokens at 1,000 a second from the simulated service, a program of its own,
// through parley and each real runtime to a terminal. It tells what processor time, in milliseconds for 1,000 tokens, the
// whole took ("all"), and how much of it was parley's own process: screen, driver and proxy. It also tells parley's
// greatest size in memory in MB.
func BenchmarkContractStream(b *testing.B) {
	dir := runtimestest.Installed(b)
	bin := build(b)
	for _, version := range []string{runtimestest.ClaudeScript, runtimestest.ClaudeNative} {
		b.Run(version, func(b *testing.B) {
			w := newWorld(b)
			w.useRuntime(dir, version)
			for name, value := range w.serve(3, "sim") {
				w.env = append(w.env, name+"="+value)
			}
			tm := w.startCommand(120, 40, exec.Command(bin, "--agent", "claude"))
			parley := tm.cmd.Process.Pid
			tm.shows("Claude Code")
			tm.send("hello\r")
			tm.until("the end of the first turn", func(s string) bool { return strings.Contains(s, "hello") && !strings.Contains(s, "esc to stop") })
			const tokens = 20_000
			own, all := ticks(b, parley), ticks(b, descendantsOf(b, parley)...)
			turn := 0
			for b.Loop() {
				turn++
				tm.send(fmt.Sprintf("bench:%d@1000#%d\r", tokens, turn))
				tm.shows(fmt.Sprintf("ENDMARK%d", turn))
				tm.until("the end of the turn", func(s string) bool { return !strings.Contains(s, "esc to stop") })
			}
			own, all = ticks(b, parley)-own, ticks(b, descendantsOf(b, parley)...)-all
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(own/float64(turn*tokens/1000), "parley-ms/ktok")
			b.ReportMetric((own+all)/float64(turn*tokens/1000), "all-ms/ktok")
			b.ReportMetric(peak(b, parley), "parley-MB")
			tm.send("/quit\r")
			tm.exit()
		})
	}
}

// ticks is the processor time that processes have used, in milliseconds, their buried children included.
func ticks(b *testing.B, pids ...int) float64 {
	b.Helper()
	const msPerTick = 10 // user space counts in hundredths of a second on every architecture
	sum := 0
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended, and its parent has its time
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
		for _, f := range fields[11:13] { // utime, stime; those of children are counted by themselves
			n, err := strconv.Atoi(f)
			if err != nil {
				b.Fatal(err)
			}
			sum += n
		}
	}
	return float64(sum * msPerTick)
}

// descendantsOf are the processes below one.
func descendantsOf(b testing.TB, top int) []int {
	b.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		b.Fatal(err)
	}
	below := []int{top}
	for grew := true; grew; {
		grew = false
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil || slices.Contains(below, pid) {
				continue
			}
			stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
			fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
			if len(fields) < 2 {
				continue
			}
			if parent, _ := strconv.Atoi(fields[1]); slices.Contains(below, parent) {
				below, grew = append(below, pid), true
			}
		}
	}
	return below[1:]
}

// peak is the most memory a process has had, in MB.
func peak(b *testing.B, pid int) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.ParseFloat(strings.Fields(kb)[0], 64)
			if err != nil {
				b.Fatal(err)
			}
			return n / 1024
		}
	}
	b.Fatal("no VmHWM")
	return 0
}
