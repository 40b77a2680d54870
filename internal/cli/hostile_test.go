//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"parley/copilot/sim"
	"parley/copilot/sim/script"
)

// What must not reach a terminal: it sets the clipboard or the title, clears the screen, moves the cursor, asks the
// terminal, turns text around, hides text, or fills a cell or the screen.
const (
	nastyName = "a\x1b[2Jb\x1b]52;c;aGk=\x07c\u009b2Jd\u202ee\u2066f\x08\x7f\re\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301g"
	nastyText = nastyName + "\x1b]0;owned\x1b\\\x1bP+q\x1b\\\x1b[6n\x0e\u2028\u2029\ufeff\u200b\U000e0041\nok  forged\rover\u0090x\u009c"
)

var nastyFlood = strings.Repeat("\u200d", 2000)

// threats lists what of a text would not stay text on a terminal. Colours are allowed.
func threats(text string) (found []string) {
	text = regexp.MustCompile("\x1b\\[[0-9;:]*m").ReplaceAllString(text, "")
	marks := 0
	for i, r := range text {
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n', r == '\t':
		case r == utf8.RuneError && size == 1:
			found = append(found, fmt.Sprintf("byte %#x", text[i]))
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector):
			found = append(found, fmt.Sprintf("%U", r))
		case marks > 8:
			found = append(found, "too many marks")
		}
	}
	return found
}

// onTerminal runs parley in this process with a terminal of 80 columns for its output, and returns what came to the terminal.
func (w *world) onTerminal(args ...string) outcome {
	w.t.Helper()
	return w.atWidth(80, args...)
}

// hostileService is the simulated service, with names, plans and models that are up to no good.
func (w *world) hostileService() {
	w.t.Helper()
	models := sim.DefaultModels()
	for i := range models {
		models[i].Name += nastyText
	}
	models[0].ID += nastyName
	rules, err := script.Parse(strings.NewReader(`
rules:
  - when: {prompt: fail}
    reply: [{fault: {kind: status, status: 400, message: "`+escaped(nastyText+nastyFlood)+`"}}]
  - reply: "# {{last_user}}"
`), "script.yaml")
	if err != nil {
		w.t.Fatal(err)
	}
	sim, err := sim.Start(sim.Options{Models: models, Script: rules})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { sim.Close() })
	front := func(target string) string {
		u, err := url.Parse(target)
		if err != nil {
			w.t.Fatal(err)
		}
		proxy := httputil.NewSingleHostReverseProxy(u)
		proxy.ModifyResponse = func(r *http.Response) error {
			if !strings.Contains(r.Request.URL.Path, "copilot_internal") {
				return nil
			}
			b, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			b = []byte(strings.NewReplacer(`"individual"`, `"`+escaped(nastyText)+`"`, `"login":"`, `"login":"`+escaped(nastyText)).Replace(string(b)))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
			r.Header.Del("Content-Length")
			return nil
		}
		srv := httptest.NewServer(proxy)
		w.t.Cleanup(srv.Close)
		return srv.URL
	}
	w.env = append(w.env, "PARLEY_GITHUB_API_URL="+front(sim.GitHubURL()), "PARLEY_COPILOT_API_URL="+front(sim.CopilotURL()),
		"COPILOT_GITHUB_TOKEN="+sim.Token())
}

// escaped is text as it stands between the quotes of a string in JSON or YAML.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r > 0xffff {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// hostileWorld holds sessions, directories, runtimes and a configuration that are up to no good.
func hostileWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.hostileService()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.dir = filepath.Join(w.dir, nastyName)
	write(filepath.Join(w.dir, ".git", "HEAD"), "ref: refs/heads/"+nastyName)
	t.Chdir(w.dir)
	write(filepath.Join(w.home, ".config", "parley", "config.yaml"), `editor: "`+escaped(nastyText)+`"`+"\n")
	theirs := strings.NewReplacer("look here", escaped(nastyText+nastyFlood), "/work", escaped(w.dir), "I looked.", escaped(nastyText)).Replace(theirTranscript)
	write(filepath.Join(w.home, ".claude", "projects", "-work", theirID+".jsonl"),
		theirs+`{"type":"custom-title","customTitle":"`+escaped(nastyText)+`","sessionId":"`+theirID+`"}`+"\n")
	write(filepath.Join(w.home, ".local", "share", "parley", "sessions", "broken.jsonl"), nastyText)
	write(filepath.Join(w.home, ".cache", "parley", "runtimes", "claude", "9.9.9", "manifest.json"), nastyText)
	if o := w.run("-p", nastyText); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	if !strings.Contains(w.run("sessions", "export", w.ownSession()).out, "\x1b[2J") {
		t.Fatal("an export to a file is not what was said")
	}
	w.changeNastyFiles()
	w.env = append(w.env, "PARLEY_"+nastyName+"=x")
	return w
}

