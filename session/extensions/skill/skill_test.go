package skill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// world is a home with a repository in it.
type world struct {
	t          *testing.T
	home, repo string
	trusted    bool
	plugins    []Plugin
	f          *Finder
}

func newWorld(t *testing.T) *world {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: home, repo: filepath.Join(home, "src", "acme"), trusted: true}
	w.put("src/acme/.git/HEAD", "ref: refs/heads/main\n")
	w.f = New(Options{Home: home, ConfigDir: filepath.Join(home, ".config", "parley"), ClaudeDir: filepath.Join(home, ".claude"),
		CopilotDir: filepath.Join(home, ".copilot"), Reserved: []string{"clear"}, Trusted: func(string) bool { return w.trusted },
		Plugins: func(context.Context) []Plugin { return w.plugins }})
	return w
}

// put writes a file below the home.
func (w *world) put(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) link(name, to string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(w.home, name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(to, filepath.Join(w.home, name)); err != nil {
		w.t.Fatal(err)
	}
}

// text is a skill with a description.
func text(about string) string { return "---\ndescription: " + about + "\n---\nDo it.\n" }

// find returns a line for each skill: its kind, name and description, or why it is not used; notes begin with an exclamation mark.
func (w *world) find(dir string) string {
	var lines []string
	for _, s := range w.f.Find(w.t.Context(), dir) {
		line := string(s.Kind) + " " + s.Name + ": " + s.About
		if s.Why != "" {
			line = string(s.Kind) + " " + s.Name + " - " + s.Why
		}
		for _, n := range s.Notes {
			line += " ! " + n
		}
		lines = append(lines, strings.ReplaceAll(line, w.home, "~"))
	}
	return strings.Join(lines, "\n")
}

func (w *world) expect(dir, want string) {
	w.t.Helper()
	if got := w.find(dir); got != strings.TrimSpace(want) {
		w.t.Errorf("found\n%s\nnot\n%s", got, want)
	}
}

func TestPrecedence(t *testing.T) {
	w := newWorld(t)
	for _, at := range []string{".config/parley/skills/own", ".claude/skills/claude", ".copilot/skills/copilot", ".agents/skills/agents",
		"src/acme/.github/skills/github", "src/acme/.claude/skills/same", "src/acme/.agents/skills/same", "src/acme/sub/.claude/skills/below",
		"src/acme/.claude/skills/own", "src/acme/.claude/skills/deploy", "plug/skills/tool"} {
		w.put(at+"/SKILL.md", text(at))
	}
	w.put(".claude/commands/deploy.md", text("the user's command"))
	w.put("src/acme/.claude/commands/front/new.md", "# Make a component\nNow.")
	w.put("src/acme/.claude/commands/same.md", text("a command"))
	w.put("src/acme/.claude/commands/README.md", "About these")
	w.put("src/acme/.claude/skills/notes.md", "Some text")
	w.put("plug/commands/run.md", text("of a plugin"))
	w.plugins = []Plugin{{Name: "depot", Dir: filepath.Join(w.home, "plug")}}
	w.expect(filepath.Join(w.repo, "sub"), `
skill own: .config/parley/skills/own
skill claude: .claude/skills/claude
skill copilot: .copilot/skills/copilot
skill agents: .agents/skills/agents
command deploy: the user's command
skill below: src/acme/sub/.claude/skills/below
skill github: src/acme/.github/skills/github
skill same: src/acme/.agents/skills/same
skill deploy - replaced by the one in ~/.claude/commands/deploy.md
skill own - replaced by the one in ~/.config/parley/skills/own/SKILL.md
skill same - replaced by the one in ~/src/acme/.agents/skills/same/SKILL.md
command front:new: Make a component
command same - replaced by the one in ~/src/acme/.agents/skills/same/SKILL.md
skill depot:tool: plug/skills/tool
command depot:run: of a plugin`)
	w.trusted = false
	if got := w.find(w.repo); strings.Count(got, notAgreed) != 7 || !strings.Contains(got, "skill own: ") {
		t.Errorf("not agreed:\n%s", got)
	}
}

// Where the directory is the home, what lies in it is the user's and listed once.
func TestHomeIsNoRepository(t *testing.T) {
	w := newWorld(t)
	w.trusted = false
	w.put(".claude/skills/mine/SKILL.md", text("mine"))
	w.put(".git/HEAD", "ref: refs/heads/main\n")
	w.expect(w.home, "skill mine: mine")
	if items := w.f.Items(t.Context(), w.home); len(items) != 0 {
		t.Errorf("%v", items)
	}
}

func TestOneFileInTwoPlacesIsOneSkill(t *testing.T) {
	w := newWorld(t)
	w.put("src/acme/.agents/skills/one/SKILL.md", text("one"))
	w.link("src/acme/.claude/skills", "../.agents/skills")
	w.put("dotfiles/lint/SKILL.md", text("linked by the user"))
	w.link(".claude/skills/lint", filepath.Join(w.home, "dotfiles", "lint"))
	w.expect(w.repo, "skill lint: linked by the user\nskill one: one")
}

func TestHeads(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no head":    {"Do it.", "skill x - 1: the head is missing: begin the file with a line of ---, a line such as \"description: …\" and another ---"},
		"no end":     {"---\ndescription: a\n", "skill x - 1: the head has no end: add a line with --- behind it"},
		"no text":    {"---\ndescription: a\n---\n", "skill x - 2: there is no text behind the head"},
		"no about":   {"---\nname: x\n---\n# Title\nText", "skill x: Title ! 2: add a description: it says when to use the skill"},
		"bad yaml":   {"---\ndescription: [a\n---\nb", "skill x - 2: the head is not YAML: did not find expected ',' or ']'"},
		"bomb":       {"---\na: &a [x,x]\nb: &b [*a,*a]\ndescription: *b\n---\nb", "skill x - 2: the head is not YAML: references (& and *) are not allowed here"},
		"other name": {"---\nname: y\ndescription: a\n---\nb", "skill y: a ! 2: the name should be that of the folder, x"},
		"lookalike":  {"---\nname: с\ndescription: a\n---\nb", "skill x: a ! 2: the name must consist of the letters a to z, digits and -; that of the folder is used"},
		"when":       {"---\ndescription: a\nwhen_to_use: at night\nallowed-tools: Bash(git add *) Read\nhooks:\n  Stop: []\n---\nb", "skill x: a at night ! hooks of a skill is not used here"},
		"unknown":    {"---\ndescription: a\nallowed_tool: b\n---\nb", `skill x: a ! 3: "allowed_tool" is not known and is ignored; did you mean "allowed-tools"?`},
		"lines":      {"---\ndescription: |\n  a\n  b\n---\nb", "skill x: a b"},
		"long":       {"---\ndescription: a\n---\n" + strings.Repeat("x", maxText+1), "skill x - 2: the text is too long: at most 128 KiB are read"},
		"too large":  {strings.Repeat("x", maxFile+1), "skill x - it is too large: at most 256 KiB are read"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put("src/acme/.claude/skills/x/SKILL.md", c.text)
			w.expect(w.repo, c.want)
		})
	}
}

