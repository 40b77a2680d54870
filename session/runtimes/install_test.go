package runtimes

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestInstallPinned(t *testing.T) {
	b := newBench(t)
	var stages []Stage
	i, err := b.Install(t.Context(), "toy", "", func(p Progress) {
		if p.Name != "toy" || p.Version != "2.0.0" || p.Done > p.Total && p.Total > 0 {
			t.Errorf("progress %+v", p)
		}
		stages = append(stages, p.Stage)
	})
	if err != nil {
		t.Fatal(err)
	}
	if i.Version != "2.0.0" || !i.Pinned || i.Already || i.Package != "@toys/toy-linux-x64@2.0.0" || i.Standing != StandingTested ||
		i.Size < int64(len(elf)) || !i.Since.Equal(b.clock.now()) {
		t.Errorf("installed %+v", i)
	}
	if !slices.IsSortedFunc(stages, func(a, b Stage) int { return rank(a) - rank(b) }) {
		t.Errorf("stages %v", stages)
	}
	if got := b.leftovers(); !slices.Equal(got, []string{"2.0.0"}) {
		t.Errorf("left behind %v", got)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]fs.FileMode{"toy": 0o700, "package.json": 0o600, receiptFile: 0o600, ".": 0o700 | fs.ModeDir} {
			if info, err := os.Stat(filepath.Join(i.Dir, name)); err != nil || info.Mode() != want {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
	found, err := b.Find("toy")
	if err != nil || found.Source != SourceInstalled || found.Version != "2.0.0" || len(found.Notices) != 0 {
		t.Errorf("found %+v, %v", found, err)
	}

	again, err := b.Install(t.Context(), "toy", "2.0.0", nil)
	if err != nil || !again.Already || b.reg.called("view") != 1 || b.reg.called("archive") != 1 || b.reg.called("pack") != 0 {
		t.Errorf("again %+v, %v, calls %v", again, err, b.reg.calls)
	}
}

func rank(s Stage) int {
	return slices.Index([]Stage{StageWaiting, StageAsking, StageDownloading, StageUnpacking, StageDone}, s)
}

func TestInstallOtherVersions(t *testing.T) {
	script := func(version string) []byte {
		return archive(entry{name: "package/package.json", body: `{"name":"@toys/toy","version":"` + version + `","bin":{"toy":"cli.js"}}`},
			entry{name: "package/cli.js", body: "#!/usr/bin/env node\n"})
	}
	for name, tc := range map[string]struct {
		packages map[string][]byte
		tags     map[string]string
		ask      string
		version  string
		pkg      string
		kind     Kind
		standing Standing
	}{
		"native": {packages: map[string][]byte{"@toys/toy-linux-x64@1.5.0": packageOf("@toys/toy-linux-x64", "1.5.0")},
			ask: "1.5.0", version: "1.5.0", pkg: "@toys/toy-linux-x64@1.5.0", kind: KindNative, standing: StandingBetween},
		"script where there is no native one": {packages: map[string][]byte{"@toys/toy@1.2.0": script("1.2.0")},
			ask: "1.2.0", version: "1.2.0", pkg: "@toys/toy@1.2.0", kind: KindScript, standing: StandingBetween},
		"latest": {packages: map[string][]byte{"@toys/toy-linux-x64@3.1.0": packageOf("@toys/toy-linux-x64", "3.1.0")},
			tags: map[string]string{"@toys/toy-linux-x64@latest": "3.1.0"},
			ask:  latestTag, version: "3.1.0", pkg: "@toys/toy-linux-x64@3.1.0", kind: KindNative, standing: StandingNewer},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.reg.packages, b.reg.tags = tc.packages, tc.tags
			i, err := b.Install(t.Context(), "toy", tc.ask, nil)
			if err != nil {
				t.Fatal(err)
			}
			if i.Version != tc.version || i.Package != tc.pkg || i.Pinned || i.Standing != tc.standing {
				t.Errorf("installed %+v", i)
			}
			found, err := b.Find("toy")
			if err != nil || found.Version != tc.version || found.Kind != tc.kind {
				t.Errorf("found %+v, %v", found, err)
			}
			if newer := len(found.Notices) == 1 && found.Notices[0].Reason == ReasonNewer; newer != (tc.standing == StandingNewer) {
				t.Errorf("notices %+v", found.Notices)
			}
			if i, err = b.Install(t.Context(), "toy", tc.ask, nil); err != nil || !i.Already || b.reg.called("archive") != 1 {
				t.Errorf("again %+v, %v, calls %v", i, err, b.reg.calls)
			}
		})
	}
}

// TestInstallLatestThatIsTested checks the archive against parley's own hash, not the registry's.
func TestInstallLatestThatIsTested(t *testing.T) {
	b := newBench(t)
	b.reg.tags = map[string]string{"@toys/toy-linux-x64@latest": "2.0.0"}
	i, err := b.Install(t.Context(), "toy", latestTag, nil)
	if err != nil || i.Version != "2.0.0" || !i.Pinned || i.Standing != StandingTested {
		t.Errorf("installed %+v, %v", i, err)
	}
	b = newBench(t)
	b.reg.tags = map[string]string{"@toys/toy-linux-x64@latest": "2.0.0"}
	b.reg.packages["@toys/toy-linux-x64@2.0.0"] = packageOf("@toys/toy-linux-x64", "2.0.0", entry{name: "package/more", body: "x"})
	if i, err := b.Install(t.Context(), "toy", latestTag, nil); ReasonOf(err) != ReasonMismatch || len(b.leftovers()) != 0 {
		t.Errorf("installed %+v, %v", i, err)
	}
}

// TestNpmFetchesWhatWeCannot lets npm download where a plain request gets nothing.
func TestNpmFetchesWhatWeCannot(t *testing.T) {
	for name, status := range map[string]int{"login": 401, "forbidden": 403, "moved away": 404, "broken": 502} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.reg.status = status
			if i, err := b.Install(t.Context(), "toy", "2.0.0", nil); err != nil || i.Version != "2.0.0" {
				t.Fatalf("%+v, %v", i, err)
			}
			if b.reg.called("archive") != 1 || b.reg.called("pack") != 1 {
				t.Errorf("calls %v", b.reg.calls)
			}
		})
	}
	t.Run("and is checked as well", func(t *testing.T) {
		b := newBench(t)
		b.reg.status = 401
		b.reg.announce = integrityOf(b.reg.packages["@toys/toy-linux-x64@2.0.0"])
		b.reg.packages["@toys/toy-linux-x64@2.0.0"] = packageOf("evil", "2.0.0")
		if _, err := b.Install(t.Context(), "toy", "2.0.0", nil); ReasonOf(err) != ReasonMismatch {
			t.Fatal(err)
		}
	})
}
