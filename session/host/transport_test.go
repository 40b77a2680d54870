package host

import (
	"regexp"
	"strings"
	"testing"
)

// A pipe belongs to one user, place and version, whatever the case in which the folder is written.
func TestPipeName(t *testing.T) {
	const me = "S-1-5-21-1-2-3-1001"
	one := pipeName(me, Place{`C:\Users\Me\parley`, "abcd"})
	if !regexp.MustCompile(`^\\\\\.\\pipe\\parley-[a-z2-7]{24}-v1$`).MatchString(one) {
		t.Error(one)
	}
	if strings.Contains(one, "1001") || pipeName(me, Place{`c:\users\me\PARLEY`, "abcd"}) != one {
		t.Error("it depends on case, or names the user")
	}
	for name, other := range map[string]string{"user": pipeName(me+"1", Place{`C:\Users\Me\parley`, "abcd"}), "folder": pipeName(me, Place{`D:\parley`, "abcd"}),
		"key": pipeName(me, Place{`C:\Users\Me\parley`, "abce"}), "joined": pipeName(me+`C:\Users\Me\parley`, Place{"", "abcd"})} {
		if other == one {
			t.Errorf("another %s has the same pipe", name)
		}
	}
}

func TestPipeAccess(t *testing.T) {
	if got := pipeAccess("S-1-2", false); got != "O:S-1-2D:P(A;;GA;;;S-1-2)" {
		t.Error(got)
	}
	if got := pipeAccess("S-1-2", true); got != "O:S-1-2D:P(A;;GA;;;S-1-2)S:(ML;;NW;;;HI)" {
		t.Error(got)
	}
}

// What ends a host that does not answer is a command of the system.
func TestKilling(t *testing.T) {
	for goos, want := range map[string]string{"linux": "`kill 7` ends it, `kill -9 7` if it is stopped", "windows": "`taskkill /PID 7 /F` ends it"} {
		if got := killing(7, goos); got != want {
			t.Errorf("%s: %s", goos, got)
		}
	}
}