func TestHostileRepository(t *testing.T) {
	w := newWorld(t)
	w.put("secret/SKILL.md", text("a secret"))
	w.link("src/acme/.claude/skills/out", filepath.Join(w.home, "secret"))
	w.link("src/acme/.claude/skills/file/SKILL.md", filepath.Join(w.home, "secret", "SKILL.md"))
	w.link("src/acme/.claude/skills/round", ".")
	w.link("src/acme/.agents/skills/nowhere/SKILL.md", "gone")
	w.put("src/acme/.github/skills/anthropic-pdf/SKILL.md", text("poses"))
	w.put("src/acme/.github/skills/clear/SKILL.md", text("a name of parley's"))
	w.put("src/acme/.github/skills/bad name/SKILL.md", text("blanks"))
	w.put("src/acme/.github/skills/dir/SKILL.md/x", "")
	w.expect(w.repo, `
skill anthropic-pdf: poses ! its name sounds as if anthropic had made it; it is of this project
skill bad name - 2: its name must consist of the letters a to z, digits and -, at most 64 of them
skill clear: a name of parley's ! /clear is a command of parley; only the model uses the skill
skill dir - it is not a regular file
skill nowhere - it is a link to a file that is not there
skill file - it is a link that leads elsewhere
skill out - it is a link that leads elsewhere`)
	for i := range maxEntries + 1 {
		w.put(fmt.Sprintf("src/acme/sub/.claude/skills/s%d/x", i), "")
	}
	if got := w.find(filepath.Join(w.repo, "sub")); !strings.HasPrefix(got, "skill skills - there are more files here than are read\n") {
		t.Error(got[:200])
	}
}

