package instruct

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"parley/internal/git"
	"parley/internal/human"
	"parley/internal/safefs"
)

// Environment describes to the model where it works.
type Environment struct {
	Dir   string
	Dirs  []string
	Date  string // as 2006-01-02
	Zone  string // such as "CET, UTC+01:00"; empty if unknown
	Shell string // empty if unknown
	// Environ is the environment of commands, whose PATH says which programs there are.
	Environ []string
	// Home is the user's home directory, empty if unknown.
	Home string
	// Names reports whether the model may know of a file by its name. Nil: it may know of all.
	Names func(path string) bool
}

// programs are the programs whose presence the model is told.
var programs = []string{"git", "gh", "rg", "fd", "jq", "make", "go", "node", "npm", "pnpm", "yarn", "bun", "python3", "uv", "cargo",
	"java", "mvn", "gradle", "dotnet", "ruby", "php", "docker", "kubectl", "terraform"}

const (
	// maxCommits bounds the subjects of commits, maxSubject the length of one in bytes.
	maxCommits = 5
	maxSubject = 100
	// maxLog is the size of the end of the log of HEAD that is read, in bytes.
	maxLog = 32 << 10
)

// Text returns the facts at the beginning of a session.
func (e Environment) Text(ctx context.Context) string {
	var b strings.Builder
	b.WriteString("<environment>\n")
	fmt.Fprintf(&b, "Working directory: %s\n", e.Dir)
	fmt.Fprintf(&b, "Platform: %s/%s\n", runtime.GOOS, runtime.GOARCH)
	if system := systemName(ctx); system != "" {
		fmt.Fprintf(&b, "System: %s\n", system)
	}
	if e.Shell != "" {
		fmt.Fprintf(&b, "Shell: %s\n", e.Shell)
	}
	if found := e.programs(); len(found) > 0 {
		fmt.Fprintf(&b, "Programs found: %s\n", strings.Join(found, ", "))
	}
	if e.Zone != "" {
		fmt.Fprintf(&b, "Time zone: %s\n", e.Zone)
	}
	for _, line := range e.Moving(ctx) {
		b.WriteString(line + "\n")
	}
	if repository, ok := git.Root(ctx, e.Dir); !ok {
		b.WriteString("Not a git repository\n")
	} else {
		if n, known := git.Changed(ctx, e.Dir); known {
			fmt.Fprintf(&b, "Changed tracked files: %s\n", human.Number(n))
		}
		b.WriteString(e.untracked(ctx, repository))
		if subjects := commits(ctx, repository); len(subjects) > 0 {
			fmt.Fprintf(&b, "Newest commits here:\n- %s\n", strings.Join(subjects, "\n- "))
		}
	}
	b.WriteString("</environment>\n")
	return b.String()
}

// The facts that may change while a session goes on, each at the beginning of a line.
const (
	dateLine    = "Date: "
	branchLine  = "Git branch: "
	furtherLine = "Further directories: "
	noFurther   = "none any more"
)

// Moving returns the facts that may change while a session goes on, as lines.
func (e Environment) Moving(ctx context.Context) []string {
	lines := []string{dateLine + e.Date}
	if branch := git.Branch(ctx, e.Dir); branch != "" {
		lines = append(lines, branchLine+branch)
	}
	if len(e.Dirs) > 0 {
		lines = append(lines, furtherLine+strings.Join(e.Dirs, ", "))
	}
	return lines
}

// Moved returns the lines of now that differ from the newest such lines in texts that the model has read.
func Moved(now []string, read ...string) []string {
	last := map[string]string{}
	for _, text := range read {
		for line := range strings.Lines(text) {
			for _, kind := range []string{dateLine, branchLine, furtherLine} {
				if strings.HasPrefix(line, kind) {
					last[kind] = strings.TrimRight(line, "\r\n")
				}
			}
		}
	}
	now = slices.Clone(now)
	if last[furtherLine] != "" && !slices.ContainsFunc(now, func(line string) bool { return strings.HasPrefix(line, furtherLine) }) {
		now = append(now, furtherLine+noFurther)
	}
	return slices.DeleteFunc(now, func(line string) bool {
		return slices.Contains([]string{last[dateLine], last[branchLine], last[furtherLine]}, line)
	})
}

// Zone describes the time zone of a time.
func Zone(t time.Time) string {
	name, _ := t.Zone()
	if offset := t.Format("-07:00"); name != "UTC" {
		return name + ", UTC" + offset
	}
	return name
}

// maxRelease bounds a file that names the system, in bytes.
const maxRelease = 16 << 10

// systemName returns the name and version of the operating system, "" if they are not known.
func systemName(ctx context.Context) string {
	path, before, after := "/etc/os-release", "\nPRETTY_NAME=", "\n"
	if runtime.GOOS == "darwin" {
		path, before, after = "/System/Library/CoreServices/SystemVersion.plist", "<key>ProductVersion</key>", "</string>"
	}
	data, err := safefs.ReadFile(ctx, path, maxRelease, safefs.FollowLinks)
	if err != nil {
		return ""
	}
	_, rest, ok := strings.Cut("\n"+string(data), before)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, after)
	if runtime.GOOS == "darwin" {
		name = "macOS " + strings.TrimPrefix(strings.TrimSpace(name), "<string>")
	}
	return head(strings.Trim(strings.TrimSpace(strings.ToValidUTF8(name, "")), `"`), maxSubject)
}

// programs returns the programs that are found.
func (e Environment) programs() []string {
	dirs := filepath.SplitList(e.variable("PATH"))
	var out []string
	for _, name := range programs {
		if slices.ContainsFunc(dirs, func(dir string) bool { return filepath.IsAbs(dir) && runs(filepath.Join(dir, name)) }) {
			out = append(out, name)
		}
	}
	return out
}

// variable returns a variable of the environment, "" if it is not set. Windows writes Path.
func (e Environment) variable(name string) string {
	out := ""
	for _, v := range e.Environ {
		if n, value, ok := strings.Cut(v, "="); ok && strings.EqualFold(n, name) {
			out = value
		}
	}
	return out
}

// runs reports whether a path names a program.
func runs(path string) bool {
	if runtime.GOOS == "windows" {
		for _, ext := range []string{".exe", ".cmd", ".bat"} {
			if info, err := os.Stat(path + ext); err == nil && info.Mode().IsRegular() {
				return true
			}
		}
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// commits returns the subjects of the newest commits that were made or taken over here, newest first. They are read from the log
// of HEAD, so that neither git nor objects are needed; a fresh clone has none.
func commits(ctx context.Context, r git.Repository) []string {
	f, info, err := safefs.OpenFile(filepath.Join(r.Git, "logs", "HEAD"), safefs.NoLinks)
	if err != nil {
		return nil
	}
	defer f.Close()
	if from := info.Size() - maxLog; from > 0 {
		if _, err := f.Seek(from, io.SeekStart); err != nil {
			return nil
		}
	}
	data, err := safefs.Read(ctx, f, maxLog)
	if err != nil {
		return nil
	}
	var out []string
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD")), "\n")
	for _, line := range slices.Backward(lines) {
		_, what, ok := strings.Cut(line, "\t")
		kind, subject, is := strings.Cut(what, ": ")
		if !ok || !is || !strings.HasPrefix(kind, "commit") && !strings.HasPrefix(kind, "cherry-pick") && !strings.HasPrefix(kind, "rebase (pick)") {
			continue
		}
		if subject = head(subject, maxSubject); !slices.Contains(out, subject) {
			out = append(out, subject)
		}
		if len(out) == maxCommits {
			break
		}
	}
	return out
}
