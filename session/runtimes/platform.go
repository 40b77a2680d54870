package runtimes

import (
	"path/filepath"
	"runtime"
)

// Platform is what decides which package fits a machine.
type Platform struct {
	// OS and Arch are Go's names, such as "linux" and "amd64".
	OS, Arch string
	// Musl says that programs are linked against musl and not glibc, as on Alpine.
	Musl bool
}

// ThisPlatform looks at the machine.
func ThisPlatform() Platform {
	return Platform{OS: runtime.GOOS, Arch: runtime.GOARCH, Musl: runtime.GOOS == "linux" && isMusl(filepath.Glob)}
}

// isMusl reports whether the machine has musl's loader and not glibc's. Having both is common where musl is for building
// only, and glibc's programs run there.
func isMusl(glob func(string) ([]string, error)) bool {
	found := func(pattern string) bool {
		names, _ := glob(pattern)
		return len(names) > 0
	}
	return found("/lib/ld-musl-*.so.1") && !found("/lib/ld-linux-*.so.*") && !found("/lib64/ld-linux-*.so.*")
}

// key is npm's way of naming the platform: process.platform, process.arch and, on Linux without glibc, "musl".
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
