package runtimes

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"parley/session/proc/proctest"
)

// The test binary is also a fake npm, and another process that installs, if one of these is set.
const (
	asNPM       = "PARLEY_RUNTIMES_TEST_NPM"     // the fake registry's address
	asInstaller = "PARLEY_RUNTIMES_TEST_INSTALL" // the directory to install into
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asInstaller) != "":
		installInThisProcess()
	case os.Getenv(asNPM) != "":
		os.Exit(fakeNPM(os.Getenv(asNPM), os.Args[1:]))
	default:
		goleak.VerifyTestMain(proctest.Watch(m))
	}
}

// fakeNPM answers `npm view SPEC ...` and `npm pack SPEC ... --pack-destination DIR` with what the fake registry says that
// npm says.
func fakeNPM(registry string, args []string) int {
	resp, err := http.Get(registry + "/" + args[0] + "?spec=" + url.QueryEscape(args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, "npm error code ECONNREFUSED")
		return 1
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || args[0] == "view" {
		io.Copy(os.Stdout, resp.Body)
		if resp.StatusCode != http.StatusOK {
			return 1
		}
		return 0
	}
	for i, a := range args {
		if a == "--pack-destination" {
			data, _ := io.ReadAll(resp.Body)
			if os.WriteFile(filepath.Join(args[i+1], "packed.tgz"), data, 0o600) != nil {
				return 1
			}
		}
	}
	return 0
}

// installInThisProcess is one of several processes that install the same.
func installInThisProcess() {
	dir := os.Getenv(asInstaller)
	os.Unsetenv(asInstaller) // it is the fake npm's turn next
	r := New(Options{Dir: dir, Environ: os.Environ(), Platform: linux, NPM: []string{os.Args[0]}})
	r.families = []*family{toys(os.Getenv("TOY_INTEGRITY"))}
	i, err := r.Install(context.Background(), "toy", "2.0.0", func(p Progress) {
		if p.Stage == StageDownloading && p.Done > 0 {
			fmt.Println("downloading")
		}
	})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	out, _ := json.Marshal(i)
	fmt.Println(string(out))
}
