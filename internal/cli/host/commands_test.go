//go:build linux || darwin

package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
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
	short, cancel := context.WithTimeout(t.Context(), 2*time.Second)
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
	short, cancel = context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := o.stopAll(short); err == nil || strings.Count(err.Error(), "kill -9 ") != 3 || !strings.Contains(out.String(), "Ended 1 session host.") {
		t.Errorf("%v, %q", err, out.String())
	}
}

// A host that was stopped counts as ended once its process is gone, and is named if that does not go.
func TestStopAllWaits(t *testing.T) {
	dir, err := os.MkdirTemp("", "ps")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, ends := range []bool{true, false} {
		cmd := exec.Command("sh", "-c", "read line", ServeName)
		stdin, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		p := host.Place{Dir: dir, Key: dataKey("/data") + "00000001"}
		m := sessiontest.NewWorld().Manager()
		ready, ended := make(chan struct{}), make(chan error, 1)
		go func() {
			ended <- host.Run(t.Context(), host.Options{Place: p, Manager: m, Program: "test", Log: slog.New(slog.DiscardHandler), Idle: time.Hour}, func() { close(ready) })
		}()
		<-ready
		entry := fmt.Sprintf(`{"pid":%d,"version":1}`, cmd.Process.Pid)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-v%d.json", p.Key, host.Version)), []byte(entry), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o := Options{Out: output.Results(&out, nil), Program: "test", Data: func() string { return "/data" }, Dirs: func() []string { return []string{dir} }}
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() { stopped <- o.stopAll(ctx) }()
		<-ended // it was asked, and its process runs
		select {
		case err := <-stopped:
			t.Errorf("it does not wait: %v, %q", err, out.String())
		default:
		}
		if ends {
			if err := errors.Join(stdin.Close(), cmd.Wait()); err != nil && cmd.ProcessState == nil {
				t.Fatal(err)
			}
			if err := <-stopped; err != nil || out.String() != "Ended 1 session host.\n" {
				t.Errorf("%v, %q", err, out.String())
			}
		} else {
			cancel()
			if err := <-stopped; err == nil || err.Error() != unended(cmd.Process.Pid) || out.String() != "" {
				t.Errorf("%v, %q", err, out.String())
			}
			_ = errors.Join(stdin.Close(), cmd.Wait())
		}
		cancel()
		if err := m.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
