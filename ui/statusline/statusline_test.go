package statusline

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/ui/style"
)

// settings writes files below a fresh directory and returns the places that hold them.
func settings(t *testing.T, files map[string]string) Places {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Places{Config: filepath.Join(top, "home", ".claude"), Dir: filepath.Join(top, "repo")}
}

func TestFind(t *testing.T) {
	const own = "home/.claude/settings.json"
	const shared, local = "repo/.claude/settings.json", "repo/.claude/settings.local.json"
	of := func(command string) string {
		return `{"statusLine": {"type": "command", "command": "` + command + `"}}`
	}
	for name, tt := range map[string]struct {
		files   map[string]string
		trusted bool
		want    Command
	}{
		"none":                      {files: map[string]string{own: `{}`}},
		"no file":                   {},
		"the user's":                {files: map[string]string{own: of("mine")}, want: Command{Line: "mine"}},
		"all of it":                 {files: map[string]string{own: `{"statusLine": {"type": "command", "command": "x", "padding": 2, "refreshInterval": 10}}`}, want: Command{Line: "x", Padding: 2, Every: 10 * time.Second}},
		"out of bounds":             {files: map[string]string{own: `{"statusLine": {"type": "command", "command": "x", "padding": -5, "refreshInterval": 0.001}}`}, want: Command{Line: "x", Every: time.Second}},
		"a directory's, untrusted":  {files: map[string]string{own: of("mine"), shared: of("theirs")}, want: Command{Line: "mine"}},
		"only a directory's":        {files: map[string]string{shared: of("theirs"), local: of("local")}},
		"a directory's, trusted":    {files: map[string]string{own: of("mine"), shared: of("theirs")}, trusted: true, want: Command{Line: "theirs"}},
		"the local file wins":       {files: map[string]string{own: of("mine"), shared: of("theirs"), local: of("local")}, trusted: true, want: Command{Line: "local"}},
		"another type":              {files: map[string]string{own: `{"statusLine": {"type": "static", "command": "x"}}`}},
		"not an object":             {files: map[string]string{own: `{"statusLine": "x"}`}},
		"broken":                    {files: map[string]string{own: `{"statusLine": `}},
		"switched off":              {files: map[string]string{own: `{"statusLine": {"type": "command", "command": "x"}, "disableAllHooks": true}`}},
		"switched off where untold": {files: map[string]string{own: of("mine"), shared: `{"disableAllHooks": true}`}, want: Command{Line: "mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Find(t.Context(), settings(t, tt.files), tt.trusted)
			if ok != (tt.want.Line != "") || ok && got != tt.want {
				t.Errorf("%+v, %v", got, ok)
			}
		})
	}
	p := settings(t, map[string]string{"home/.claude/x": ""})
	if err := os.Symlink("/dev/zero", filepath.Join(p.Config, "settings.json")); err == nil {
		if c, ok := Find(t.Context(), p, false); ok {
			t.Errorf("a device gave %+v", c)
		}
	}
}

func TestReport(t *testing.T) {
	var got map[string]any
	r := Report{Session: "s1", Title: "A title", Dir: "/src/acme", ProjectDir: "/src/acme", Branch: "main", Model: "claude-opus-4.8", ModelName: "Claude Opus 4.8",
		Effort: "high", Version: "1.0", Used: 52_000, Window: 200_000, Input: 90, Output: 8, Duration: 3 * time.Second, Left: 214, Of: 1500, Resets: time.Unix(1_700_000_000, 0)}
	if err := json.Unmarshal(r.JSON(), &got); err != nil {
		t.Fatal(err)
	}
	at := func(path string) any {
		var v any = got
		for key := range strings.SplitSeq(path, ".") {
			o, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			v = o[key]
		}
		return v
	}
	for path, want := range map[string]any{"session_id": "s1", "session_name": "A title", "model.display_name": "Claude Opus 4.8", "model.id": "claude-opus-4.8",
		"workspace.current_dir": "/src/acme", "context_window.used_percentage": 26.0, "context_window.remaining_percentage": 74.0,
		"context_window.current_usage.input_tokens": 52_000.0, "effort.level": "high", "cost.total_duration_ms": 3000.0,
		"parley.branch": "main", "parley.requests.left": 214.0, "parley.requests.resets_at": 1.7e9} {
		if got := at(path); got != want {
			t.Errorf("%s is %v, not %v", path, got, want)
		}
	}
	if err := json.Unmarshal(Report{}.JSON(), &got); err != nil {
		t.Fatal(err)
	}
	clear(got)
	_ = json.Unmarshal(Report{}.JSON(), &got)
	for _, key := range []string{"context_window", "parley", "effort", "session_name"} {
		if _, ok := got[key]; ok {
			t.Errorf("%s is told although it is not known", key)
		}
	}
}

