package crash

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// inChild makes the test binary panic in one of these ways.
const inChild = "PARLEY_TEST_CRASH"

var ways = map[string]func(){
	"go":    func() { Go(boom) },
	"timer": func() { time.AfterFunc(0, Guarded(boom)) },
	"context": func() {
		ctx, cancel := context.WithCancel(context.Background())
		context.AfterFunc(ctx, Guarded(boom))
		cancel()
	},
	"group": func() {
		var wg sync.WaitGroup
		wg.Go(Guarded(boom))
	},
	"twice":     func() { Go(boom); Go(boom) },
	"unhandled": func() { Go(boom) },
	"stuck": func() {
		Last(func() { fmt.Println("the first") })
		Last(func() { select {} })
		Last(func() { panic("another") })
		Go(boom)
	},
	"forgotten": func() { Last(func() { fmt.Println("too late") })(); Go(boom) },
}

func boom() { panic("boom of a test") }

func TestMain(m *testing.M) {
	way := os.Getenv(inChild)
	if way == "" {
		os.Exit(m.Run())
	}
	if way != "unhandled" {
		Handle(func(value any, stack []byte) {
			fmt.Printf("%v\n%s", value, stack)
			os.Exit(7)
		})
	}
	ways[way]()
	select {}
}

// However a goroutine began, its panic is reported once, with its stack, after what has to be done.
func TestPanicsAreReported(t *testing.T) {
	for way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), inChild+"="+way)
			b, err := cmd.CombinedOutput()
			out := string(b)
			if want := map[bool]int{true: 2, false: 7}[way == "unhandled"]; cmd.ProcessState.ExitCode() != want {
				t.Errorf("%v: %s", err, out)
			}
			if strings.Count(out, "boom of a test") != 1+strings.Count(out, "panic: boom of a test [recovered") || !strings.Contains(out, "crash.boom") {
				t.Errorf("it says\n%s", out)
			}
			if strings.Contains(out, "the first") != (way == "stuck") || strings.Contains(out, "too late") {
				t.Errorf("it did\n%s", out)
			}
		})
	}
}
