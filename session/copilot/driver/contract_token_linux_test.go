//go:build contract

package driver_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/session/copilot/driver"
)

// No command that the runtime runs finds the token: in its environment, in that of the runtime, or in a file of it.
func TestContractCommandsFindNoToken(t *testing.T) {
	eachRuntime(t, func(t *testing.T, o driver.Options) {
		secret, _ := o.Token(t.Context())
		o.Environ = append(o.Environ, "GH_TOKEN="+secret, "GITHUB_TOKEN="+secret, "COPILOT_GITHUB_TOKEN="+secret, "COPILOT_SDK_AUTH_TOKEN="+secret)
		look := filepath.Join(t.TempDir(), "look.sh")
		if err := os.WriteFile(look, []byte("env; p=$PPID; while [ \"$p\" -gt 1 ]; do tr '\\0' '\\n' </proc/$p/environ 2>/dev/null;"+
			" tr '\\0' ' ' </proc/$p/cmdline; echo pid $p; [ $p = $RUNTIME ] && break; p=$(awk '/^PPid/{print $2}' /proc/$p/status); done; echo looked\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		c := drive(t, o, "session.create", "s-1")
		c.send("run: RUNTIME=" + strconv.Itoa(c.Pid()) + " sh " + look)
		got := results(c.until("session.idle"))
		if !strings.Contains(got, "looked") || !strings.Contains(got, "pid "+strconv.Itoa(c.Pid())) {
			t.Fatalf("the command did not look: %s", got)
		}
		if strings.Contains(got, secret) {
			t.Error("a command has the token")
		}
		_ = filepath.WalkDir(o.Dir, func(path string, entry os.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil
			}
			if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s has the token", path)
			}
			return nil
		})
	})
}