func TestReduce(t *testing.T) {
	for in, want := range map[string][]string{
		"":                                       nil,
		"\n\n":                                   nil,
		"plain\n":                                {"plain"},
		"a\nb\nc\nd\n":                           {"a", "b", "c"},
		"\x1b[31mred\x1b[0m":                     {"\x1b[31mred\x1b[0m\x1b[m"},
		"\x1b[38;5;200mx":                        {"\x1b[38;5;200mx\x1b[m"},
		"\x1b[38:2:1:2:3mx":                      {"\x1b[38;2;1;2;3mx\x1b[m"},
		"\x1b[1;5;8;32mx":                        {"\x1b[1;32mx\x1b[m"},
		"\x1b[38;5;999mx":                        {"x"},
		"\x1b[38mx":                              {"x"},
		"\x1b[2J\x1b[Hx\x1b[?1049h":              {"x"},
		"\x1b]8;;http://a\x1b\\link\x1b]8;;\x07": {"link"},
		"\x1b]52;c;eA==\x07x":                    {"x"},
		"\x1bPq#0\x1b\\x":                        {"x"},
		"bell\x07":                               {"bell␇"},
		"rtl\u202e":                              {"rtl<U+202E>"},
		"crlf\r\nnext":                           {"crlf", "next"},
		"cut\x1b[3":                              {"cut"},
	} {
		if diff := cmp.Diff(want, reduce(in)); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

// onlyColors matches a row of text and sequences of colors.
var onlyColors = regexp.MustCompile(`^([^\x00-\x1f\x7f]|\x1b\[[0-9;]*m)*$`)

func FuzzReduce(f *testing.F) {
	f.Add("\x1b[38;5;1mx\x1b]0;t\x07\x9b31m\u202e")
	f.Add("\x1b[\x1b[31m;m\x1b]\x1b\\")
	f.Fuzz(func(t *testing.T, s string) {
		rows := reduce(s)
		if len(rows) > MaxRows {
			t.Fatalf("%d rows", len(rows))
		}
		for _, r := range rows {
			if !onlyColors.MatchString(r) {
				t.Fatalf("%q became %q", s, r)
			}
			if strings.Contains(r, "\x1b") && !strings.HasSuffix(r, "\x1b[m") {
				t.Fatalf("%q leaves the pen up", r)
			}
		}
	})
}

// source is a source of functions.
type source struct {
	filter func(ctx context.Context, dir, line string, input []byte, most int) ([]byte, int, error)
	find   func() (Command, bool)
}

func (s source) Filter(ctx context.Context, dir, line string, input []byte, most int) ([]byte, int, error) {
	return s.filter(ctx, dir, line, input, most)
}
func (s source) Find(context.Context, string) (Command, bool) { return s.find() }

// TestLine drives a line through changes, a run that is under way, and an interval.
func TestLine(t *testing.T) {
	command, runs := Command{Line: "x"}, 0
	output, status := "one", 0
	var failed error
	l := New(source{func(_ context.Context, dir, line string, input []byte, most int) ([]byte, int, error) {
		runs++
		if dir != "/src" || line != "x" || !json.Valid(input) || most <= 0 {
			t.Errorf("%q in %q with %q", line, dir, input)
		}
		return []byte(output), status, failed
	}, func() (Command, bool) { return command, command.Line != "" }})
	now := time.Unix(1000, 0)
	if run, wait := l.Due(now); run != nil || wait != 0 {
		t.Fatal("a line without a report runs")
	}
	l.Set(Report{Dir: "/src", Session: "a"})
	run, _ := l.Due(now)
	if run == nil {
		t.Fatal("the first report does not run the command")
	}
	l.Set(Report{Dir: "/src", Session: "b"})
	if again, _ := l.Due(now.Add(time.Second)); again != nil {
		t.Fatal("two runs at a time")
	}
	if !l.Done(run(t.Context())) {
		t.Error("the first rows are no change")
	}
	if rows := l.Rows(style.Measure{}, 80); !cmp.Equal(rows, []string{"  one"}) {
		t.Errorf("%q", rows)
	}
	if run, wait := l.Due(now.Add(100 * time.Millisecond)); run != nil || wait != 200*time.Millisecond {
		t.Errorf("too early: %v", wait)
	}
	now = now.Add(between)
	if run, _ = l.Due(now); run == nil {
		t.Fatal("a change during a run is forgotten")
	}
	if l.Done(run(t.Context())) {
		t.Error("the same rows are a change")
	}
	l.Set(Report{Dir: "/src", Session: "b", Duration: time.Hour})
	if run, wait := l.Due(now.Add(time.Hour)); run != nil || wait != 0 {
		t.Error("it runs although nothing changed")
	}
	for _, bad := range []func(){func() { failed = errors.New("killed") }, func() { failed, status = nil, 1 }, func() { status, command.Line = 0, "" }} {
		bad()
		now = now.Add(time.Minute)
		l.Set(Report{Dir: "/src", Session: now.String()})
		run, _ = l.Due(now)
		l.Done(run(t.Context()))
		if rows := l.Rows(style.Measure{}, 80); len(rows) > 0 {
			t.Errorf("a run that failed shows %q", rows)
		}
	}
	command = Command{Line: "x", Every: 10 * time.Second}
	now = now.Add(time.Minute)
	l.Set(Report{Dir: "/src"})
	run, _ = l.Due(now)
	l.Done(run(t.Context()))
	if _, wait := l.Due(now.Add(4 * time.Second)); wait != 6*time.Second {
		t.Errorf("the interval ends in %v", wait)
	}
	if run, _ := l.Due(now.Add(10 * time.Second)); run == nil {
		t.Error("the interval runs nothing")
	}
}
