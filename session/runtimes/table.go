package runtimes

import (
	"slices"
)

// family is what there is to know about one agent's runtime. Another agent's is another entry of the table and no more
// code, as long as npm has it.
type family struct {
	// name is the agent's, title the runtime's in sentences, command the program's on PATH.
	name, title, command string
	// oldest and newest are the versions between which parley was tested.
	oldest, newest string
	// pins are the releases that parley was tested with, oldest first.
	pins []pin
	// main is the package that users install by hand; part names the one that holds its program on a platform.
	main string
	part func(Platform) string
	// packages are where another version may be, in the order to try.
	packages func(version string, p Platform) []npmPackage
	// programs are the files of a package that may be the runtime, in the order to try.
	programs []string
	// versionOf reads the runtime's version from the package.json beside its program; "" if it is another package.
	versionOf func(manifest) string
	// configKey is the section of the configuration, for advice.
	configKey string
}

// pin is a release that parley was tested with.
type pin struct {
	version string
	// packages are keyed by Platform.key, or hold one entry for "any", which is a script for node.
	packages map[string]npmPackage
}

// npmPackage is one archive of a registry.
type npmPackage struct {
	// name and version are what npm calls it.
	name, version string
	// integrity is the hash of its archive, as in "sha512-BASE64"; empty: what npm says.
	integrity string
	// size is how many bytes its archive has; 0 if that is not known before npm is asked.
	size int64
	// script says that it needs node, and therefore runs wherever that does.
	script bool
}

func (p npmPackage) spec() string { return p.name + "@" + p.version }

const anyPlatform = "any"

var families = []*family{&claude}

func familyOf(name string) *family { return familyIn(families, name) }

func familyIn(families []*family, name string) *family {
	i := slices.IndexFunc(families, func(f *family) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return families[i]
}

// Names are the agents that have a runtime to find, in the order to offer them.
func Names() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.name
	}
	return names
}

// Tested are the versions of an agent's runtime that parley was tested with, oldest first; none if the agent has no runtime.
func Tested(name string) []string {
	var versions []string
	if f := familyOf(name); f != nil {
		for _, p := range f.pins {
			versions = append(versions, p.version)
		}
	}
	return versions
}

// pinOf returns the tested release of that version, nil if it is none.
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
