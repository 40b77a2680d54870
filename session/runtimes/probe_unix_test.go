//go:build unix

package runtimes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// counting is a program that says a version and counts how often it is asked.
func counting(version, log string) string {
	return "#!/bin/sh\necho \"$1\" >> " + log + "\necho '" + version + "'\n"
}

func asked(log string) int {
	data, _ := os.ReadFile(log)
	return strings.Count(string(data), "--version\n")
}

func TestResolveAsksOnce(t *testing.T) {
	b := newBench(t)
	log := filepath.Join(t.TempDir(), "log")
	toy := program(t, filepath.Join(b.bin, "toy"), counting("2.0.0 (Toy)", log))
	for range 3 {
		found, err := b.Resolve(t.Context(), "toy")
		if err != nil || found.Version != "2.0.0" || found.Standing != StandingTested || len(found.Notices) != 0 {
			t.Fatalf("%+v, %v", found, err)
		}
	}
	if asked(log) != 1 {
		t.Errorf("asked %d times", asked(log))
	}
	if found, err := b.Find("toy"); err != nil || found.Version != "2.0.0" {
		t.Errorf("finding does not remember: %+v, %v", found, err)
	}
	// It is updated.
	program(t, toy, counting("3.0.0 (Toy)", log))
	if err := os.Chtimes(toy, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	found, err := b.Resolve(t.Context(), "toy")
	if err != nil || found.Version != "3.0.0" || len(found.Notices) != 1 || found.Notices[0].Reason != ReasonNewer || asked(log) != 2 {
		t.Errorf("after the update %+v, %v, asked %d times", found, err, asked(log))
	}
}

func TestResolvePassesOver(t *testing.T) {
	second := func(b *bench) string { return filepath.Join(filepath.Dir(b.bin), "second") }
	for name, tc := range map[string]struct {
		first   string
		reason  Reason
		version string
	}{
		"too old":          {"#!/bin/sh\necho 0.5.0\n", ReasonTooOld, "2.0.0"},
		"says nothing":     {"#!/bin/sh\n", ReasonCannotTell, "2.0.0"},
		"fails":            {"#!/bin/sh\necho oh no >&2\nexit 3\n", ReasonCannotTell, "2.0.0"},
		"no such shell":    {"#!/nonexistent/sh\n", ReasonCannotTell, "2.0.0"},
		"talks too much":   {"#!/bin/sh\nyes hello | head -c 1000000\n", ReasonCannotTell, "2.0.0"},
		"token of no kind": {"#!/bin/sh\necho \"2.0.0 $GH_TOKEN\" | grep -v tok\n", "", "2.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.env.vars = append(b.env.vars, "GH_TOKEN=tok", "PATH="+b.bin+":"+second(b)+":"+os.Getenv("PATH"))
			program(t, filepath.Join(b.bin, "toy"), tc.first)
			program(t, filepath.Join(second(b), "toy"), "#!/bin/sh\necho 2.0.0\n")
			found, err := b.Resolve(t.Context(), "toy")
			if err != nil || found.Version != tc.version {
				t.Fatalf("%+v, %v", found, err)
			}
			if tc.reason == "" {
				if len(found.Notices) != 0 || filepath.Dir(found.Path) != b.bin {
					t.Errorf("the first was passed over, it got the token: %+v", found)
				}
				return
			}
			if len(found.Notices) != 1 || found.Notices[0].Reason != tc.reason || found.Notices[0].Path != filepath.Join(b.bin, "toy") {
				t.Errorf("notices %+v", found.Notices)
			}
			if tc.reason == ReasonTooOld { // remembered: finding knows it now without asking
				if found, err := b.Find("toy"); err != nil || len(found.Notices) != 1 || found.Notices[0].Version != "0.5.0" {
					t.Errorf("found %+v, %v", found, err)
				}
			}
		})
	}
}

func TestResolveConfiguredIsNotPassedOver(t *testing.T) {
	b := newBench(t)
	bad := program(t, filepath.Join(t.TempDir(), "mine"), "#!/bin/sh\nexit 1\n")
	b.o.Configured = map[string]Configured{"toy": {Path: bad}}
	program(t, filepath.Join(b.bin, "toy"), "#!/bin/sh\necho 2.0.0\n")
	if _, err := b.Resolve(t.Context(), "toy"); ReasonOf(err) != ReasonCannotTell || session.KindOf(err) != session.KindRuntime ||
		!strings.Contains(err.Error(), bad) {
		t.Error(err)
	}
}

func TestOldNode(t *testing.T) {
	b := newBench(t)
	m := machine{b, t.TempDir()}
	m.npmScript("1.0.0")
	program(t, filepath.Join(b.bin, "node"), "#!/bin/sh\necho v16.20.2\n")
	if _, err := b.Resolve(t.Context(), "toy"); ReasonOf(err) != ReasonNotFound || !strings.Contains(err.Error(), "v16.20.2") &&
		!strings.Contains(err.Error(), "16.20.2, which is too old") {
		t.Error(err)
	}
}

func TestProbeCanBeGivenUp(t *testing.T) {
	b := newBench(t)
	fifo := filepath.Join(t.TempDir(), "started")
	program(t, filepath.Join(b.bin, "toy"), "#!/bin/sh\ntouch "+fifo+"\nwhile :; do sleep 1; done\n")
	b.env.vars = append(b.env.vars, "PATH="+b.bin+":"+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for _, err := os.Stat(fifo); err != nil; _, err = os.Stat(fifo) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := b.Resolve(ctx, "toy"); session.KindOf(err) != session.KindCancelled || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestNpmGetsNoTokenOfParley: npm has the user's environment, where a registry's login may be, but not the one variable that
// is for parley only.
func TestNpmGetsNoTokenOfParley(t *testing.T) {
	got := filepath.Join(t.TempDir(), "env")
	npm := program(t, filepath.Join(t.TempDir(), "npm"), "#!/bin/sh\nenv > "+got+"\nexit 1\n")
	b := newBench(t, func(o *Options) {
		o.NPM = []string{npm}
		o.Environ = append(o.Environ, "COPILOT_GITHUB_TOKEN=never", "GITHUB_TOKEN=login", "PATH="+os.Getenv("PATH"))
	})
	if _, err := b.Install(t.Context(), "toy", "", nil); err == nil {
		t.Fatal("installed nothing")
	}
	data, err := os.ReadFile(got)
	if err != nil || strings.Contains(string(data), "never") || !strings.Contains(string(data), "GITHUB_TOKEN=login\n") {
		t.Errorf("%v, npm got\n%s", err, data)
	}
}
