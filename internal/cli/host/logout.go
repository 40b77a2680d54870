package host

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"time"
)

// Logins asks what a logout ends on a system with systemd. The zero value asks nobody.
type Logins struct {
	// Ask runs a program of systemd and returns what it prints.
	Ask func(ctx context.Context, argv ...string) (string, error)
	// Cgroup returns the control groups of a process, as in /proc/PID/cgroup.
	Cgroup func(pid int) string
	// Tmux is the server of the terminal, 0 if it has none. It lives on in its login where logind ends nothing, and the user's manager with it.
	Tmux int
}

// Systemd returns the logins of this system, which is asked only if systemd runs it. The value of TMUX names the terminal's server.
func Systemd(tmux string) Logins {
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		return Logins{}
	}
	_, rest, _ := strings.Cut(tmux, ",") // SOCKET,PID,SESSION
	pid, _, _ := strings.Cut(rest, ",")
	server, _ := strconv.Atoi(pid)
	return Logins{Ask: run, Tmux: server, Cgroup: func(pid int) string {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid)) // a process that ended is in none
		return string(text)
	}}
}

func run(ctx context.Context, argv ...string) (string, error) {
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).Output()
	return string(out), err
}

// logoutTime bounds what is asked, and the move of a host. A busy small machine needs more than a second for three programs.
const logoutTime = 3 * time.Second

// within is where systemd has a process.
type within int

const (
	elsewhere within = iota // no logout ends it
	ofLogin                 // in the session of a login, which KillUserProcesses may end
	ofManager               // below the user's manager, which ends with the last login unless the user lingers
)

// where returns where a process is.
func (l Logins) where(pid int) within {
	if l.Cgroup == nil {
		return elsewhere
	}
	switch groups := l.Cgroup(pid); {
	case strings.Contains(groups, "/user@"):
		return ofManager
	case strings.Contains(groups, "/session-"):
		return ofLogin
	}
	return elsewhere
}

// kills asks logind whether the end of a login ends the user's processes. Where it cannot be asked, it is taken not to.
func (l Logins) kills(ctx context.Context) bool {
	answer, err := l.Ask(ctx, "busctl", "--system", "get-property", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
		"KillExcludeUsers", "KillOnlyUsers", "KillUserProcesses")
	if err != nil {
		return false
	}
	me, err := user.Current()
	return err != nil || ended(answer, me.Username)
}

// ended reports whether logind ends the processes of a user: who is excluded has none ended, else who is listed has, if there is a list.
func ended(answer, user string) bool {
	var is [3]string
	copy(is[:], strings.Split(answer, "\n"))
	named := func(list string) bool { return strings.Contains(list, strconv.Quote(user)) }
	const none = "as 0"
	switch excluded, only, all := is[0], is[1], is[2]; {
	case named(excluded), excluded == none && user == "root": // the default excludes root
		return false
	case strings.HasPrefix(only, "as ") && only != none:
		return named(only)
	default:
		return all == "b true"
	}
}

// Leave moves this process out of the session of a login whose end would end it, into a scope of the user's manager, before it starts
// others. Where that fails it stays, and [Logins.Ends] says so.
func (l Logins) Leave(ctx context.Context) {
	me := os.Getpid()
	ctx, cancel := context.WithTimeout(ctx, logoutTime)
	defer cancel()
	if l.where(me) != ofLogin || !l.kills(ctx) {
		return
	}
	pid := strconv.Itoa(me)
	_, err := l.Ask(ctx, "busctl", "--user", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
		"StartTransientUnit", "ssa(sv)a(sa(sv))", "parley-host-"+pid+".scope", "fail", "2", "PIDs", "au", "1", pid, "CollectMode", "s", "inactive-or-failed", "0")
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for err == nil && l.where(me) == ofLogin { // the answer comes before the move
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Ends returns what the user reads where logging out ends one of some processes, and what lets it go on; "" if it ends none.
func (l Logins) Ends(ctx context.Context, pids ...int) string {
	ctx, cancel := context.WithTimeout(ctx, logoutTime)
	defer cancel()
	worst := elsewhere
	for _, pid := range pids {
		if w := l.where(pid); worst == elsewhere || w == ofLogin {
			worst = w
		}
	}
	if worst == ofLogin && l.kills(ctx) {
		return "Logging out ends it: systemd ends your processes then (KillUserProcesses of logind.conf). After `loginctl enable-linger`, what you start with " +
			"`systemd-run --user --scope parley` goes on."
	}
	if worst == ofManager {
		known, err := l.Ask(ctx, "loginctl", "show-user", "--property=Sessions", "--property=Linger", strconv.Itoa(os.Getuid()))
		has := func(line string) bool { return strings.Contains("\n"+known, "\n"+line+"\n") }
		stays := has("Linger=yes") || has("Sessions=") // without a login there is no logout
		if err == nil && !stays && (l.where(l.Tmux) != ofLogin || l.kills(ctx)) {
			return "Your last logout ends it: systemd ends your services then. `loginctl enable-linger` lets it go on."
		}
	}
	if worst != elsewhere && ctx.Err() != nil {
		return "Logging out may end it: systemd doesn't answer."
	}
	return ""
}
