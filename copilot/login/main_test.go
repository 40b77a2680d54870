package login

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// actAsGH, set in the environment, makes this test binary stand in for the gh command.
const actAsGH = "PARLEY_TEST_GH"

// patience bounds waiting for something that must happen; a test that reaches it has failed.
const patience = 20 * time.Second

func TestMain(m *testing.M) {
	if how, ok := os.LookupEnv(actAsGH); ok {
		os.Exit(standInForGH(how))
	}
	dir, err := os.MkdirTemp("", "login-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// The configuration of gh that all tests see.
	hosts := "acme.ghe.com:\n    oauth_token: gho_of_acme\n"
	if err := os.WriteFile(filepath.Join(dir, "hosts.yml"), []byte(hosts), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for name, value := range map[string]string{
		"GH_CONFIG_DIR": dir, "HOME": dir, "GH_PATH": filepath.Join(dir, "no-gh"), "GH_HOST": "",
		"COPILOT_GITHUB_TOKEN": "", "GH_TOKEN": "", "GITHUB_TOKEN": "", "GH_ENTERPRISE_TOKEN": "",
		"GITHUB_ENTERPRISE_TOKEN": "", "HTTP_PROXY": "", "HTTPS_PROXY": "",
	} {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// standInForGH does what the gh command does, or what it does when the keyring is locked.
func standInForGH(how string) int {
	want := []string{"auth", "token", "--secure-storage", "--hostname", "github.com"}
	if fmt.Sprint(os.Args[1:]) != fmt.Sprint(want) {
		fmt.Fprintln(os.Stderr, "unexpected arguments:", os.Args[1:])
		return 2
	}
	switch how {
	case "token":
		fmt.Println("gho_of_the_keyring")
		return 0
	case "hang":
		time.Sleep(time.Hour) // killed by the test
	}
	return 1
}
