//go:build linux || darwin

package host

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/cli/output"
	"parley/session/host"
	"parley/session/sessiontest"
)

// Hosts in all folders are listed, and several that do not answer cost the time of one. What is said names each and what ends it.
func TestHostsOfAllFolders(t *testing.T) {
	dirs := make([]string, 2)
	for i := range dirs {
		dir, err := os.MkdirTemp("", "ps")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		dirs[i] = dir
	}
	place := func(dir, name string) host.Place { return host.Place{Dir: dir, Key: dataKey("/data") + name} }
	w := sessiontest.NewWorld()
	m := w.Manager()
	defer m.Close(context.Background())
	ctx, end := context.WithCancel(t.Context())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- host.Run(ctx, host.Options{Place: place(dirs[1], "00000001"), Manager: m, Program: "test", Log: slog.New(slog.DiscardHandler), Idle: time.Hour}, func() { close(ready) })
	}()
	defer func() { end(); <-ended }()
	<-ready
	for i, name := range []string{"00000002", "00000003", "00000004"} {
		p := place(dirs[i%2], name)
		silent, err := net.Listen("unix", filepath.Join(p.Dir, fmt.Sprintf("%s-v%d.sock", p.Key, host.Version)))
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		entry := fmt.Sprintf(`{"pid":%d,"version":1}`, 90001+i)
		if err := os.WriteFile(filepath.Join(p.Dir, fmt.Sprintf("%s-v%d.json", p.Key, host.Version)), []byte(entry), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	o := Options{Out: output.Results(&out, nil), Program: "test", Home: func() string { return "/" }, Data: func() string { return "/data" }, Dirs: func() []string { return dirs }}
	hosts, err := o.hosts(t.Context())
	if err != nil || len(hosts) != 4 {
		t.Fatalf("%+v %v", hosts, err)
	}
	short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	all, missing, err := o.rows(short)
	if err != nil || len(all) != 0 || len(missing) != 3 {
		t.Fatalf("%+v %q %v", all, missing, err)
	}
	for i, text := range missing {
		if pid := fmt.Sprint(90001 + []int{0, 2, 1}[i]); !strings.Contains(text, "Session host "+pid+" doesn't answer") || !strings.Contains(text, "`kill "+pid+"` ends it") {
			t.Errorf("%q", text)
		}
	}
	short, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := o.stopAll(short); err == nil || strings.Count(err.Error(), "kill -9 ") != 3 || !strings.Contains(out.String(), "Ended 1 session host.") {
		t.Errorf("%v, %q", err, out.String())
	}
}
