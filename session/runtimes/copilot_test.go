package runtimes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// copilotManifest is the package.json of a package of the Copilot CLI or its SDK.
func copilotManifest(name, version, bin string) string {
	return `{"name":"` + name + `","version":"` + version + `","bin":` + bin + `}`
}

func TestCopilotIsPinnedForEveryPlatform(t *testing.T) {
	for key := range nativePlatforms {
		if pkg := copilot.pinOf(copilotNewest).packages[key]; pkg.integrity == "" || pkg.size == 0 || pkg.version != copilotNewest {
			t.Errorf("%s: %+v", key, pkg)
		}
		if !copilotPlatforms[copilotPlatform(key)] || !slices.Contains(copilot.programs, copilotRuntimeIn(key)) {
			t.Errorf("%s is not among the platforms", key)
		}
	}
	if copilotPlatform("linux-arm64-musl") != "linuxmusl-arm64" {
		t.Error(copilotPlatform("linux-arm64-musl"))
	}
	if copilot.pins[0].version != copilot.oldest || copilot.pins[len(copilot.pins)-1].version != copilot.newest {
		t.Error("the oldest or newest version is not pinned")
	}
}

func TestCopilotInstallsTheFastest(t *testing.T) {
	for platform, want := range map[Platform]string{
		{OS: "linux", Arch: "amd64"}: copilotNative, {OS: "linux", Arch: "amd64", Musl: true}: copilotNative,
		{OS: "windows", Arch: "arm64"}: copilotNewest, // without a tested package of the SDK
	} {
		r := New(Options{Dir: t.TempDir(), Platform: platform})
		if got, err := r.versionToInstall(&copilot, ""); err != nil || got != want {
			t.Errorf("%+v: %s, %v", platform, got, err)
		}
		if r.DownloadSize("copilot", "") == 0 {
			t.Errorf("%+v has no size", platform)
		}
	}
	if _, err := New(Options{Dir: t.TempDir(), Platform: Platform{OS: "plan9", Arch: "386"}}).versionToInstall(&copilot, ""); ReasonOf(err) != ReasonPlatform {
		t.Error(err)
	}
}

// TestFindCopilot finds the program of the platform behind the script that npm puts on PATH, which needs node to start it.
func TestFindCopilot(t *testing.T) {
	for name, part := range map[string]string{
		"beside the main package": "@github/copilot-linux-x64",
		"inside of it":            "@github/copilot/node_modules/@github/copilot-linux-x64",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			modules := filepath.Join(root, "lib", "node_modules")
			main := filepath.Join(modules, "@github", "copilot")
			file(t, filepath.Join(main, "package.json"), copilotManifest("@github/copilot", "1.0.102", `{"copilot":"npm-loader.js"}`), 0o644)
			loader := file(t, filepath.Join(main, "npm-loader.js"), "#!/usr/bin/env node\n", 0o755)
			native := filepath.Join(modules, filepath.FromSlash(part))
			file(t, filepath.Join(native, "package.json"), copilotManifest("@github/copilot-linux-x64", "1.0.102", `{"copilot-linux-x64":"copilot"}`), 0o644)
			want := file(t, filepath.Join(native, "copilot"), elf, 0o755)
			bin := filepath.Join(root, "bin")
			if err := os.MkdirAll(bin, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(loader, filepath.Join(bin, "copilot")); err != nil {
				t.Fatal(err)
			}
			r := New(Options{Dir: t.TempDir(), Environ: []string{"PATH=" + bin}, Platform: linux})
			found, err := r.Find("copilot")
			if err != nil || found.Version != "1.0.102" || found.Kind != KindNative || !sameFile(t, found.Argv[0], want) {
				t.Fatalf("%+v, %v", found, err)
			}
			// Without the platform's part there is nothing to start.
			if err := os.RemoveAll(native); err != nil {
				t.Fatal(err)
			}
			if found, err := r.Find("copilot"); ReasonOf(err) != ReasonNotFound || len(found.Notices) != 1 {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.Stat(b)
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}

// TestFindCopilotSDK finds the runtime in a package of the SDK, whose version only tested releases have in the table.
func TestFindCopilotSDK(t *testing.T) {
	for sdk, want := range map[string]string{copilotNativeSDK: copilotNative, "9.9.9": ""} {
		dir := t.TempDir()
		file(t, filepath.Join(dir, "package.json"), copilotManifest("@github/copilot-sdk-linux-x64", sdk, `null`), 0o644)
		path := file(t, filepath.Join(dir, "prebuilds", "linux-x64", "copilot-runtime"), elf, 0o755)
		r := New(Options{Dir: t.TempDir(), Platform: linux, Configured: map[string]Configured{"copilot": {Path: dir}}})
		found, err := r.Find("copilot")
		if err != nil || found.Version != want || found.Argv[0] != path {
			t.Errorf("%s: %+v, %v", sdk, found, err)
		}
	}
	dir := t.TempDir()
	file(t, filepath.Join(dir, "package.json"), copilotManifest("@github/copilot-sdk-haiku", "1.0.0", `null`), 0o644)
	r := New(Options{Dir: t.TempDir(), Platform: linux, Configured: map[string]Configured{"copilot": {Path: dir}}})
	if _, err := r.Find("copilot"); ReasonOf(err) != ReasonBadPath {
		t.Errorf("another package: %v", err)
	}
}

// TestCopilotUnpacked prefers the program without node that the CLI of the same version has unpacked completely.
func TestCopilotUnpacked(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	file(t, filepath.Join(bin, "package.json"), copilotManifest("@github/copilot-linux-x64", "1.0.102", `{"copilot-linux-x64":"copilot"}`), 0o644)
	cli := file(t, filepath.Join(bin, "copilot"), elf, 0o755)
	cache := filepath.Join(home, ".cache", "copilot", "pkg", "linux-x64", "1.0.102")
	fast := file(t, filepath.Join(cache, "prebuilds", "linux-x64", "copilot-runtime"), elf, 0o755)
	r := New(Options{Dir: t.TempDir(), Environ: []string{"PATH=" + bin, "HOME=" + home}, Platform: linux})
	starts := func(want, when string) {
		t.Helper()
		found, err := r.Find("copilot")
		if err != nil || !slices.Equal(found.Argv, []string{want}) || !sameFile(t, found.Path, cli) || found.Unpacked() != (want == fast) {
			t.Errorf("%s: %+v, %v", when, found, err)
		}
	}
	starts(cli, "unpacked in part")
	file(t, filepath.Join(cache, ".extraction-complete"), "", 0o644)
	starts(fast, "unpacked")
	r.env.vars = append(r.env.vars, "XDG_CACHE_HOME="+t.TempDir())
	starts(cli, "another cache")
	r.env.vars = append(r.env.vars, "COPILOT_CACHE_HOME="+filepath.Join(home, ".cache", "copilot"))
	starts(fast, "the CLI's own variable")
	if !strings.HasSuffix(copilotCache(environment{vars: []string{"HOME=/h"}}, Platform{OS: "darwin"}), "Caches") {
		t.Error("not the cache of macOS")
	}
}
