package textarea

import (
	"fmt"
	"strings"
	"testing"
)

// shelf is a source with a few candidates that counts its calls.
type shelf struct {
	names []string
	asked int
	last  Request
}

func (s *shelf) Candidates(r Request, limit int) (all []Candidate) {
	s.asked++
	s.last = r
	for _, n := range s.names {
		if strings.HasPrefix(n, r.Query) && len(all) < limit {
			all = append(all, Candidate{Text: n, More: strings.HasSuffix(n, "/")})
		}
	}
	return all
}

func TestWhatIsCompleted(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"/mo|", "command mo"}, {"  /|", "command "}, {"/mo|del x", "command mo"}, {"|/mo", ""}, {"//mo|", ""}, {"/etc/ho|", ""}, {"a /mo|", ""},
		{"/model so|", "argument so of model"}, {"/model |", "argument  of model"}, {"/model a b|", "argument a b of model"}, {"/a/b c|", ""}, {"/model a\nb|", ""},
		{"@|", "file "}, {"see @src/ma|", "file src/ma"}, {"see (@src|)", "file src"}, {"a@b.c|", ""}, {"@a|b", "file a"}, {"x '@a|", "file a"},
		{"@a.go:|", ""}, {"@a.go:10|", ""}, {"@a.go:10-2|", ""}, {"@c:x|", "file c:x"}, {`@"my fi|`, "file my fi"}, {`@"my file" |`, ""}, {`@"my file"|`, ""},
		{"/review @sr|", "file sr"}, {"", ""}, {"a\n@b|", "file b"}, {"@a |", ""},
	} {
		got := ""
		at := at(c.text).doc.trigger()
		switch at.What {
		case CompleteCommand:
			got = "command " + at.Query
		case CompleteArgument:
			got = "argument " + at.Query + " of " + at.Command
		case CompleteFile:
			got = "file " + at.Query
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCandidatesArePutIn(t *testing.T) {
	names := []string{"src/", "src/main.go", "my file.go", "my dir/", "model"}
	for _, c := range []struct{ before, after string }{
		{"/mo|", "/model |"}, {"/mo| x", "/model |x"}, {"/x mo|", "/x model |"}, {"see @src/m| now", "see @src/main.go |now"}, {"@sr|", "@src/|"}, {"@my| f", `@"my file.go" |f`},
		{`@"my d|`, `@"my dir/|`}, {`@"my file|.go"`, `@"my file.go" |`}, {"(@src/m|)", "(@src/main.go |"}, {"@none|", "@none|"}, {"a|", "a|"},
	} {
		comp := at(c.before)
		p := NewCompletion(comp, &shelf{names: names})
		p.Update()
		_, ok := p.Accept()
		if got := text(comp); got != c.after || ok != (c.before != c.after) {
			t.Errorf("%q: %q %v, want %q", c.before, got, ok, c.after)
		}
	}
}

func TestCompletionGoesOnInADirectory(t *testing.T) {
	c := at("@s|")
	p := NewCompletion(c, &shelf{names: []string{"src/", "src/a", "src/b"}})
	p.Update()
	p.Accept()
	if all, _ := p.List(); !p.Open() || len(all) != 3 {
		t.Errorf("%v", all)
	}
	p.Move(-1)
	if got, ok := p.Accept(); !ok || got.Text != "src/b" || text(c) != "@src/b |" || p.Open() {
		t.Errorf("%v, %q", got, text(c))
	}
}

func TestCompletionStaysClosedUntilSomethingElseIsWritten(t *testing.T) {
	c := at("@s|")
	s := &shelf{names: []string{"src", "sum", "see"}}
	p := NewCompletion(c, s)
	p.Update()
	p.Move(1)
	p.Close()
	c.Insert("u")
	if p.Update(); p.Open() {
		t.Error("open again at the same place")
	}
	if _, ok := p.Accept(); ok {
		t.Error("accepted what is not shown")
	}
	c.Insert(" @s")
	if p.Update(); !p.Open() {
		t.Error("closed at another place")
	}
	asked := s.asked
	p.Update()
	if s.asked != asked {
		t.Error("asked again for the same")
	}
	p.Move(2)
	s.names = []string{"more", "sun", "see"}
	p.Refresh()
	if all, i := p.List(); len(all) != 2 || all[i].Text != "see" {
		t.Errorf("%v, %d", all, i)
	}
	c.Move(CharLeft)
	c.Insert("x")
	if _, ok := p.Accept(); ok {
		t.Error("accepted although the text has changed")
	}
}

func TestShellCommands(t *testing.T) {
	for text, want := range map[string]string{"!ls -l": "ls -l", "! ls\nx": "ls\nx", "!!x": "", "!": "", "! ": "", "x!": "", " !x": ""} {
		if got, ok := ShellCommand(text); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v", text, got, ok)
		}
	}
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]string{
		"see @a/b.go:10-20, please": "a/b.go 10-20 [4:17]", "@a.go:7 @b": "a.go 7-7 [0:7], b 0-0 [8:10]", "x@y.z": "", "(@a.go)": "a.go 0-0 [1:6]",
		"@a.go:20-10": "a.go 10-20 [0:11]", "@a.go:": "a.go 0-0 [0:5]", `@"a b.go":3-4.`: "a b.go 3-4 [0:13]", `@"a`: "", "@": "", "@ x": "", "l\n@m.": "m 0-0 [2:4]",
		"@c:\\x": `c:\x 0-0 [0:5]`, `@"a" b`: "a 0-0 [0:4]", "@dir/": "dir/ 0-0 [0:5]", "@a:1-": "a 1-1 [0:5]",
	} {
		var got []string
		for _, m := range Mentions(text) {
			got = append(got, fmt.Sprintf("%s %d-%d [%d:%d]", m.Path, m.First, m.Last, m.From, m.To))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

func FuzzComplete(f *testing.F) {
	f.Add("see @a|b \"x\" @\"c d", 3)
	f.Add("/model x", 2)
	f.Fuzz(func(t *testing.T, s string, cursor int) {
		c := New(Looks{})
		c.doc = newDocument(clean(s))
		c.doc.at = c.doc.lines.offset(max(cursor, 0))
		p := NewCompletion(c, &shelf{names: []string{"a b/", "ab"}})
		p.Update()
		p.Accept()
		if d := c.doc; boundary(d.lines[d.at.line].text, d.at.off) != d.at.off {
			t.Fatal("the cursor is inside a character")
		}
		last := 0
		for _, m := range Mentions(s) {
			if m.From < last || m.To <= m.From || m.To > len(s) || s[m.From] != '@' || m.First > m.Last {
				t.Fatalf("%+v", m)
			}
			last = m.To
		}
	})
}
