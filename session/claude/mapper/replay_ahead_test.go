package mapper

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"parley/session"
	"parley/session/claude/transcript"
)

// Every recorded session is replayed by several processors as by one.
func TestReplayAtOnce(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "transcript", "testdata", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	compared, ahead := 0, 0
	for _, name := range names {
		rec, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for _, f := range rec.Files {
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range rec.Files {
			if strings.Count(f.Name, "/") != 1 || !strings.HasSuffix(f.Name, ".jsonl") {
				continue
			}
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			file := transcript.Open(path)
			if _, err := file.Update(t.Context()); err != nil {
				t.Fatal(err)
			}
			children, err := transcript.Children(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			entries := file.Conversation()
			want, lost := replayAtOnce("s", entries, children, 1)
			for _, workers := range []int{2, 3} {
				got, left := replayAtOnce("s", entries, children, workers)
				if d := cmp.Diff(want, got); d != "" || left != lost {
					t.Errorf("%s with %d workers: %d entries left out, want %d; %s", f.Name, workers, left, lost, d)
				}
			}
			compared++
			r := newReplayer("s", children)
			r.look(entries)
			ahead += len(readAhead(entries, r.names, 2))
		}
	}
	if compared < 20 || ahead < 20 {
		t.Errorf("only %d sessions with %d results were compared", compared, ahead)
	}
}

// A result that was read for another tool, or whose call the user denied, is read again.
func TestResultsAheadCountForTheirTool(t *testing.T) {
	e := &transcript.Entry{Blocks: []transcript.Block{{Type: "tool_result", ToolUseID: "c", Content: []byte(`"no"`), IsError: true}}}
	ahead := readAhead([]transcript.Entry{*e}, map[string]string{"c": "Read"}, 2)
	for _, results := range ahead {
		ahead = resultsAhead{e: results}
	}
	read := ahead.reader(e, 0, readStored)
	l, b := resultLine(e, ""), blockFrom(e.Blocks[0])
	for name, denied := range map[string]bool{"Read": true, "Bash": false} {
		if d := cmp.Diff(readResult(l, b, name, denied), read(l, b, name, denied), cmp.AllowUnexported(toolReading{})); d != "" {
			t.Errorf("%s, denied %t: %s", name, denied, d)
		}
	}
	if read(l, b, "Read", true).outcome != session.ToolDenied || read(l, b, "Read", false).outcome != session.ToolFailed {
		t.Error("the answer of the user does not count")
	}
}
