package runtimes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// machine builds what a user's machine may look like below a directory.
type machine struct {
	*bench
	root string
}

// npm puts a package with a script where `npm install --global` does, and links its command.
func (m machine) npmScript(version string) string {
	dir := filepath.Join(m.root, "lib", "node_modules", "@toys", "toy")
	file(m.t, filepath.Join(dir, "package.json"), `{"name":"@toys/toy","version":"`+version+`","bin":{"toy":"cli.js"}}`, 0o644)
	program(m.t, filepath.Join(dir, "cli.js"), "#!/usr/bin/env node\n")
	m.link(filepath.Join(dir, "cli.js"), filepath.Join(m.bin, "toy"))
	return filepath.Join(dir, "cli.js")
}

// npmNative is a package whose program npm replaced by that of the platform's, or did not.
func (m machine) npmNative(version string, whole bool) string {
	modules := filepath.Join(m.root, "lib", "node_modules")
	dir := filepath.Join(modules, "@toys", "toy")
	file(m.t, filepath.Join(dir, "package.json"), `{"name":"@toys/toy","version":"`+version+`","bin":{"toy":"bin/toy.exe"}}`, 0o644)
	text := "echo not installed\nexit 1\n"
	if whole {
		text = elf
	}
	path := program(m.t, filepath.Join(dir, "bin", "toy.exe"), text)
	m.link(path, filepath.Join(m.bin, "toy"))
	return path
}

func (m machine) link(from, to string) {
	m.t.Helper()
	if err := os.Symlink(from, to); err != nil {
		m.t.Fatal(err)
	}
}

