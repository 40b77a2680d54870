//go:build unix

package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program that fails says why, and one that ends well says nothing.
func TestSpawn(t *testing.T) {
	for script, want := range map[string]string{
		"echo 'parley: the lock cannot be opened' >&2; echo more >&2; exit 1": "the lock cannot be opened", "exit 3": "it ended: exit status 3", "echo fine >&2": "",
	} {
		ended, err := Spawn("/bin/sh", []string{"-c", script}, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		if err := <-ended; want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "more")) {
			t.Errorf("%q: %v", script, err)
		}
		if _, open := <-ended; open {
			t.Errorf("%q: it is said twice", script)
		}
	}
	if _, err := Spawn("/none/parley", nil, nil); err == nil {
		t.Error("there is no such program")
	}
}

// A host gets the arguments and the environment that its starter gives it, and has no folder of it.
func TestSpawnPassesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	got := filepath.Join(t.TempDir(), "got")
	ended, err := Spawn("/bin/sh", []string{"-c", `printf '%s|' "$PWD" "$A" "${HOME-none}" "$@" >` + got, "host", "--flag=a b", ""}, []string{"A=1 2"})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(got); string(text) != "/|1 2|none|--flag=a b||" {
		t.Errorf("%q %v", text, err)
	}
}

// The programs of systemd are asked as they read their arguments, here by ones that play them.
func TestLeaveByPrograms(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	groups, asked := filepath.Join(dir, "groups"), filepath.Join(dir, "asked")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "busctl"), `#!/bin/sh
case $* in
*"KillExcludeUsers KillOnlyUsers KillUserProcesses") echo 'as 1 "nobody"'; echo as 0; echo b true;;
*StartTransientUnit*) for a; do echo "$a"; done >`+asked+`; echo `+strings.TrimSpace(inManager)+` >`+groups+`;;
esac
`)
	write(filepath.Join(dir, "loginctl"), "#!/bin/sh\necho Sessions=2; echo Linger=no\n")
	write(groups, inLogin)
	l := Logins{Ask: run, Cgroup: func(int) string {
		text, err := os.ReadFile(groups)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}}
	if before := l.Ends(t.Context(), 7); !strings.HasPrefix(before, "Logging out") {
		t.Errorf("before: %q", before)
	}
	l.Leave(t.Context())
	text, err := os.ReadFile(asked)
	want := fmt.Sprintf("StartTransientUnit\nssa(sv)a(sa(sv))\nparley-host-%d.scope\nfail\n2\nPIDs\nau\n1\n%[1]d\nCollectMode\ns\ninactive-or-failed\n0\n", os.Getpid())
	if !strings.HasSuffix(string(text), want) || err != nil {
		t.Errorf("%s %v", text, err)
	}
	if after := l.Ends(t.Context(), 7); !strings.HasPrefix(after, "Your last logout") {
		t.Errorf("after: %q", after)
	}
}
