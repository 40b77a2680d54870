package runtimes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	copilotCLI = "@github/copilot"
	copilotSDK = "@github/copilot-sdk"
)

// copilot is the Copilot runtime. A version is that of the Copilot CLI, which has one package per platform and contains node;
// the SDK's packages contain the same runtime without node, and number their releases in another way.
//
// Install chooses an SDK's package, which starts in 16 ms instead of 400.
var copilot = family{
	name: "copilot", title: "Copilot", command: "copilot", configKey: "copilot",
	main: copilotCLI, part: func(p Platform) string { return copilotCLI + "-" + copilotPlatform(p.key()) },
	oldest: "1.0.85", newest: copilotNewest,
	pins: copilotPins(),
	packages: func(version string, p Platform) []npmPackage {
		if !nativePlatforms[p.key()] {
			return nil
		}
		return []npmPackage{{name: copilotCLI + "-" + copilotPlatform(p.key()), version: version}}
	},
	programs: copilotPrograms(), loader: "npm-loader.js",
	preferred: func(pkg npmPackage) bool { return strings.HasPrefix(pkg.name, copilotSDK+"-") },
	versionOf: func(m manifest) (string, bool) {
		rest := trimPrefix(m.Name, copilotSDK+"-")
		switch {
		case copilotPlatforms[rest]:
			return copilotIn(m.Version), true
		case m.Name == copilotCLI, copilotPlatforms[trimPrefix(m.Name, copilotCLI+"-")]:
			return m.Version, m.Version != ""
		}
		return "", false
	},
	question: copilotQuestion,
	unpacked: unpackedCopilot,
}

// copilotIn returns the version of the runtime in a tested release of the SDK, "" for others: no file there contains it.
func copilotIn(sdk string) string {
	switch {
	case sdk == "1.0.14":
		return "1.0.85"
	case sdk == copilotNativeSDK:
		return copilotNative
	}
	return ""
}

// copilotPins returns the tested releases, oldest first.
func copilotPins() []pin {
	sdk := map[string]tested{
		"linux-x64":      {"sha512-1wlAVTK1z7ovAez0tixr+f77TnjB3fqKobamu1pG7FYyCTwQuyU4p1aWNXF9j/u1d7rxSY1n9cAxrtEAUkizbg==", 46_892_059},
		"linux-x64-musl": {"sha512-tNNeJl53hXEkqeGudNAsHQk9OrSUbt2EdPhtugcQxscabaEFutd7KwQH6jmvvYW7Sifgl59ySWTd4ok/9I94kg==", 52_072_698},
	}
	pins := []pin{{version: "1.0.85", packages: copilotPackages(copilotSDK, "1.0.14", sdk)}}
	if copilotNative != "1.0.85" {
		pins = append(pins, pin{version: copilotNative, packages: copilotPackages(copilotSDK, copilotNativeSDK, copilotNativeArchives)})
	}
	return append(pins, pin{version: copilotNewest, packages: copilotPackages(copilotCLI, copilotNewest, copilotNewestArchives)})
}

// copilotPackages returns the packages of a release by Platform.key.
func copilotPackages(name, version string, archives map[string]tested) map[string]npmPackage {
	m := make(map[string]npmPackage, len(archives))
	for key, a := range archives {
		m[key] = npmPackage{name: name + "-" + copilotPlatform(key), version: version, integrity: a.integrity, size: a.size}
	}
	return m
}

// copilotPlatform returns the name of a Platform.key in the names of packages: musl comes before the processor.
func copilotPlatform(key string) string {
	if rest, ok := strings.CutSuffix(key, "-musl"); ok {
		return strings.Replace(rest, "linux-", "linuxmusl-", 1)
	}
	return key
}

// copilotPlatforms are the names of all platforms in the names of packages.
var copilotPlatforms = func() map[string]bool {
	all := make(map[string]bool, len(nativePlatforms))
	for key := range nativePlatforms {
		all[copilotPlatform(key)] = true
	}
	return all
}()

// copilotRuntime is the file of the program without node, with ".exe" on Windows.
const copilotRuntime = "copilot-runtime"

func copilotPrograms() []string {
	programs := []string{"copilot", "copilot.exe"}
	for key := range nativePlatforms {
		programs = append(programs, copilotRuntimeIn(key))
	}
	return programs
}

// copilotRuntimeIn returns the path of the program without node, in its package or what the CLI unpacks.
func copilotRuntimeIn(key string) string {
	name := "prebuilds/" + copilotPlatform(key) + "/" + copilotRuntime
	if strings.HasPrefix(key, "win32") {
		name += ".exe"
	}
	return name
}

// copilotQuestion asks the CLI with its flag, and the program without node, which has no such flag, with a first message.
func copilotQuestion(program string) question {
	if strings.TrimSuffix(filepath.Base(program), ".exe") != copilotRuntime {
		return question{args: []string{"--version"}, about: "GitHub Copilot"}
	}
	const connect = `{"jsonrpc":"2.0","id":1,"method":"connect","params":{}}`
	return question{
		args:  []string{"--headless", "--no-auto-update", "--stdio", "--no-auto-login"},
		input: fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(connect), connect),
		about: "protocolVersion",
	}
}

// unpackedCopilot returns the program without node that the CLI of a version has unpacked in its cache, "" if it has not.
func unpackedCopilot(e environment, version string, p Platform) string {
	dir := e.get("COPILOT_CACHE_HOME")
	if dir == "" {
		dir = filepath.Join(copilotCache(e, p), "copilot")
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	dir = filepath.Join(dir, "pkg", copilotPlatform(p.key()), version)
	if !regular(filepath.Join(dir, ".extraction-complete")) {
		return ""
	}
	path := filepath.Join(dir, filepath.FromSlash(copilotRuntimeIn(p.key())))
	if info, err := os.Stat(path); err != nil || !executable(info) {
		return ""
	}
	return path
}

// copilotCache returns the directory of caches that the CLI uses, "" if the environment names none.
func copilotCache(e environment, p Platform) string {
	home, cache := e.get("HOME"), e.get("XDG_CACHE_HOME")
	switch {
	case p.OS == "windows":
		return e.get("LOCALAPPDATA")
	case p.OS == "darwin" && home != "":
		return filepath.Join(home, "Library", "Caches")
	case cache == "" && home != "":
		return filepath.Join(home, ".cache")
	}
	return cache
}
