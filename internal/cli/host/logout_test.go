package host

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Control groups of processes.
const (
	inLogin   = "0::/user.slice/user-1000.slice/session-3.scope\n"
	inManager = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/parley-host-7.scope\n"
	inService = "0::/system.slice/cron.service\n"
	inLoginV1 = "12:pids:/user.slice/user-1000.slice/session-c1.scope\n1:name=systemd:/user.slice/user-1000.slice/session-c1.scope\n0::/\n"
	nowhere   = "0::/\n"
)

// What logind answers about the ends of logins.
const (
	ends  = "as 1 \"nobody\"\nas 0\nb true\n"
	keeps = "as 1 \"nobody\"\nas 0\nb false\n"
)

// fake is a system with systemd. What it does not say it cannot be asked.
type fake struct {
	kills, user string // what logind answers
	groups      map[int]string
	moves       bool // the user's manager takes processes
	moved       [][]string
}

func (f *fake) logins() Logins {
	return Logins{
		Cgroup: func(pid int) string { return f.groups[pid] },
		Ask: func(_ context.Context, argv ...string) (string, error) {
			answer := ""
			switch {
			case slices.Contains(argv, "KillUserProcesses"):
				answer = f.kills
			case argv[0] == "loginctl":
				answer = f.user
			case f.moves:
				f.moved, f.groups[os.Getpid()] = append(f.moved, argv), inManager
				answer = `o "/org/freedesktop/systemd1/job/9"`
			}
			if answer == "" {
				return "", errors.New("it cannot be asked")
			}
			return answer, nil
		},
	}
}

// Where a host is, what logind does and whether the user lingers decide what the user reads; what cannot be asked ends nothing.
func TestEnds(t *testing.T) {
	const login, last, both = "Logging out ends it", "Your last logout ends it", "Linger=no\nSessions=2 c1\n"
	for name, c := range map[string]struct {
		group, kills, asked string
		want                string
	}{
		"moved, lingers":             {inManager, ends, "Linger=yes\nSessions=2\n", ""},
		"moved, does not linger":     {inManager, ends, both, last},
		"not moved, lingers":         {inLogin, ends, "Linger=yes\nSessions=2\n", login},
		"not moved, does not linger": {inLogin, ends, both, login},
		"keeps":                      {inLogin, keeps, both, ""},
		"other cgroups":              {inLoginV1, ends, both, login},
		"terminal of a manager":      {inManager, keeps, both, last},
		"login of another user":      {inLogin, ends, "Sessions=\nLinger=yes\n", login},
		"no login":                   {inManager, ends, "Sessions=\nLinger=no\n", ""},
		"no systemd":                 {nowhere, "", "", ""},
		"service":                    {inService, ends, both, ""},
		"not asked":                  {inLogin, "", both, ""},
		"something else":             {inLogin, "b true\n", both, ""},
		"user unknown":               {inLogin, ends, "", login},
		"user unknown, moved":        {inManager, ends, "", ""},
		"ended":                      {"", ends, both, ""},
	} {
		f := &fake{kills: c.kills, user: c.asked, groups: map[int]string{7: c.group}}
		got := f.logins().Ends(t.Context(), 7)
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") || got != "" && !strings.Contains(got, "enable-linger") {
			t.Errorf("%s: %q", name, got)
		}
	}
	f := &fake{kills: ends, user: both, groups: map[int]string{7: inManager, 8: inLogin, 9: inManager}}
	if got := f.logins().Ends(t.Context(), 7, 8, 9); !strings.HasPrefix(got, login) {
		t.Errorf("of three: %q", got)
	}
	if got := f.logins().Ends(t.Context()) + (Logins{}).Ends(t.Context(), 8); got != "" {
		t.Errorf("of none: %q", got)
	}
}

// What systemd 252 and 257 answered to a user, and what then was left of the user's processes after a logout.
func TestEnded(t *testing.T) {
	const none, ann, bob, yes, no = "as 0\n", "as 1 \"ann\"\n", "as 1 \"bob\"\n", "b true\n", "b false\n"
	for _, c := range []struct {
		answer, user string
		want         bool
	}{
		{none + none + yes, "ann", true},
		{none + none + no, "ann", false},
		{ann + none + yes, "ann", false},
		{bob + none + yes, "ann", true},
		{none + bob + yes, "ann", false},
		{none + ann + no, "ann", true},
		{ann + ann + yes, "ann", false},
		{none + none + yes, "root", false},
		{bob + none + yes, "root", true},
		{none + ann + no, "an", false},
	} {
		if got := ended(c.answer, c.user); got != c.want {
			t.Errorf("%s: %q: %v", c.user, c.answer, got)
		}
	}
}

// A systemd that does not answer in time is named, and is not waited for any longer.
func TestHangs(t *testing.T) {
	late, cancel := context.WithCancel(t.Context())
	cancel()
	for group, want := range map[string]string{inLogin: "Logging out may end it: systemd doesn't answer.", inManager: "Logging out may end it: systemd doesn't answer.", inService: ""} {
		l := Logins{Cgroup: func(int) string { return group }, Ask: func(ctx context.Context, _ ...string) (string, error) { return "", ctx.Err() }}
		l.Leave(late)
		if got := l.Ends(late, 7); got != want {
			t.Errorf("%s: %q", group, got)
		}
	}
}

// The panes of tmux 3.5 are in scopes of the user's manager. That stays while the server is left in a login that ended, as systemd 257 does.
func TestEndsInTmux(t *testing.T) {
	for name, c := range map[string]struct {
		server, kills string
		want          bool
	}{
		"server stays":        {inLogin, keeps, false},
		"server is ended":     {inLogin, ends, true},
		"server of a manager": {inManager, keeps, true},
		"server is gone":      {"", keeps, true},
	} {
		f := &fake{kills: c.kills, user: "Linger=no\nSessions=2\n", groups: map[int]string{5: c.server, 7: inManager}}
		l := f.logins()
		l.Tmux = 5
		if got := l.Ends(t.Context(), 7); (got != "") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A host leaves a login that would end it, once, and stays where it is otherwise or if that fails.
func TestLeave(t *testing.T) {
	me := os.Getpid()
	for name, c := range map[string]struct {
		group, kills string
		moves, want  bool
	}{
		"leaves":        {inLogin, ends, true, true},
		"no manager":    {inLogin, ends, false, false},
		"not ended":     {inLogin, keeps, true, false},
		"of a manager":  {inManager, ends, true, false},
		"of a service":  {inService, ends, true, false},
		"without login": {nowhere, ends, true, false},
	} {
		f := &fake{kills: c.kills, groups: map[int]string{me: c.group}, moves: c.moves}
		f.logins().Leave(t.Context())
		if moved := len(f.moved) == 1 && slices.Contains(f.moved[0], strconv.Itoa(me)) && f.groups[me] == inManager; moved != c.want || len(f.moved) > 1 {
			t.Errorf("%s: %q", name, f.moved)
		}
	}
	(Logins{}).Leave(t.Context())
	late, cancel := context.WithCancel(t.Context())
	cancel()
	slow := Logins{Cgroup: func(int) string { return inLogin }, Ask: func(context.Context, ...string) (string, error) { return ends, nil }}
	slow.Leave(late) // a move that does not come is not waited for
}
