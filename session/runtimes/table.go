package runtimes

import (
	"slices"
)

// family describes the runtime of one agent. Another agent with an npm package needs only another entry of the table.
type family struct {
	// name is that of the agent, title that of the runtime in sentences, command that of the program on PATH.
	name, title, command string
	// oldest and newest are the first and last tested version.
	oldest, newest string
	// pins are the tested releases, oldest first.
	pins []pin
	// main is the package that users install; part names the package with its program for a platform.
	main string
	part func(Platform) string
	// packages returns the packages that may contain another version, in the order to try.
	packages func(version string, p Platform) []npmPackage
	// programs are the possible files of the runtime in a package, in the order to try.
	programs []string
	// loader is the script of the main package that starts the program in the package of the platform; "": there is none.
	loader string
	// preferred reports whether Install chooses a package without being asked for its version; nil: the newest is chosen.
	preferred func(npmPackage) bool
	// versionOf reports whether a package.json is that of a runtime, and the runtime's version, "" if it does not contain it.
	versionOf func(manifest) (version string, ok bool)
	// question returns how a program is asked for its version, and unpacked a faster program that it has unpacked; "" if
	// there is none. Both may be nil.
	question func(program string) question
	unpacked func(e environment, version string, p Platform) string
	// configKey is the section of the configuration.
	configKey string
}

// pin is a tested release.
type pin struct {
	version string
	// packages are by Platform.key, or one entry for anyPlatform, a script for node.
	packages map[string]npmPackage
}

// npmPackage is one archive of a registry.
type npmPackage struct {
	// name and version are those of npm.
	name, version string
	// integrity is the hash of its archive, such as "sha512-BASE64"; empty: that of npm.
	integrity string
	// size is that of its archive in bytes, 0 if unknown.
	size int64
	// script reports whether it needs node.
	script bool
}

func (p npmPackage) spec() string { return p.name + "@" + p.version }

// question holds the arguments that ask a program for its version.
type question struct {
	args  []string
	input string // to its standard input, which ends then
	// about is part of the answer of the right program: others may have the same name. Empty: any answer will do.
	about string
}

const anyPlatform = "any"

var families = []*family{&claude, &copilot}

func familyOf(name string) *family { return familyIn(families, name) }

func familyIn(families []*family, name string) *family {
	i := slices.IndexFunc(families, func(f *family) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return families[i]
}

// Names returns the agents with a runtime, in the order to offer them.
func Names() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.name
	}
	return names
}

// Title returns the name of an agent's runtime in sentences, "" for an agent without a runtime.
func Title(name string) string {
	if f := familyOf(name); f != nil {
		return f.title
	}
	return ""
}

// Tested returns the tested versions of an agent's runtime, oldest first; none for an agent without a runtime.
func Tested(name string) []string {
	var versions []string
	if f := familyOf(name); f != nil {
		for _, p := range f.pins {
			versions = append(versions, p.version)
		}
	}
	return versions
}

// pinOf returns the tested release of a version, nil if there is none.
func (f *family) pinOf(version string) *pin {
	i := slices.IndexFunc(f.pins, func(p pin) bool { return p.version == version })
	if i < 0 {
		return nil
	}
	return &f.pins[i]
}

// on returns the package of a tested release for a platform.
func (p *pin) on(platform Platform) (npmPackage, bool) {
	if pkg, ok := p.packages[platform.key()]; ok {
		return pkg, true
	}
	pkg, ok := p.packages[anyPlatform]
	return pkg, ok
}
