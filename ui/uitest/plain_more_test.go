package uitest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

// Mentions are attached in lines as on the screen: files, lines of files, directories, images by their paths.
func TestPlainAttachments(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "shot one.png")
	if err := os.WriteFile(file, []byte("\x89PNG\r\n\x1a\n0000"), 0o600); err != nil {
		t.Fatal(err)
	}
	fake := filepath.Join(dir, "fake.png")
	if err := os.WriteFile(fake, []byte("no image"), 0o600); err != nil {
		t.Fatal(err)
	}
	RunLines(t, Config{Options: withFiles}, func(l *Lines) {
		l.Send("see @README.md, @docs/ and @nobody, @go.mod:2-3\n")
		l.Send("at once\n")
		turn := l.Agent.Turn(l.T)
		var got []string
		for _, a := range turn.Prompt.Attachments {
			got = append(got, string(a.Kind)+" "+strings.TrimPrefix(a.Path, Dir)+" "+a.Text)
		}
		if s := strings.Join(got, "|"); s != "file /README.md |directory /docs |selection /go.mod two\nthree" {
			t.Errorf("went along: %q", s)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		turn = l.Agent.Turn(l.T)
		if turn.Prompt.Text != "at once" {
			t.Errorf("the second prompt is %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		l.Type("what is wrong in '" + file + "' or " + strings.ReplaceAll(file, " ", `\ `) + "? not in /nowhere/x.png")
		turn = l.Agent.Turn(l.T)
		if a := turn.Prompt.Attachments; len(a) != 2 || a[0].Kind != session.AttachImage || a[0].MediaType != "image/png" || a[1].Path != file {
			t.Errorf("went along: %+v", a)
		}
		if !strings.Contains(l.Said(), "note: Attached: shot one.png, 1 KB; shot one.png, 1 KB") {
			t.Errorf("the attachments are not printed:\n%s", l.Said())
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		l.News()
		l.Type(fake)
		if said := l.News(); !strings.Contains(said, "error: not sent: fake.png is no PNG") {
			t.Errorf("said:\n%s", said)
		}
	})
}

// A shell command of the user runs, its output is printed and attached to the next prompt.
func TestPlainShell(t *testing.T) {
	shell := func(ctx context.Context, dir, line string, wrote func([]byte)) (int, error) {
		if line == "sleep" {
			<-ctx.Done()
			return -1, nil
		}
		wrote([]byte(dir + ": \x1b[31m" + line + "\x1b[0m\n"))
		return 1, nil
	}
	RunLines(t, Config{Options: func(o *ui.Options) { o.Shell = shell }}, func(l *Lines) {
		l.Type("! make")
		l.Type("!sleep")
		l.Type("!ls")
		l.Type("/stop")
		l.Type("what is this?")
		turn := l.Agent.Turn(l.T)
		if a := turn.Prompt.Attachments; len(a) != 2 || a[0].Text != Dir+": make\nexit status 1" || a[1].Text != "stopped" {
			t.Errorf("went along: %+v", a)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		l.Type("!make")
		l.Type("/drop")
		l.Type("!!important")
		turn = l.Agent.Turn(l.T)
		if p := turn.Prompt; p.Text != "!important" || len(p.Attachments) != 0 {
			t.Errorf("sent %+v", p)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		l.Golden("plain-shell")
	})
}

// What a directory brings along is decided about after its list was heard.
func TestPlainTrust(t *testing.T) {
	tr := &truster{items: repository}
	RunLines(t, Config{Options: withTruster(tr)}, func(l *Lines) {
		l.Type("/trust yes")
		if tr.said() != "" {
			t.Errorf("decided before the list was said: %s", tr.said())
		}
		l.Type("/trust yes")
		l.Type("/trust")
		if tr.said() != Dir+" 4 true" {
			t.Errorf("decided %q", tr.said())
		}
		l.Golden("plain-trust")
	})
}

// What calls gave back can be read, a session copied from a turn on and written into a file.
func TestPlainReadsForksAndExports(t *testing.T) {
	w := sessiontest.NewWorld()
	var manager *live.Manager
	var asked []string
	file := filepath.Join(t.TempDir(), "talk.md")
	RunLines(t, Config{World: w, Options: func(o *ui.Options) {
		manager = managerOf(o).Manager
		managerOf(o).Forks = func(_ context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
			asked = append(asked, string(upTo))
			return manager.Draft(live.DraftOptions{Dir: Dir})
		}
	}}, func(l *Lines) {
		for _, line := range []string{"/output", "/fork", "/export", "first"} {
			l.Type(line)
		}
		turn := l.Agent.Turn(l.T)
		first := turn.ID
		turn.Tool("Bash", `{"command":"seq 2"}`, "1\n2\n")
		call := turn.StartTool("Read", `{"file_path":"/home/ada/src/acme/x"}`)
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolFailed, Result: session.ToolResult{Text: "no such file: x\nlook elsewhere"}})
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		l.Settle()
		for _, line := range []string{"/output", "/output 2", "/output 3", "/output x", "/export " + file, "/export " + file, "/fork"} {
			l.Type(line)
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "Done.") {
			t.Errorf("exported %q, %v", text, err)
		}
		if s := l.News(); !strings.Contains(s, "Exported to "+file) || !strings.Contains(s, "warning: Couldn't export: ") {
			t.Errorf("said:\n%s", s)
		}
		said := strings.ReplaceAll(l.Said(), filepath.Dir(file), "/tmp")
		l.Type("/fork 2")
		l.Type("/fork 1")
		if len(asked) != 1 || asked[0] != string(first) {
			t.Errorf("copied up to %q, not %s", asked, first)
		}
		golden(t, filepath.Join("testdata", "plain-reads.txt"), said)
	})
}

// A call that was asked about and refused never ran, and nothing says it did.
func TestPlainReadsWhatNeverRan(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("first")
		turn := l.Agent.Turn(l.T)
		call := turn.StartTool("Bash", `{"command":"make clean"}`)
		turn.Ask(session.Asked{Call: call, Permission: &session.PermissionAsk{Tool: "Bash", Command: "make clean"}})
		l.Settle()
		l.News()
		l.Type("/output")
		if s := l.News(); !strings.Contains(s, "tool: wants to run make clean, no output") {
			t.Errorf("while it is asked about:\n%s", s)
		}
		l.Type("n")
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolDenied, Result: session.ToolResult{Text: "The user refused."}})
		turn.End(session.TurnCompleted)
		l.Settle()
		l.News()
		l.Type("/output")
		if s := l.News(); !strings.Contains(s, "tool: wanted to run make clean, 1 line") {
			t.Errorf("once it is refused:\n%s", s)
		}
	})
}
