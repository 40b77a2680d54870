package proc

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley/session/proc/proctest"
)

// With this variable set the test binary is one of the processes of a test.
const roleVariable = "PARLEY_PROC_TEST_ROLE"

func TestMain(m *testing.M) {
	switch role, arg, _ := strings.Cut(os.Getenv(roleVariable), ":"); role {
	case "":
		goleak.VerifyTestMain(proctest.Watch(m))
	case "owner":
		beOwner(arg)
	case "parent":
		beParent()
	case "detached":
		beDetached()
	}
}

// beOwner is a program with a group: it starts a parent, says the pids of that, of its detached child and of the guard,
// and waits to be killed.
func beOwner(dir string) {
	g := New(Options{Dir: dir})
	c, err := g.Start(context.Background(), Command{Argv: []string{os.Args[0]}, Env: roleEnv("parent"), Label: "parent"})
	if err != nil {
		fmt.Println(err)
		return
	}
	line, _ := bufio.NewReader(c.Stdout()).ReadString('\n')
	fmt.Println(c.Pid(), strings.TrimSpace(line), guardPid(g))
	time.Sleep(time.Hour)
}

// beParent starts a child that leaves its process group and session, says its pid, and waits.
func beParent() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=detached")
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		return
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	fmt.Print(line)
	if s := bufio.NewScanner(os.Stdin); s.Scan() && s.Text() == "leave" {
		return
	}
	time.Sleep(time.Hour)
}

func beDetached() {
	leaveSession()
	fmt.Println(os.Getpid())
	time.Sleep(time.Hour)
}

func roleEnv(role string) []string {
	return append(os.Environ(), roleVariable+"="+role)
}

func guardPid(g *Group) int {
	if g.guard == nil {
		return 0
	}
	return g.guard.pid()
}
