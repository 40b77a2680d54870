package claudetest

import (
	"os"
	"os/signal"
	"strings"
	"syscall"

	"parley/internal/crash"
	"parley/session/agenttest"
	"parley/session/proc"
)

// prefix begins the argument that names the script.
const prefix = "claudetest:"

// Program returns the driver.Launch.Program that runs a script as a separate process. The test binary's TestMain must call
// [Main].
func Program(name string) []string { return []string{os.Args[0], prefix + name} }

// Main plays the script that the arguments name and does not return; without one it returns at once. The other arguments
// and the environment are those of the driver.
func Main(scripts map[string]Script) {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], prefix) {
		return
	}
	c := &Conn{Streams: agenttest.NewStreams(os.Stdin, os.Stdout, os.Stderr, func(e proc.Exit) {
		if e.Signal == "killed" {
			if p, err := os.FindProcess(os.Getpid()); err == nil {
				_ = p.Kill()
			}
			select {}
		}
		if e.Code < 0 {
			e.Code = 1
		}
		os.Exit(e.Code)
	})}
	terminate := make(chan os.Signal, 1)
	signal.Notify(terminate, syscall.SIGTERM)
	crash.Go(func() {
		for range terminate {
			if !c.Deaf() {
				os.Exit(143)
			}
		}
	})
	s, ok := scripts[strings.TrimPrefix(os.Args[1], prefix)]
	if !ok {
		c.Stderr("no script named " + os.Args[1])
		os.Exit(2)
	}
	s(c)
	os.Exit(0)
}