// ownSession is the id of the session that parley itself held.
func (w *world) ownSession() string {
	w.t.Helper()
	var list []struct{ ID, Agent string }
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "list", "--json")), &list); err != nil {
		w.t.Fatal(err)
	}
	for _, m := range list {
		if m.Agent == "builtin" {
			return m.ID
		}
	}
	w.t.Fatalf("no session of ours in %+v", list)
	return ""
}

// leaves are all commands that do something, by their words.
func leaves(cmd *cobra.Command) (paths [][]string) {
	for _, sub := range cmd.Commands() {
		if !sub.HasSubCommands() {
			paths = append(paths, strings.Fields(sub.CommandPath())[1:])
		}
		paths = append(paths, leaves(sub)...)
	}
	return paths
}

// Every command is run over hostile data, with a terminal and with pipes at its end. A command that is not named here gets
// something hostile for an argument.
func TestNoCommandDrivesTheTerminal(t *testing.T) {
	w := hostileWorld(t)
	own := w.ownSession()
	with := func(name, value string) func() { // changes the world for one run
		return func() { w.env = append(w.env, name+"="+value) }
	}
	broken := filepath.Join(w.home, nastyName+".yaml")
	if err := os.WriteFile(broken, []byte("model: [\""+escaped(nastyText)+"\"]\n\""+escaped(nastyText)+"\": 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	type run struct {
		args  []string
		set   func()
		shows string // what has to be there, for the run to be worth something
	}
	runs := []run{
		{args: []string{"models"}, shows: "a␛[2Jb"},
		{args: []string{"models", "--json"}, shows: `\u001b[2J`},
		{args: []string{"auth", "status"}, shows: "a␛[2Jb"},
		{args: []string{"auth", "status", "--json"}, shows: `\u001b[2J`},
		{args: []string{"doctor"}, shows: "a␛[2Jb"},
		{args: []string{"doctor"}, set: with("PARLEY_CLAUDE_PATH", "/"+nastyName), shows: "claude.path"},
		{args: []string{"runtimes", "list"}, set: with("PARLEY_COPILOT_PATH", "/"+nastyName), shows: "copilot.path"},
		{args: []string{"doctor"}, set: with("PARLEY_COPILOT_API_URL", "http://127.0.0.1:1"), shows: "problem found"},
		{args: []string{"config", "show"}, shows: "editor"},
		{args: []string{"config", "path", "--config", broken}, shows: "! "},
		{args: []string{"runtimes", "list"}},
		{args: []string{"runtimes", "list"}, set: with("PARLEY_CLAUDE_PATH", "/"+nastyName), shows: "claude.path"},
		{args: []string{"runtimes", "list", "--json"}, set: with("PARLEY_CLAUDE_PATH", "/"+nastyName)},
		{args: []string{"runtimes", "rm", "claude@" + nastyName}, shows: "exact version"},
		{args: []string{"sessions", "list"}, shows: "a␛[2Jb"},
		{args: []string{"sessions", "list", "--json"}, shows: `\u001b[2J`},
		{args: []string{"sessions", "show", own}, shows: "␛[2Jb"},
		{args: []string{"sessions", "show", "--json", own}, shows: `\u001b[2J`},
		{args: []string{"sessions", "show", theirID}, shows: "␛[2Jb"},
		{args: []string{"sessions", "export", own}, shows: "␛[2Jb"},
		{args: []string{"sessions", "export", theirID}, shows: "␛[2Jb"},
		{args: []string{"sessions", "export", "broken"}},
		{args: []string{"sessions", "fork", theirID}},
		{args: []string{"sessions", "diff", own}, shows: "+a␛[2Jb"},
		{args: []string{"sessions", "diff", own, "--stat"}, shows: "a␛[2Jb"},
		{args: []string{"sessions", "diff", own, "--json"}, shows: `\u001b[2J`},
		{args: []string{"sessions", "diff", own, "./" + nastyText}, shows: "changed no file"},
		{args: []string{"sessions", "diff", own, "--turn", nastyText}, shows: "--turn"},
		{args: []string{"sessions", "undo", own}, shows: "What would be lost"},
		{args: []string{"sessions", "undo", own, "--json"}, shows: `\u001b[2J`},
		{args: []string{"sessions", "undo", own, "--redo"}, shows: "nothing of this session was undone"},
		{args: []string{"sessions", "rm", theirID}, shows: "--with-transcript"},
		{args: []string{"-p", nastyText}, shows: "␛[2Jb"},
		{args: []string{"-p", "--output-format", "json", nastyText}, shows: `\u001b[2J`},
		{args: []string{"-p", "--output-format", "stream-json", nastyText}, shows: `\u001b[2J`},
		{args: []string{"-p", "fail"}, shows: "! "},
		{args: []string{"-p", "--output-format", "stream-json", "fail"}},
		{args: []string{"-p", "-r", nastyText, "x"}, shows: "! "},
		{args: []string{"-p", "-m", nastyText, "x"}},
		{args: []string{"-p", "--add-dir", nastyText, "x"}, shows: "--add-dir"},
		{args: []string{"-p", "--agent", nastyText, "x"}, shows: "agent"},
		{args: []string{"-p", "--log-file", "/dev/null/" + nastyName, "x"}, shows: "log file"},
		{args: []string{"--" + nastyText}, shows: "unknown flag"},
		{args: []string{"--config", nastyText, "models"}, shows: "! "},
	}
	for _, path := range leaves(rootCommand(newApp(Process{Out: io.Discard, Err: io.Discard}))) {
		runs = append(runs, run{args: append(path, nastyText)})
	}
	env := w.env
	for _, r := range runs {
		t.Run(strings.Join(r.args, " "), func(t *testing.T) {
			w.t, w.env = t, env[:len(env):len(env)]
			if r.set != nil {
				r.set()
			}
			shown := w.onTerminal(r.args...)
			if found := threats(shown.out); len(found) > 0 {
				t.Errorf("a terminal gets %v in\n%q", found, shown.out)
			}
			if !strings.Contains(shown.out, r.shows) {
				t.Errorf("no %q in\n%q", r.shows, shown.out)
			}
			piped := w.run(r.args...)
			if found := threats(piped.err); len(found) > 0 {
				t.Errorf("stderr gets %v in\n%q", found, piped.err)
			}
			if n := strings.Count(piped.err, "\n") + len(piped.err)/80; n > 60 {
				t.Errorf("%d rows of messages", n)
			}
		})
	}
}

// No command goes past the printer: only what draws a screen, or runs a program of the user's on it, gets the stream itself.
func TestCommandsPrintThroughTheirOutput(t *testing.T) {
	allowed := map[string]int{
		"cli.go":    3, // the streams of the process, and the version
		"exit.go":   1, // the name of standard output
		"chat.go":   2, // the screen, and the terminal for gh
		"signin.go": 1, // gh asks on the terminal
	}
	past := regexp.MustCompile(`os\.Std(out|err)|fmt\.Print|\b(out|err)\.Raw\(|\bp\.(Out|Err)\b`)
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "app.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := past.FindAllString(string(text), -1); len(found) > allowed[name] {
			t.Errorf("%s prints by itself: %q", name, found)
		}
	}
}

// A theme that does not exist costs colours and no answer.
func TestABadThemeLosesNoAnswer(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.env = append(w.env, "GLAMOUR_STYLE=nowhere")
	if o := w.onTerminal("-p", "hello"); o.code != 0 || !strings.Contains(o.out, "You said: hello") || !strings.Contains(o.out, `theme "nowhere"`) {
		t.Errorf("%+v", o)
	}
}
