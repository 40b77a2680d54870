package permission

import (
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission/disk"
	"parley/session/toolview"
)

// corpusLine is a command line as coding agents write them, with what an earlier judge ruled on it.
type corpusLine struct {
	reads   bool   // the line changes nothing, here or elsewhere, and runs no code of the project
	free    bool   // no rule was needed for it in default mode
	rule    string // the first rule that was offered for it and covered it, "" if there was none
	source  string // recorded, test or typical
	command string
}

// readCorpus returns the lines of testdata/corpus.txt, whose head says what the columns are.
func readCorpus(t *testing.T) []corpusLine {
	t.Helper()
	data, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []corpusLine
	for i, text := range strings.Split(strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), "\n") {
		if strings.HasPrefix(text, "#") {
			continue
		}
		cells := strings.Split(text, "\t")
		if len(cells) != 5 {
			t.Fatalf("line %d: %d columns, want 5", i+1, len(cells))
		}
		command, err := strconv.Unquote(cells[4])
		if err != nil || !slices.Contains([]string{"reads", "changes"}, cells[0]) || !slices.Contains([]string{"free", "asked"}, cells[1]) ||
			!slices.Contains([]string{"recorded", "test", "typical"}, cells[3]) {
			t.Fatalf("line %d: cannot read %q: %v", i+1, text, err)
		}
		lines = append(lines, corpusLine{cells[0] == "reads", cells[1] == "free", strings.TrimPrefix(cells[2], "-"), cells[3], command})
	}
	return lines
}

// corpusPolicy returns a policy of a session in /home/u/src, whose repository is quiet and whose programs lie in /usr/bin.
func corpusPolicy(mode session.Mode) Policy {
	there := strings.Fields("/ /etc /extra /home /home/u /home/u/other /home/u/src /home/u/src/.git /home/u/src/a.go /home/u/src/docs /home/u/src/frontend " +
		"/home/u/src/internal /home/u/src/internal/server /home/u/src/src /home/u/src/sub /tmp /usr /usr/bin /var")
	return Policy{Mode: mode, Dirs: []string{"/home/u/src", "/extra"}, Home: "/home/u", Base: "/home/u/src", Shell: "bash",
		Disk: disk.Disk{Resolve: func(path string) (string, error) {
			if !slices.Contains(there, path) {
				return "", fs.ErrNotExist
			}
			return path, nil
		}, Exists: func(path string) bool { return slices.Contains(there, path) }},
		Git:      func() bool { return true },
		Filters:  func(string) ([]string, bool) { return nil, true },
		Remotes:  func(string) []string { return []string{"origin", "upstream"} },
		Programs: func(name string) []string { return []string{"/usr/bin/" + name} }}
}

// decideCorpus rules on a line of the corpus, with one more rule unless its text is "".
func decideCorpus(t *testing.T, p Policy, command, rule string, ruling Ruling) Decision {
	t.Helper()
	if rule != "" {
		r, err := ParseRule(rule)
		if err != nil {
			return Decision{Ruling: Ask, Reason: err.Error()}
		}
		r.Ruling, r.Origin = ruling, FromProject
		p.Rules = append(slices.Clone(p.Rules), r)
	}
	return p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: command})
}

// whyAsked returns the reason of a decision, or else that of the first part that was not allowed.
func whyAsked(d Decision) string {
	if d.Reason != "" {
		return d.Reason
	}
	for _, part := range d.Parts {
		if !part.Allowed && part.Why != "" {
			return part.Why
		}
	}
	return "no reason"
}

func TestCorpusIsAsItsHeadSays(t *testing.T) {
	lines := readCorpus(t)
	seen := map[string]bool{}
	reads, before := 0, corpusLine{}
	for _, line := range lines {
		if seen[line.command] {
			t.Errorf("%q stands there twice", line.command)
		}
		if line.source < before.source || line.source == before.source && line.command < before.command {
			t.Errorf("%q is out of order", line.command)
		}
		if line.free && (!line.reads || line.rule != "") {
			t.Errorf("%q was free and changes something, or has a rule", line.command)
		}
		seen[line.command], before = true, line
		if line.reads {
			reads++
		}
	}
	if len(lines) < 1000 || reads*2 < len(lines) {
		t.Errorf("%d lines, of which %d only read", len(lines), reads)
	}
}

// Of the lines that only read and were free, 97 of 100 still are; of those that a rule covered, 95 of 100 still are covered by
// it; no line that changes something is free.
func TestCorpusIsAskedNoMoreThanBefore(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of the corpus are Unix paths")
		return
	}
	p := corpusPolicy(session.ModeDefault)
	var were, still, ruled, covered, reads, free int
	for _, line := range readCorpus(t) {
		d := decideCorpus(t, p, line.command, "", Allow)
		switch {
		case d.Ruling == Allow && !line.reads:
			t.Errorf("%q changes something, and is free", line.command)
		case d.Ruling != Allow && line.free:
			t.Logf("asked now: %q: %s", line.command, whyAsked(d))
		}
		were, reads = were+count(line.free && line.reads), reads+count(line.reads)
		still, free = still+count(line.free && line.reads && d.Ruling == Allow), free+count(line.reads && d.Ruling == Allow)
		if line.rule == "" {
			continue
		}
		ruled++
		if d := decideCorpus(t, p, line.command, line.rule, Allow); d.Ruling == Allow {
			covered++
		} else {
			t.Logf("no longer covered by %q: %q: %s", line.rule, line.command, whyAsked(d))
		}
	}
	t.Logf("%d of %d lines that only read and were free are free; of all %d that only read, %d are free", still, were, reads, free)
	t.Logf("%d of %d lines that a rule covered are covered by it", covered, ruled)
	if were == 0 || still*100 < were*97 {
		t.Errorf("%d of %d lines that only read and were free are free, want 97 of 100", still, were)
	}
	if ruled == 0 || covered*100 < ruled*95 {
		t.Errorf("%d of %d lines that a rule covered are covered by it, want 95 of 100", covered, ruled)
	}
}

// A rule that denies stops what it is about and, in the mode that bypasses permissions, as little else as possible.
func TestCorpusUnderARuleThatDenies(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of the corpus are Unix paths")
		return
	}
	const rule = "command git push *"
	p := corpusPolicy(session.ModeBypass)
	lines := readCorpus(t)
	var denied, asked, others int
	for _, line := range lines {
		d := decideCorpus(t, p, line.command, rule, Deny)
		denied, asked = denied+count(d.Ruling == Deny), asked+count(d.Ruling == Ask)
		switch pushes := strings.Contains(line.command, "git push"); {
		case pushes && d.Ruling == Allow:
			t.Errorf("%q is allowed where a rule denies git push", line.command)
		case !strings.Contains(line.command, "push") && d.Ruling != Allow:
			others++
			t.Logf("%s: %q: %s", d.Ruling, line.command, whyAsked(d))
		}
	}
	t.Logf("deny %s stops %d of %d lines in bypassPermissions: %d are denied, %d asked; %d of them have no push in them",
		rule, denied+asked, len(lines), denied, asked, others)
	if denied == 0 {
		t.Errorf("deny %s denies nothing", rule)
	}
}

// count returns 1 for true and 0 for false.
func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
