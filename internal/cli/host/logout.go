package host

import (
	"context"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"time"
)

// EndsText is what the user reads where logging out ends what goes on.
const EndsText = "Logging out ends it: systemd ends your processes then (KillUserProcesses=yes)."

// logoutTime bounds the question to logind.
const logoutTime = time.Second

// Asker runs a program of systemd and returns what it prints.
type Asker func(ctx context.Context, argv ...string) (string, error)

// EndsAtLogout asks logind whether it ends a user's processes at the logout. Where it cannot be asked, it is taken not to.
func EndsAtLogout(ctx context.Context, ask Asker) bool {
	ctx, cancel := context.WithTimeout(ctx, logoutTime)
	defer cancel()
	property := func(name string) (string, error) {
		return ask(ctx, "busctl", "--system", "get-property", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", name)
	}
	kills, err := property("KillUserProcesses")
	if err != nil || strings.TrimSpace(kills) != "b true" {
		return false
	}
	if me, err := user.Current(); err == nil {
		if spared, err := property("KillExcludeUsers"); err == nil && strings.Contains(spared, strconv.Quote(me.Username)) { // such as root
			return false
		}
	}
	session, err := ask(ctx, "loginctl", "show-user", "--property=Sessions", "--value", strconv.Itoa(os.Getuid()))
	return err != nil || strings.TrimSpace(session) != "" // without a session of a login there is no logout
}

// Logind asks the logind of this system, if systemd runs it.
func Logind(ctx context.Context, argv ...string) (string, error) {
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).Output()
	return string(out), err
}
