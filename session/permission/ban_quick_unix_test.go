//go:build unix

package permission

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/permission/disk"
	"parley/session/toolview"
)

// smallDisk makes a directory of files, directories and links, some of which lead nowhere, out, up or in a circle.
func smallDisk(t testing.TB, r *rand.Rand) (root, work string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work = filepath.Join(root, "project")
	for _, dir := range []string{work, filepath.Join(root, "far", "x")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	targets := []string{".", "..", "a", "b", "a/b", "../far", "../far/x", "nowhere", "c", "a/a", "/nowhere/x", root + "/far", "A"}
	dirs := []string{work}
	for range 4 + r.IntN(10) {
		path := filepath.Join(dirs[r.IntN(len(dirs))], smallNames[r.IntN(len(smallNames))])
		switch r.IntN(4) {
		case 0, 1:
			if os.Mkdir(path, 0o700) == nil {
				dirs = append(dirs, path)
			}
		case 2:
			_ = os.Symlink(targets[r.IntN(len(targets))], path)
		case 3:
			if f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				_ = f.Close()
			}
		}
	}
	return root, work
}

var smallNames = []string{"a", "b", "c", "A", "a.go", ".env", "ä", "x~1"}

// smallPath makes a path of few names, smallPattern one with stars.
func smallPath(r *rand.Rand, near, far string, parts []string) string {
	n := 1 + r.IntN(3)
	names := make([]string, n)
	for i := range names {
		names[i] = parts[r.IntN(len(parts))]
	}
	path := strings.Join(names, "/")
	switch r.IntN(6) {
	case 0:
		return near + path
	case 1:
		return far + path
	case 2:
		return []string{"/", "/l/"}[r.IntN(2)] + path
	}
	return path
}

// sameBothWays fails if a decision on a random disk depends on whether directories are listed.
func sameBothWays(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	root, work := smallDisk(t, r)
	quick := Policy{Dirs: []string{work}, Base: work, Home: root, Shell: "bash", Git: func() bool { return true }}.OnDisk([]string{"PATH=/usr/bin"})
	if r.IntN(3) == 0 {
		link := filepath.Join(root, "link")
		if err := os.Symlink(work, link); err != nil {
			t.Fatal(err)
		}
		quick.Dirs, quick.Base = []string{link, filepath.Join(root, "far")}, link
	}
	compareBothWays(t, seed, r, quick, root+"/project/", root+"/far/")
}

// sameInMemory does the same with a disk that is made up, whose links lead from everywhere to everywhere.
func sameInMemory(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	f := tree{"/": "", "/r": "", "/o": "", "/bin": "", "/bin/cat": "", "/l": "/r"}
	dirs := []string{"/r", "/o"}
	for range 3 + r.IntN(10) {
		path := dirs[r.IntN(len(dirs))] + "/" + smallNames[r.IntN(4)]
		if _, ok := f[path]; ok {
			continue
		}
		if f[path] = ""; r.IntN(3) == 0 {
			f[path] = dirs[r.IntN(len(dirs))]
		} else {
			dirs = append(dirs, path)
		}
	}
	quick := Policy{Dirs: [][]string{{"/r"}, {"/l"}, {"/r", "/o"}, {"/r/a"}}[r.IntN(4)], Home: "/o", Shell: "bash", Git: func() bool { return true },
		Disk: disk.Disk{Resolve: f.resolve, Exists: f.exists}, Programs: func(name string) []string { return []string{"/bin/cat"} }}
	quick.Base = quick.Dirs[0]
	quick.Disk.KindOf = func(path string) disk.Kind {
		dir, err := f.resolve(filepath.Dir(path))
		target, ok := f[filepath.Join(dir, filepath.Base(path))]
		switch {
		case err != nil || !ok:
			return disk.Absent
		case target != "":
			return disk.Unclear
		}
		return disk.Plain
	}
	quick.Disk.List = func(dir string) map[string]disk.Kind {
		list := map[string]disk.Kind{}
		real, err := f.resolve(dir)
		for path := range f {
			if err == nil && filepath.Dir(path) == real && path != "/" {
				list[filepath.Base(path)] = quick.Disk.KindOf(path)
			}
		}
		return list
	}
	compareBothWays(t, seed, r, quick, "/r/", "/o/")
}

func compareBothWays(t *testing.T, seed uint64, r *rand.Rand, quick Policy, near, far string) {
	quick.Mode = []session.Mode{session.ModeBypass, session.ModeBypass, session.ModeDefault, session.ModeAcceptEdits}[r.IntN(4)]
	quick.Disk.FoldCase = r.IntN(4) == 0
	globs := append(slices.Clone(smallNames), "*", "?", "**", "*.go", "none", "none2", "none3")
	for range 1 + r.IntN(24) {
		rule, err := ParseRule([]string{"edit ", "read "}[r.IntN(2)] + smallPath(r, near, far, globs))
		if err != nil {
			continue
		}
		rule.Ruling = []Ruling{Deny, Deny, Ask, Allow}[r.IntN(4)]
		quick.Rules = append(quick.Rules, rule)
	}
	if r.IntN(2) == 0 && len(quick.Rules) > 0 { // one rule alone hides nothing behind another
		quick.Rules = quick.Rules[:1]
		for i := range 12 {
			quick.Rules = append(quick.Rules, Rule{Ruling: Deny, Subject: quick.Rules[0].Subject, Pattern: strings.Repeat("z", i+2) + "/**"})
		}
	}
	slow := quick
	slow.Disk.KindOf, slow.Disk.List = nil, nil
	for range 12 {
		path := smallPath(r, near, far, append(slices.Clone(smallNames), "none", "z"))
		full := path
		if !filepath.IsAbs(full) {
			full = near + path
		}
		line := []string{"cat ", "mytool ", "ls > ", "grep -r x ", "rm -r ", "tee ", "cd a; cat ", "cat \"$x\"/"}[r.IntN(8)] + path
		for kind, ask := range map[toolview.Kind]session.PermissionAsk{toolview.Command: {Command: line}, toolview.Edit: {Path: full}, toolview.Read: {Path: full}, toolview.Search: {Path: full}} {
			one, other := quick.Decide(kind, ask), slow.Decide(kind, ask)
			if one.Ruling != other.Ruling || one.Reason != other.Reason || (one.Rule == nil) != (other.Rule == nil) || one.Rule != nil && *one.Rule != *other.Rule {
				t.Fatalf("seed %d: %s %+v: %+v, without lists %+v", seed, kind, ask, one, other)
			}
		}
		for _, at := range []string{full, far + path} {
			one, sure := quick.remembering().Disk.Real(at)
			other, known := slow.Disk.Real(at)
			if one != other || sure != known {
				t.Fatalf("seed %d: %q is %q %v, without lists %q %v", seed, at, one, sure, other, known)
			}
		}
	}
}

func TestListingDirectoriesChangesNoDecision(t *testing.T) {
	for seed := range repeat.Times(3, 5, 25) {
		sameBothWays(t, uint64(seed))
	}
	for seed := range repeat.Times(60, 200, 1500) {
		sameInMemory(t, uint64(seed))
	}
}

func FuzzListingDirectoriesChangesNoDecision(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		sameInMemory(t, seed)
		if seed%16 == 0 {
			sameBothWays(t, seed)
		}
	})
}
