package host

import (
	"context"
	"errors"
	"os"
	"os/user"
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

// fake is a system with systemd. What it does not say it cannot be asked.
type fake struct {
	kills, spared, user string // what logind answers
	groups              map[int]string
	moves               bool // the user's manager takes processes
	moved               [][]string
}

func (f *fake) logins() Logins {
	return Logins{
		Cgroup: func(pid int) string { return f.groups[pid] },
		Ask: func(_ context.Context, argv ...string) (string, error) {
			answer := ""
			switch {
			case slices.Contains(argv, "KillExcludeUsers"):
				answer = f.spared
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
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	const login, last, both = "Logging out ends it", "Your last logout ends it", "Linger=no\nSessions=2 c1\n"
	for name, c := range map[string]struct {
		group                string
		kills, spared, asked string
		want                 string
	}{
		"moved, lingers":             {inManager, "b true\n", "", "Linger=yes\nSessions=2\n", ""},
		"moved, does not linger":     {inManager, "b true\n", "", both, last},
		"not moved, lingers":         {inLogin, "b true\n", "as 0", "Linger=yes\nSessions=2\n", login},
		"not moved, does not linger": {inLogin, "b true\n", "as 0", both, login},
		"keeps":                      {inLogin, "b false\n", "as 0", both, ""},
		"other cgroups":              {inLoginV1, "b true\n", "as 0", both, login},
		"terminal of a manager":      {inManager, "b false\n", "", both, last},
		"no login":                   {inLogin, "b true\n", "as 0", "Sessions=\nLinger=no\n", ""},
		"no login, moved":            {inManager, "b true\n", "as 0", "Sessions=\nLinger=no\n", ""},
		"no systemd":                 {nowhere, "", "", "", ""},
		"service":                    {inService, "b true\n", "", both, ""},
		"not asked":                  {inLogin, "", "", both, ""},
		"something else":             {inLogin, "s \"true\"\n", "", both, ""},
		"user unknown":               {inLogin, "b true\n", "", "", login},
		"user unknown, moved":        {inManager, "b true\n", "", "", ""},
		"spared":                     {inLogin, "b true\n", `as 2 "nobody" "` + me.Username + `"`, both, ""},
		"others are spared":          {inLogin, " b true \n", `as 1 "nobody"`, both, login},
		"ended":                      {"", "b true\n", "", both, ""},
	} {
		f := &fake{kills: c.kills, spared: c.spared, user: c.asked, groups: map[int]string{7: c.group}}
		got := f.logins().Ends(t.Context(), 7)
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") || got != "" && !strings.Contains(got, "enable-linger") {
			t.Errorf("%s: %q", name, got)
		}
	}
	f := &fake{kills: "b true", user: both, groups: map[int]string{7: inManager, 8: inLogin, 9: inManager}}
	if got := f.logins().Ends(t.Context(), 7, 8, 9); !strings.HasPrefix(got, login) {
		t.Errorf("of three: %q", got)
	}
	if got := f.logins().Ends(t.Context()) + (Logins{}).Ends(t.Context(), 8); got != "" {
		t.Errorf("of none: %q", got)
	}
}

// A host leaves a login that would end it, once, and stays where it is otherwise or if that fails.
func TestLeave(t *testing.T) {
	me := os.Getpid()
	for name, c := range map[string]struct {
		group, kills string
		moves, want  bool
	}{
		"leaves":        {inLogin, "b true", true, true},
		"no manager":    {inLogin, "b true", false, false},
		"not ended":     {inLogin, "b false", true, false},
		"of a manager":  {inManager, "b true", true, false},
		"of a service":  {inService, "b true", true, false},
		"without login": {nowhere, "b true", true, false},
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
	slow := Logins{Cgroup: func(int) string { return inLogin }, Ask: func(context.Context, ...string) (string, error) { return "b true", nil }}
	slow.Leave(late) // a move that does not come is not waited for
}
