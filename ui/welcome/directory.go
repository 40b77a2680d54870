package welcome

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/git"
	"parley/internal/safefs"
)

// Directory is what is worth knowing of the place of a chat.
type Directory struct {
	// Empty reports whether nothing is in it, Readme whether it has one.
	Empty, Readme bool
	// Tests is the command that runs the tests, "" if none is known.
	Tests string
	// Changed is the number of files that differ from what git has of them; Repository reports whether that is known.
	Changed    int
	Repository bool
}

// The bounds of reading a directory.
const (
	maxNames    = 2000
	maxManifest = 256 << 10 // bytes
)

// Look reads a directory: its names, and of its files only those that name the command of the tests. The error is about a
// directory that cannot be read.
func Look(ctx context.Context, dir string) (Directory, error) {
	d := Directory{Empty: true}
	f, err := os.Open(dir)
	if err != nil {
		return d, err
	}
	list, _ := f.Readdirnames(maxNames)
	_ = f.Close()
	names := map[string]string{}
	for _, name := range list {
		lower := strings.ToLower(name)
		names[lower] = name
		d.Empty = d.Empty && strings.HasPrefix(name, ".")
		d.Readme = d.Readme || lower == "readme" || strings.HasPrefix(lower, "readme.")
	}
	d.Tests = testCommand(ctx, dir, names)
	d.Changed, d.Repository = git.Changed(ctx, dir)
	return d, nil
}

// testCommand returns what runs the tests of a project, by the files it consists of.
func testCommand(ctx context.Context, dir string, names map[string]string) string {
	has := func(name string) bool { _, ok := names[name]; return ok }
	read := func(name string) string {
		data, err := safefs.ReadFile(ctx, filepath.Join(dir, names[name]), maxManifest, safefs.NoLinks)
		if err != nil {
			return ""
		}
		return string(data)
	}
	switch {
	case has("go.mod"):
		return "go test ./..."
	case has("cargo.toml"):
		return "cargo test"
	case has("package.json"):
		var p struct {
			Scripts map[string]string `json:"scripts"`
		}
		if json.Unmarshal([]byte(read("package.json")), &p) == nil && p.Scripts["test"] != "" && !strings.Contains(p.Scripts["test"], "no test specified") {
			return "npm test"
		}
	case has("pytest.ini"), has("tox.ini"), has("conftest.py"), has("pyproject.toml") && strings.Contains(read("pyproject.toml"), "pytest"):
		return "pytest"
	case has("pom.xml"):
		return "mvn test"
	case has("build.gradle"), has("build.gradle.kts"):
		return "gradle test"
	case has("mix.exs"):
		return "mix test"
	case has("gemfile") && has("spec"):
		return "bundle exec rspec"
	}
	if has("makefile") {
		for line := range strings.SplitSeq(read("makefile"), "\n") {
			if strings.HasPrefix(line, "test:") {
				return "make test"
			}
		}
	}
	return ""
}

// tries returns three prompts that fit the directory.
func (d Directory) tries() []string {
	if d.Empty {
		return []string{"start a small project here, and ask me what it should do", "write a script that renames my photos by date",
			"explain what you can do in this directory"}
	}
	first := "explain this project and where to begin reading"
	if !d.Readme {
		first = "read this project and draft a README"
	}
	second := "find one thing here that should be tested, and test it"
	if d.Tests != "" {
		second = "run " + d.Tests + " and fix what fails"
	}
	third := "find one thing here that should be simpler"
	if d.Changed > 0 {
		third = "review my changes"
	}
	return []string{first, second, third}
}
