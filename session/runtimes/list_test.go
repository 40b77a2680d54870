package runtimes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

func TestUseListRemove(t *testing.T) {
	b := newBench(t)
	data := packageOf("@toys/toy-linux-x64", "1.5.0")
	b.reg.packages["@toys/toy-linux-x64@1.5.0"] = data
	for _, v := range []string{"1.5.0", "2.0.0"} {
		if _, err := b.Install(t.Context(), "toy", v, nil); err != nil {
			t.Fatal(err)
		}
	}
	found, err := b.Find("toy")
	if err != nil || found.Version != "2.0.0" {
		t.Fatalf("%+v, %v", found, err)
	}
	release, err := b.Hold(t.Context(), found.Runtime, "session one")
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.Hold(t.Context(), found.Runtime, "session two")
	if err != nil {
		t.Fatal(err)
	}

	list := b.List()
	if len(list) != 2 || list[0].Version != "2.0.0" || list[1].Version != "1.5.0" {
		t.Fatalf("listed %+v", list)
	}
	if u := list[0].Uses; len(u) != 2 || u[0].PID != os.Getpid() || !strings.HasPrefix(u[0].By, "session ") || len(list[1].Uses) != 0 {
		t.Errorf("uses %+v, %+v", u, list[1].Uses)
	}
	gone, err := b.Remove(t.Context(), "toy", "2.0.0")
	if ReasonOf(err) != ReasonInUse || session.KindOf(err) != session.KindLocked || !strings.Contains(err.Error(), "session one") || len(gone) != 0 {
		t.Errorf("removed %+v, %v", gone, err)
	}
	release()
	if list := b.List(); len(list[0].Uses) != 1 {
		t.Errorf("uses %+v", list[0].Uses)
	}
	gone, err = b.Remove(t.Context(), "toy", "") // all: the one that is free goes, the other is named
	if len(gone) != 1 || gone[0].Version != "1.5.0" || !strings.Contains(err.Error(), "session two") {
		t.Errorf("removed %+v, %v", gone, err)
	}
	second()
	if gone, err = b.Remove(t.Context(), "toy", "2.0.0"); err != nil || len(gone) != 1 {
		t.Errorf("removed %+v, %v", gone, err)
	}
	if got := b.leftovers(); len(got) != 0 {
		t.Errorf("left behind %v", got)
	}
	if _, err = b.Remove(t.Context(), "toy", "2.0.0"); ReasonOf(err) != ReasonNotInstalled {
		t.Error(err)
	}
	if _, err = b.Hold(t.Context(), found.Runtime, "late"); ReasonOf(err) != ReasonNotInstalled {
		t.Errorf("held what is gone: %v", err)
	}
}

// TestMarksOfTheDead checks marks of killed processes, which are not locked.
func TestMarksOfTheDead(t *testing.T) {
	b := newBench(t)
	if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil {
		t.Fatal(err)
	}
	dir := b.store.usesDir(b.families[0], "2.0.0")
	file(t, filepath.Join(dir, "1.json"), `{"pid":1,"by":"dead"}`, 0o600)
	if list := b.List(); len(list) != 1 || len(list[0].Uses) != 0 {
		t.Errorf("listed %+v", list)
	}
	if _, err := b.Remove(t.Context(), "toy", "2.0.0"); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("marks remain: %v", entries)
	}
}

func TestHoldNeedsNothingElsewhere(t *testing.T) {
	b := newBench(t)
	release, err := b.Hold(t.Context(), Runtime{Name: "toy", Source: SourcePath}, "x")
	if err != nil {
		t.Fatal(err)
	}
	release()
	if _, err := os.Stat(b.o.Dir); !os.IsNotExist(err) {
		t.Errorf("it made %s", b.o.Dir)
	}
}

