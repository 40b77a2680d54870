//go:build contract && linux

package cli

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session/runtimes/runtimestest"
)

// alone means that the test binary runs in a network of its own.
const alone = "PARLEY_TEST_IN_NETWORK_OF_ITS_OWN"

const busy = `
rules:
  - when: {prompt: work, round: 0}
    reply: [{text: I read.}, {tool: Read, input: {file_path: "{{dir}}/hello.txt"}}]
  - when: {prompt: work, round: 1}
    reply: [{text: I change.}, {tool: Edit, input: {file_path: "{{dir}}/hello.txt", old_string: one, new_string: uno}}]
  - when: {prompt: work, round: 2}
    reply: [{text: I run.}, {tool: Bash, input: {command: "cat hello.txt", description: Look}}]
  - when: {result: true}
    reply: "Worked: {{tool_result}}."
  - reply: "You said {{last_user}}."
`

// busyCopilot is the same for the tools of Copilot.
const busyCopilot = `
rules:
  - when: {prompt: work, round: 0}
    reply: [{text: I read.}, {tool: view, input: {path: "{{dir}}/hello.txt"}}]
  - when: {prompt: work, round: 1}
    reply: [{text: I change.}, {tool: edit, input: {path: "{{dir}}/hello.txt", old_str: one, new_str: uno}}]
  - when: {prompt: work, round: 2}
    reply: [{text: I run.}, {tool: bash, input: {command: "cat hello.txt", description: Look}}]
  - when: {result: true}
    reply: "Worked: {{tool_result}}."
  - reply: "You said {{last_user}}."
`

// TestContractNothingLeaves holds a conversation with each real runtime, on the whole program, in a network that consists
// of a loopback device to which every address leads, and reads every packet there is. It proves that neither parley nor
// the runtime nor what they start tries to reach anything but our proxy and the simulated service, name servers included,
// and that a conversation needs nothing else. What reaches out over sockets in the file system is not seen.
func TestContractNothingLeaves(t *testing.T) {
	if os.Getenv(alone) != "" {
		inNetworkOfItsOwn(t)
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestContractNothingLeaves$", "-test.v", "-test.count=1", "-test.timeout=30m")
	again.Env = append(os.Environ(), alone+"=1", "PARLEY_CONTRACT_RUNTIMES="+runtimestest.InstalledAll(t))
	again.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	out, err := again.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatalf("%v (the test needs a network namespace: unprivileged user namespaces must be allowed)", err)
	}
}

func inNetworkOfItsOwn(t *testing.T) {
	everywhereIsHere(t)
	checkRecorder(t)
	dir := os.Getenv("PARLEY_CONTRACT_RUNTIMES")
	for _, version := range runtimestest.Claudes {
		t.Run(version, func(t *testing.T) {
			w := newWorld(t).signIn(busy)
			w.useRuntime(dir, version)
			w.staysHere("claude", true)
		})
	}
	for _, version := range runtimestest.Copilots {
		for _, traffic := range []string{"direct", "proxy"} {
			t.Run("copilot "+version+" "+traffic, func(t *testing.T) {
				w := newWorld(t).signIn(busyCopilot)
				w.useCopilot(dir, version)
				w.env = append(w.env, "PARLEY_COPILOT_TRAFFIC="+traffic)
				w.staysHere("copilot", traffic == "proxy")
			})
		}
	}
}

// staysHere holds a conversation with an agent and reads where packets go: to the simulated service and, if the agent's requests
// pass it, to our proxy.
func (w *world) staysHere(agent string, proxied bool) {
	t := w.t.(*testing.T)
	seen := recordPackets(t)
	w.write("hello.txt", "one\ntwo\n")
	tm := w.start(120, 40, "--agent", agent, "--permission-mode", "bypassPermissions")
	tm.shows("parley")
	tm.send("work\r")
	tm.shows("Worked:")
	tm.send("goodbye\r")
	tm.shows("goodbye.")
	allowed := listening(t, os.Getpid())
	if proxied {
		allowed = append(allowed, listening(t, tm.cmd.Process.Pid)...)
	}
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if got := w.read("hello.txt"); got != "uno\ntwo\n" {
		t.Errorf("the runtime made %q of the file", got)
	}
	to := seen()
	for _, a := range allowed {
		if !slices.Contains(to, a) {
			t.Errorf("nothing went to %s: the recorder missed it", a)
		}
	}
	for _, a := range to {
		if !slices.Contains(allowed, a) {
			t.Errorf("something went to %s; only %q may be reached", a, allowed)
		}
	}
	for _, r := range w.sim.Requests() {
		if strings.Contains(r.Path, "telemetry") {
			t.Errorf("the runtime sent telemetry: %s", r.Path)
		}
	}
}

// checkRecorder proves that an attempt to reach something else would be noticed: a connection, and a question for a name.
func checkRecorder(t *testing.T) {
	t.Helper()
	seen := recordPackets(t)
	dial := func(network, addr string) {
		if c, err := net.DialTimeout(network, addr, 5*time.Second); err == nil {
			_, _ = c.Write([]byte("hello"))
			c.Close()
		}
	}
	dial("tcp", "192.0.2.1:443")
	dial("udp", "192.0.2.2:443")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, "192.0.2.53:53")
	}}
	if _, err := resolver.LookupHost(ctx, "elsewhere.example."); err == nil {
		t.Error("a name was found in an empty network")
	}
	to := seen()
	for _, want := range []string{"tcp 192.0.2.1:443", "udp 192.0.2.2:443", "the name elsewhere.example, asked of 192.0.2.53:53"} {
		if !slices.Contains(to, want) {
			t.Fatalf("the recorder does not see %s, but %q", want, to)
		}
	}
}

// listening returns where a process accepts connections over IPv4, as recordPackets says it.
func listening(t *testing.T, pid int) []string {
	t.Helper()
	table, err := os.ReadFile("/proc/self/net/tcp")
	if err != nil {
		t.Fatal(err)
	}
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(table)) {
		const local, state, inode, listen = 1, 3, 9, "0A"
		f := strings.Fields(line)
		if len(f) <= inode || f[state] != listen {
			continue
		}
		open := slices.ContainsFunc(fds, func(fd os.DirEntry) bool {
			to, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name()))
			return to == "socket:["+f[inode]+"]"
		})
		addr, port, _ := strings.Cut(f[local], ":")
		if n, err := strconv.ParseUint(port, 16, 16); open && err == nil {
			if addr != "0100007F" {
				t.Errorf("%d listens on %s", pid, f[local])
			}
			out = append(out, "tcp "+netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(n)).String())
		}
	}
	if len(out) == 0 {
		t.Fatalf("%d does not listen", pid)
	}
	return out
}

// useRuntime makes parley use one of the installed versions of Claude Code.
func (w *world) useRuntime(dir, version string) {
	w.env = append(w.env, "PARLEY_CLAUDE_PATH="+filepath.Join(dir, "claude", version), "IS_SANDBOX=1", "SHELL=/bin/sh",
		"TMPDIR="+w.t.TempDir())
}

// useCopilot makes parley use one of the installed versions of Copilot.
func (w *world) useCopilot(dir, version string) {
	w.env = append(w.env, "PARLEY_COPILOT_PATH="+filepath.Join(dir, "copilot", version), "SHELL=/bin/sh", "TMPDIR="+w.t.TempDir(),
		"COPILOT_CACHE_HOME="+filepath.Join(dir, ".copilot-cache"))
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}