func (m machine) install(version string) {
	m.t.Helper()
	m.reg.packages["@toys/toy-linux-x64@"+version] = packageOf("@toys/toy-linux-x64", version)
	if version == "2.0.0" {
		m.families[0].pins[1].packages["linux-x64"] = npmPackage{name: "@toys/toy-linux-x64", version: version,
			integrity: integrityOf(m.reg.packages["@toys/toy-linux-x64@2.0.0"])}
	}
	if _, err := m.Install(m.t.Context(), "toy", version, nil); err != nil {
		m.t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	for name, tc := range map[string]struct {
		prepare func(m machine) // may set what is configured
		want    Runtime         // Path and Argv are compared by their ends
		node    bool            // the command line begins with node
		reasons []Reason        // of the notices
		failure Reason
		text    string // part of the error
	}{
		"nothing": {failure: ReasonNotFound, text: "run `parley runtimes install toy`, or set toy.path", prepare: func(machine) {}},
		"script of npm": {prepare: func(m machine) { m.npmScript("1.0.0") },
			want: Runtime{Version: "1.0.0", Path: "@toys/toy/cli.js", Kind: KindScript, Source: SourcePath, Standing: StandingTested}, node: true},
		"native of npm": {prepare: func(m machine) { m.npmNative("1.9.0", true) },
			want: Runtime{Version: "1.9.0", Path: "bin/toy.exe", Kind: KindNative, Source: SourcePath, Standing: StandingBetween}},
		"native of npm, beside it": {prepare: func(m machine) {
			m.npmNative("1.9.0", false)
			program(m.t, filepath.Join(m.root, "lib", "node_modules", "@toys", "toy-linux-x64", "toy"), elf)
		}, want: Runtime{Version: "1.9.0", Path: "@toys/toy-linux-x64/toy", Kind: KindNative, Source: SourcePath, Standing: StandingBetween}},
		"native of npm, not there": {prepare: func(m machine) { m.npmNative("1.9.0", false) },
			failure: ReasonNotFound, text: "its platform's part is not installed", reasons: []Reason{ReasonBadPath}},
		"a file per version": {prepare: func(m machine) {
			m.link(program(m.t, filepath.Join(m.root, "versions", "2.0.0"), elf), filepath.Join(m.bin, "toy"))
		}, want: Runtime{Version: "2.0.0", Path: "versions/2.0.0", Kind: KindNative, Source: SourcePath, Standing: StandingTested}},
		"shim of a version manager": {prepare: func(m machine) {
			m.link(program(m.t, filepath.Join(m.root, "shims", "manager"), elf), filepath.Join(m.bin, "toy"))
		}, want: Runtime{Path: "toy", Kind: KindNative, Source: SourcePath, Standing: StandingUnknown}},
		"wrapper": {prepare: func(m machine) { program(m.t, filepath.Join(m.bin, "toy"), "#!/bin/sh\n") },
			want: Runtime{Path: "toy", Kind: KindWrapper, Source: SourcePath, Standing: StandingUnknown}},
		"too old": {prepare: func(m machine) { m.npmScript("0.9.9") }, failure: ReasonNotFound,
			text: "it is 0.9.9, and parley needs 1.0.0 or newer", reasons: []Reason{ReasonTooOld}},
		"newer": {prepare: func(m machine) { m.npmScript("2.0.1") }, node: true, reasons: []Reason{ReasonNewer},
			want: Runtime{Version: "2.0.1", Path: "cli.js", Kind: KindScript, Source: SourcePath, Standing: StandingNewer}},
		"script without node": {prepare: func(m machine) { m.npmScript("1.0.0"); os.Remove(filepath.Join(m.bin, "node")) },
			failure: ReasonNotFound, text: "needs node", reasons: []Reason{ReasonNoNode}},
		"ours before PATH": {prepare: func(m machine) { m.npmScript("2.0.0"); m.install("1.5.0") },
			want: Runtime{Version: "1.5.0", Path: "toy/1.5.0/toy", Kind: KindNative, Source: SourceInstalled, Standing: StandingBetween}},
		"the newest of ours": {prepare: func(m machine) { m.install("2.0.0"); m.install("3.0.0"); m.install("2.5.0"); m.install("1.5.0") },
			want:    Runtime{Version: "3.0.0", Path: "toy/3.0.0/toy", Kind: KindNative, Source: SourceInstalled, Standing: StandingNewer},
			reasons: []Reason{ReasonNewer}},
		"the latest": {prepare: func(m machine) {
			m.install("2.0.0")
			m.install("2.5.0")
			m.o.Configured = map[string]Configured{"toy": {Version: latestTag}}
		}, want: Runtime{Version: "2.5.0", Path: "toy/2.5.0/toy", Kind: KindNative, Source: SourceInstalled, Standing: StandingNewer},
			reasons: []Reason{ReasonNewer}},
		"the latest, and there is none": {prepare: func(m machine) { m.o.Configured = map[string]Configured{"toy": {Version: latestTag}} },
			failure: ReasonNotFound, text: "Toy is not installed; run `parley runtimes install toy@latest`"},
		"a version that is wanted": {prepare: func(m machine) {
			m.install("1.5.0")
			m.install("2.0.0")
			m.o.Configured = map[string]Configured{"toy": {Version: "1.5.0"}}
		}, want: Runtime{Version: "1.5.0", Path: "toy/1.5.0/toy", Kind: KindNative, Source: SourceInstalled, Standing: StandingBetween}},
		"a version that is not there": {prepare: func(m machine) {
			m.npmScript("1.0.0")
			m.o.Configured = map[string]Configured{"toy": {Version: "1.5.0"}}
		}, failure: ReasonNotFound, text: "parley runtimes install toy@1.5.0", reasons: []Reason{ReasonNoSuchVersion}},
		"configured program": {prepare: func(m machine) {
			m.install("2.0.0")
			m.o.Configured = map[string]Configured{"toy": {Path: m.npmScript("1.0.0")}}
		}, want: Runtime{Version: "1.0.0", Path: "cli.js", Kind: KindScript, Source: SourceConfig, Standing: StandingTested}, node: true},
		"configured package": {prepare: func(m machine) {
			m.o.Configured = map[string]Configured{"toy": {Path: filepath.Dir(m.npmScript("1.0.0"))}}
		}, want: Runtime{Version: "1.0.0", Path: "cli.js", Kind: KindScript, Source: SourceConfig, Standing: StandingTested}, node: true},
		"configured at home": {prepare: func(m machine) {
			program(m.t, filepath.Join(m.env.get("HOME"), "t", "2.0.0"), elf)
			m.o.Configured = map[string]Configured{"toy": {Path: "~/t/2.0.0"}}
		}, want: Runtime{Version: "2.0.0", Path: "t/2.0.0", Kind: KindNative, Source: SourceConfig, Standing: StandingTested}},
		"configured and gone": {prepare: func(m machine) {
			m.npmScript("1.0.0")
			m.o.Configured = map[string]Configured{"toy": {Path: filepath.Join(m.root, "gone")}}
		}, failure: ReasonBadPath, text: "does not exist; correct it, or unset it"},
		"configured and no program": {prepare: func(m machine) {
			m.o.Configured = map[string]Configured{"toy": {Path: file(m.t, filepath.Join(m.root, "notes.txt"), "hello", 0o644)}}
		}, failure: ReasonNotExecutable, text: "toy.path: "},
		"configured, not executable": {prepare: func(m machine) {
			m.o.Configured = map[string]Configured{"toy": {Path: file(m.t, filepath.Join(m.root, "2.0.0"), elf, 0o644)}}
		}, failure: ReasonNotExecutable, text: "toy.path: "},
		"configured and another package": {prepare: func(m machine) {
			m.o.Configured = map[string]Configured{"toy": {Path: filepath.Dir(file(m.t, filepath.Join(m.root, "p", "package.json"), `{"name":"x","version":"1.0.0"}`, 0o644))}}
		}, failure: ReasonBadPath, text: "another package"},
		"configured and too old": {prepare: func(m machine) {
			m.o.Configured = map[string]Configured{"toy": {Path: m.npmScript("0.1.0")}}
			os.Remove(filepath.Join(m.bin, "toy"))
			m.install("2.0.0")
		}, want: Runtime{Version: "2.0.0", Path: "toy/2.0.0/toy", Kind: KindNative, Source: SourceInstalled, Standing: StandingTested},
			reasons: []Reason{ReasonTooOld}},
		"a program that leads out of its package": {prepare: func(m machine) {
			program(m.t, filepath.Join(m.root, "evil"), elf)
			m.o.Configured = map[string]Configured{"toy": {Path: filepath.Dir(file(m.t, filepath.Join(m.root, "p", "package.json"),
				`{"name":"@toys/toy","version":"1.0.0","bin":"../evil"}`, 0o644))}}
		}, failure: ReasonBadPath, text: "not its program"},
	} {
		t.Run(name, func(t *testing.T) {
			m := machine{newBench(t), t.TempDir()}
			tc.prepare(m)
			found, err := m.Find("toy")
			if ReasonOf(err) != tc.failure || tc.failure != "" && !strings.Contains(err.Error(), tc.text) {
				t.Fatalf("%v: want %q and %q", err, tc.failure, tc.text)
			}
			var reasons []Reason
			for _, n := range found.Notices {
				reasons = append(reasons, n.Reason)
				if n.Text == "" || n.Path == "" {
					t.Errorf("notice %+v", n)
				}
			}
			if strings.Join(texts(reasons), " ") != strings.Join(texts(tc.reasons), " ") {
				t.Errorf("notices %+v, want %v", found.Notices, tc.reasons)
			}
			if tc.failure != "" {
				return
			}
			got := found.Runtime
			if !filepath.IsAbs(got.Path) || !strings.HasSuffix(filepath.ToSlash(got.Path), "/"+tc.want.Path) {
				t.Errorf("path %q, want %q", got.Path, tc.want.Path)
			}
			argv := []string{got.Path}
			if tc.node {
				argv = []string{filepath.Join(m.bin, "node"), got.Path}
			}
			if strings.Join(got.Argv, "\n") != strings.Join(argv, "\n") {
				t.Errorf("command line %q, want %q", got.Argv, argv)
			}
			if got.Version != tc.want.Version || got.Kind != tc.want.Kind || got.Source != tc.want.Source || got.Standing != tc.want.Standing ||
				got.Name != "toy" || got.Title != "Toy" {
				t.Errorf("found %+v, want %+v", got, tc.want)
			}
		})
	}
}

// TestNoticesAreToldOnce to each audience, and again when there is something else to tell.
func TestNoticesAreToldOnce(t *testing.T) {
	m := machine{newBench(t), t.TempDir()}
	m.install("2.5.0")
	told := func(audience string) int {
		t.Helper()
		found, err := New(m.o).withFamilies(m.families).Find("toy")
		if err != nil {
			t.Fatal(err)
		}
		return len(New(m.o).NewNotices(audience, found.Notices))
	}
	if n := told("chat"); n != 1 {
		t.Fatalf("told %d notices", n)
	}
	if n := told("chat") + told("chat"); n != 0 {
		t.Errorf("told %d notices again", n)
	}
	if n := told("headless"); n != 1 {
		t.Errorf("told another audience %d notices", n)
	}
	m.install("3.0.0")
	if n := told("chat"); n != 1 {
		t.Errorf("told %d notices of another version", n)
	}
	if err := os.WriteFile(filepath.Join(m.o.Dir, noticesFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := told("chat"); n != 1 {
		t.Errorf("told %d notices with a torn memory", n)
	}
}

// withFamilies has the runtimes of a test found.
func (r *Runtimes) withFamilies(families []*family) *Runtimes {
	r.families = families
	return r
}

func texts(list []Reason) []string {
	var s []string
	for _, r := range list {
		s = append(s, string(r))
	}
	return s
}

// TestFindIgnoresTheDirectory one stands in: a repository must not bring the runtime along.
func TestFindIgnoresTheDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	program(t, filepath.Join(dir, "toy"), elf)
	for _, path := range []string{".", "", "./", "..", string(filepath.ListSeparator)} {
		b := newBench(t)
		b.o.Environ[0] = "PATH=" + path
		if found, err := b.Find("toy"); ReasonOf(err) != ReasonNotFound {
			t.Errorf("PATH=%q: found %+v", path, found)
		}
	}
}

func TestFindUnknownName(t *testing.T) {
	if _, err := New(Options{Dir: t.TempDir()}).Find("clod"); ReasonOf(err) != ReasonUnknownName || !strings.Contains(err.Error(), "claude") {
		t.Error(err)
	}
}

// TestFindStartsNothing: a program that would tell is not asked, and no file is made.
func TestFindStartsNothing(t *testing.T) {
	m := machine{newBench(t), t.TempDir()}
	ran := filepath.Join(m.root, "ran")
	program(t, filepath.Join(m.bin, "toy"), "#!/bin/sh\ntouch "+ran+"\necho 2.0.0\n")
	if found, err := m.Find("toy"); err != nil || found.Version != "" {
		t.Fatalf("%+v, %v", found, err)
	}
	m.List()
	if _, err := os.Stat(ran); err == nil {
		t.Error("finding ran the program")
	}
	if _, err := os.Stat(m.o.Dir); !os.IsNotExist(err) {
		t.Error("finding made a directory")
	}
}

func TestMusl(t *testing.T) {
	for name, tc := range map[string]struct {
		there []string
		want  bool
	}{
		"neither": {nil, false},
		"glibc":   {[]string{"/lib64/ld-linux-*.so.*"}, false},
		"musl":    {[]string{"/lib/ld-musl-*.so.1"}, true},
		"both":    {[]string{"/lib/ld-musl-*.so.1", "/lib/ld-linux-*.so.*"}, false},
	} {
		got := isMusl(func(pattern string) ([]string, error) {
			for _, p := range tc.there {
				if p == pattern {
					return []string{p}, nil
				}
			}
			return nil, nil
		})
		if got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for p, want := range map[Platform]string{
		linux: "linux-x64", {OS: "linux", Arch: "arm64", Musl: true}: "linux-arm64-musl", {OS: "windows", Arch: "amd64"}: "win32-x64",
		{OS: "darwin", Arch: "arm64"}: "darwin-arm64", {OS: "linux", Arch: "386"}: "linux-ia32",
	} {
		if p.key() != want {
			t.Errorf("%+v: %s, want %s", p, p.key(), want)
		}
	}
	if p := thisPlatform(); p.OS != runtime.GOOS || p.Arch != runtime.GOARCH {
		t.Errorf("this is %+v", p)
	}
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"0.9.99", "1.0.0-alpha", "1.0.0-beta", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0", "10.0.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareVersions(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}

// FuzzManifest reads whatever a package.json may hold.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"name":"@anthropic-ai/claude-code","version":"2.1.197","bin":{"claude":"bin/claude.exe"}}`))
	f.Add([]byte(`{"name":"@anthropic-ai/claude-agent-sdk","version":"0.2.112","claudeCodeVersion":"2.1.112"}`))
	f.Add([]byte(`{"version":"../..","bin":"../../x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := file(t, filepath.Join(t.TempDir(), manifestFile), string(data), 0o600)
		m, err := readManifest(path)
		if err != nil {
			return
		}
		m.program()
		if v, _ := claude.versionOf(m); v != "" && !isVersion(v) {
			t.Errorf("%q is no version", v)
		}
	})
}

// BenchmarkFind is what choosing an agent costs at start-up.
func BenchmarkFind(b *testing.B) {
	dir := b.TempDir()
	for _, v := range []string{"2.1.112", "2.1.150", "2.1.197"} {
		home := filepath.Join(dir, "claude", v)
		os.MkdirAll(home, 0o700)
		os.WriteFile(filepath.Join(home, "claude"), []byte(elf), 0o700)
		os.WriteFile(filepath.Join(home, manifestFile), []byte(`{"name":"@anthropic-ai/claude-code-linux-x64","version":"`+v+`"}`), 0o600)
		data, _ := json.Marshal(receipt{Program: "claude", Length: int64(len(elf))})
		os.WriteFile(filepath.Join(home, receiptFile), data, 0o600)
	}
	r := New(Options{Dir: dir, Environ: os.Environ(), Platform: linux})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Find("claude"); err != nil {
			b.Fatal(err)
		}
	}
}
