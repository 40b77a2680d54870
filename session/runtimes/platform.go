package runtimes

import (
	"path/filepath"
	"runtime"
)

// Platform decides which package fits a machine.
type Platform struct {
	// OS and Arch are Go's names, such as "linux" and "amd64".
	OS, Arch string
	// Musl reports whether programs are linked against musl instead of glibc, as on Alpine.
	Musl bool
}

// thisPlatform returns the platform of this machine.
func thisPlatform() Platform {
	return Platform{OS: runtime.GOOS, Arch: runtime.GOARCH, Musl: runtime.GOOS == "linux" && isMusl(filepath.Glob)}
}

// isMusl reports whether the machine has musl's loader and not glibc's. Machines with both run programs for glibc.
func isMusl(glob func(string) ([]string, error)) bool {
	found := func(pattern string) bool {
		names, _ := glob(pattern)
		return len(names) > 0
	}
	return found("/lib/ld-musl-*.so.1") && !found("/lib/ld-linux-*.so.*") && !found("/lib64/ld-linux-*.so.*")
}

// key returns npm's name of the platform: process.platform, process.arch and, on Linux without glibc, "musl".
func (p Platform) key() string {
	os, arch := p.OS, p.Arch
	if os == "windows" {
		os = "win32"
	}
	switch arch {
	case "amd64":
		arch = "x64"
	case "386":
		arch = "ia32"
	}
	key := os + "-" + arch
	if p.Musl {
		key += "-musl"
	}
	return key
}