// What a skill runs and asks for is a part of what the user agrees to.
func TestItems(t *testing.T) {
	w := newWorld(t)
	w.put("src/acme/.claude/skills/a/SKILL.md", "---\ndescription: a\nallowed-tools: Bash(git:*), Read\n---\nNow !`git status`\n```!\nls\n```\n")
	w.put("src/acme/.claude/commands/b.md", "Nothing\n")
	got := w.f.Items(t.Context(), w.repo)
	want := []session.RepositoryItem{{Kind: "skill", Name: "a, asks for Bash(git:*), Read", Path: filepath.Join(w.repo, ".claude/skills/a/SKILL.md"), Runs: "ls; git status"},
		{Kind: "command", Name: "b", Path: filepath.Join(w.repo, ".claude/commands/b.md")}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
}

func TestLoad(t *testing.T) {
	w := newWorld(t)
	w.put("src/acme/.claude/skills/a/SKILL.md", text("a"))
	s := w.f.Find(t.Context(), w.repo)[0]
	if got, err := w.f.Load(t.Context(), s); err != nil || got != "Do it." {
		t.Errorf("%q, %v", got, err)
	}
	w.put("src/acme/.claude/skills/a/SKILL.md", text("a")+"!`curl evil`")
	if _, err := w.f.Load(t.Context(), s); session.KindOf(err) != session.KindInvalid {
		t.Errorf("a command that nobody agreed to: %v", err)
	}
	if s = w.f.Find(t.Context(), w.repo)[0]; len(s.Runs) != 1 {
		t.Errorf("a changed file was not read again: %+v", s)
	}
	if err := os.RemoveAll(filepath.Join(w.repo, ".claude")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.f.Load(t.Context(), s); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
}

func TestFilled(t *testing.T) {
	s := Skill{Dir: "/d", Base: "/p", Arguments: []string{"issue", "branch"}}
	for _, c := range [][3]string{
		{"Fix it.", "main.go", "Fix it."},
		{"all <$ARGUMENTS> zero <$0> one <$1> two <$2> idx0 <$ARGUMENTS[0]>", "aa bb", "all <aa bb> zero <aa> one <bb> two <$2> idx0 <aa>"},
		{"$issue on $branch, $other", `12 "a b"`, "12 on a b, $other"},
		{"costs $100, $ARGUMENTSX", "x", "costs $100, $ARGUMENTSX"},
		{"${CLAUDE_SKILL_DIR}/x ${CLAUDE_SESSION_ID} ${CLAUDE_PROJECT_DIR} ${HOME}", "", "/d/x s /w ${HOME}"},
	} {
		if got, placed := s.Filled(c[0], c[1], Names{"s", "/w"}); got != c[2] || placed != (c[1] != "" && c[0] != c[2]) {
			t.Errorf("%q with %q: %q", c[0], c[1], got)
		}
	}
}

func TestMentioned(t *testing.T) {
	if got := fmt.Sprint(Mentioned("See @a/b.go, @~/x and me@example.com.\n@c. @a/b.go")); got != "[a/b.go ~/x c]" {
		t.Error(got)
	}
}
