package driver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// TestServersAreHandedOver in a private file that exists while the runtime starts, and is gone
// afterwards, however the start ends.
func TestServersAreHandedOver(t *testing.T) {
	for _, fails := range []bool{false, true} {
		c := &consumer{}
		o := c.options(func(c *claudetest.Conn) { c.Handshake(); c.Serve(nil, nil) })
		o.TempDir = t.TempDir()
		stale := filepath.Join(o.TempDir, "parley-mcp-1.json")
		if err := os.WriteFile(stale, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(stale, old, old); err != nil {
			t.Fatal(err)
		}
		o.Servers = []byte(`{"mine":{"command":"x","env":{"KEY":"secret value"}}}`)
		start, read := o.Start, ""
		o.Start = func(ctx context.Context, cmd proc.Command) (pipe.Process, error) {
			i := slices.Index(cmd.Argv, "--mcp-config")
			if i < 0 || !slices.Contains(cmd.Argv, "--strict-mcp-config") {
				t.Fatalf("arguments %q", cmd.Argv)
			}
			data, err := os.ReadFile(cmd.Argv[i+1])
			if info, statErr := os.Stat(cmd.Argv[i+1]); err != nil || statErr != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
				t.Errorf("%v, %v, %v", info, err, statErr)
			}
			read = string(data)
			if fails {
				return nil, errors.New("no such program")
			}
			return start(ctx, cmd)
		}
		if fails {
			if _, err := driver.Start(t.Context(), o); err == nil {
				t.Fatal("started")
			}
		} else {
			begin(t, c, o)
		}
		if read != `{"mcpServers":{"mine":{"command":"x","env":{"KEY":"secret value"}}}}`+"\n" {
			t.Errorf("the runtime got %q", read)
		}
		if left, err := os.ReadDir(o.TempDir); err != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// TestServersThatTheRuntimeRefuses do not keep it from starting.
func TestServersThatTheRuntimeRefuses(t *testing.T) {
	c := &consumer{}
	o := c.options(func(c *claudetest.Conn) { c.Handshake(); c.Serve(nil, nil) })
	o.TempDir, o.Servers = t.TempDir(), []byte(`{"odd":{}}`)
	good, starts := o.Start, 0
	bad := claudetest.Starter(func(c *claudetest.Conn) {
		c.Stderr("Error: Invalid MCP configuration:\nodd: Does not adhere")
		c.Exit(1)
	})
	o.Start = func(ctx context.Context, cmd proc.Command) (pipe.Process, error) {
		starts++
		if slices.Contains(cmd.Argv, "--mcp-config") {
			return bad(ctx, cmd)
		}
		if !slices.Contains(cmd.Argv, "--strict-mcp-config") {
			t.Errorf("the second start is not strict: %q", cmd.Argv)
		}
		return good(ctx, cmd)
	}
	begin(t, c, o)
	if starts != 2 {
		t.Errorf("started %d times", starts)
	}
}

// TestNoServersAreNotHandedOver, also where the launch has come through JSON.
func TestNoServersAreNotHandedOver(t *testing.T) {
	c := &consumer{}
	o := c.options(func(c *claudetest.Conn) { c.Handshake(); c.Serve(nil, nil) })
	o.TempDir, o.Servers = t.TempDir(), []byte("null")
	start := o.Start
	o.Start = func(ctx context.Context, cmd proc.Command) (pipe.Process, error) {
		if slices.Contains(cmd.Argv, "--mcp-config") {
			t.Errorf("arguments %q", cmd.Argv)
		}
		return start(ctx, cmd)
	}
	begin(t, c, o)
}

// TestServersThatCannotBeHandedOver end the start with the reason.
func TestServersThatCannotBeHandedOver(t *testing.T) {
	c := &consumer{}
	o := c.options(func(c *claudetest.Conn) { c.Handshake() })
	o.TempDir, o.Servers = filepath.Join(t.TempDir(), "gone"), []byte(`{"mine":{}}`)
	if _, err := driver.Start(t.Context(), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