func TestSpec(t *testing.T) {
	for _, tc := range []struct {
		in, name, version string
		reason            Reason
	}{
		{in: "claude", name: "claude"},
		{in: "claude@2.1.112", name: "claude", version: "2.1.112"},
		{in: "claude@2.1.198-beta.1", name: "claude", version: "2.1.198-beta.1"},
		{in: "claude@latest", name: "claude", version: latestTag},
		{in: "clod", reason: ReasonUnknownName},
		{in: "", reason: ReasonUnknownName},
		{in: "claude@", reason: ReasonInvalidVersion},
		{in: "claude@2.1", reason: ReasonInvalidVersion},
		{in: "claude@^2.1.0", reason: ReasonInvalidVersion},
		{in: "claude@../../etc", reason: ReasonInvalidVersion},
		{in: "claude@1.0.0-..", reason: ReasonInvalidVersion},
		{in: "claude@1.0.0 --registry=x", reason: ReasonInvalidVersion},
	} {
		name, version, err := Spec(tc.in)
		if name != tc.name && tc.reason == "" || version != tc.version || ReasonOf(err) != tc.reason {
			t.Errorf("%q: %q %q %v", tc.in, name, version, err)
		}
	}
}

func TestDownloadSize(t *testing.T) {
	for _, tc := range []struct {
		platform           Platform
		name, version, set string
		want               int64
	}{
		{platform: Platform{OS: "linux", Arch: "amd64"}, name: "claude", want: claudeNewestArchives["linux-x64"].size},
		{platform: Platform{OS: "linux", Arch: "amd64", Musl: true}, name: "claude", want: claudeNewestArchives["linux-x64-musl"].size},
		{platform: Platform{OS: "darwin", Arch: "arm64"}, name: "claude", want: claudeNewestArchives["darwin-arm64"].size},
		{platform: Platform{OS: "freebsd", Arch: "amd64"}, name: "claude", want: 19_084_773},
		{platform: Platform{OS: "darwin", Arch: "arm64"}, name: "claude", version: "2.1.112", want: 19_084_773},
		{platform: Platform{OS: "darwin", Arch: "arm64"}, name: "claude", set: "2.1.112", want: 19_084_773},
		{platform: Platform{OS: "darwin", Arch: "arm64"}, name: "claude", version: "2.1.150"},
		{platform: Platform{OS: "darwin", Arch: "arm64"}, name: "claude", version: latestTag},
		{platform: Platform{OS: "darwin", Arch: "arm64"}, name: "clod"},
	} {
		r := New(Options{Dir: t.TempDir(), Platform: tc.platform, Configured: map[string]Configured{"claude": {Version: tc.set}}})
		if got := r.DownloadSize(tc.name, tc.version); got != tc.want {
			t.Errorf("%s %s on %+v: %d bytes, not %d", tc.name, tc.version, tc.platform, got, tc.want)
		}
	}
}

// TestPinsAreWhole keeps a tested version from being added without its platforms.
func TestPinsAreWhole(t *testing.T) {
	for _, f := range families {
		versions := []string{}
		for _, p := range f.pins {
			versions = append(versions, p.version)
			if !isVersion(p.version) || len(p.packages) == 0 {
				t.Errorf("%s %q", f.name, p.version)
			}
			for key, pkg := range p.packages {
				if sums := sha512Of(pkg.integrity); len(sums) != 1 || pkg.name == "" || !isVersion(pkg.version) {
					t.Errorf("%s %s on %s: %+v", f.name, p.version, key, pkg)
				}
				if pkg.size < 1<<20 || pkg.size > 1<<30 {
					t.Errorf("%s %s on %s: an archive of %d bytes", f.name, p.version, key, pkg.size)
				}
				if (key == anyPlatform) != pkg.script {
					t.Errorf("%s %s on %s: script %v", f.name, p.version, key, pkg.script)
				}
			}
		}
		if !slices.IsSortedFunc(versions, compareVersions) || versions[0] != f.oldest || versions[len(versions)-1] != f.newest {
			t.Errorf("%s: %v between %s and %s", f.name, versions, f.oldest, f.newest)
		}
	}
	for _, version := range []string{"2.1.197", claudeNewest} {
		for key := range nativePlatforms {
			if claude.pinOf(version).packages[key].name != claudeNative+"-"+key {
				t.Errorf("no hash of %s for %s", version, key)
			}
		}
	}
}
