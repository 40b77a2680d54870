//go:build unix

package dirs

import (
	"os"
	"path/filepath"
	"testing"

	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// outcome is what a command does, once its work is done.
func outcome(t *testing.T, e panel.Effect) panel.Effect {
	t.Helper()
	if run, is := e.(panel.Run); is {
		return run.Work(t.Context())
	}
	return e
}

func TestPathsAreJudgedBeforeTheyAreAdded(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(top, "home")
	for _, dir := range []string{"work/sub", "lib/inner", "other one", "a\nb"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": "lib2", "back": "work", "up": "..", "gone": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(home, "lib2"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(home, name) }
	c := Command{Look: &style.Look{Home: home}, Dir: in("work"), Dirs: []string{in("lib"), in("vanished")}}
	add := func(path, said string) panel.Effect { return panel.SetDirs{Add: path, Said: said} }
	warn := func(text string) panel.Effect { return panel.Notice{Text: text, Warn: true} }
	for args, want := range map[string]panel.Effect{
		"../other one":          add(in("other one"), "Agents may work in ~/other one too"),
		`"~/other one"`:         add(in("other one"), "Agents may work in ~/other one too"),
		in("other one") + "/":   add(in("other one"), "Agents may work in ~/other one too"),
		"~/link":                add(in("lib2"), "Agents may work in ~/lib2 too, where ~/link leads"),
		"../nothing":            warn("There is no directory ~/nothing"),
		"~/gone":                warn("There is no directory ~/gone"),
		"../file":               warn("~/file is a file. Add the directory that it is in"),
		"../file/x":             warn("~/file/x can't be read: not a directory"),
		".":                     warn("~/work is this session's own directory"),
		"~/back":                warn("~/back is this session's own directory"),
		"sub":                   warn("~/work/sub is in ~/work, where agents may work already"),
		"../lib":                warn("~/lib is added already"),
		"../lib/inner":          warn("~/lib/inner is in ~/lib, where agents may work already"),
		"~":                     warn("~ holds your whole home directory. Add the directory in it that is needed"),
		"~/up":                  warn("~/up holds your whole home directory. Add the directory in it that is needed"),
		"/":                     warn("/ holds your whole home directory. Add the directory in it that is needed"),
		"~/a\nb":                warn("A directory with such a name can't be added: ~/a b"),
		"rm ../lib":             panel.SetDirs{Remove: in("lib"), Said: "~/lib is asked about again"},
		"rm ~/vanished":         panel.SetDirs{Remove: in("vanished"), Said: "~/vanished is asked about again"},
		"rm .":                  stays,
		"rm ~/back":             stays,
		"rm ~/other one":        warn("~/other one is not among the added directories. /add-dir lists them"),
		"rm " + in("lib/inner"): warn("~/lib/inner is not among the added directories. /add-dir lists them"),
	} {
		if got := outcome(t, c.Run(args)); got != want {
			t.Errorf("%q: %#v", args, got)
		}
	}
	if got := (Command{Look: &style.Look{}, Dir: in("work")}).Run("/"); outcome(t, got) == nil {
		t.Error("the root without a known home")
	}
}

func TestDirectoriesAreListed(t *testing.T) {
	c := Command{Look: &style.Look{Home: "/home/u"}, Dir: "/home/u/work", Dirs: []string{"/home/u/lib", "/srv/x"}}
	l := rows{c}
	var all []string
	for _, r := range l.Rows() {
		all = append(all, r.Cells[0]+" "+r.Cells[1])
	}
	if len(all) != 3 || all[0] != "~/work the session's own" || all[1] != "~/lib added" || all[2] != "/srv/x added" {
		t.Errorf("%q", all)
	}
	if got := l.Choose("/srv/x"); got != (panel.Notice{Text: "Take it back with /add-dir rm /srv/x"}) {
		t.Errorf("%#v", got)
	}
	if got := l.Choose("/home/u/work"); got != stays {
		t.Errorf("%#v", got)
	}
	drop := func(dir string) panel.All {
		all, _ := l.Do(list.Dropped{Row: list.Row{ID: dir}}).(panel.All)
		return all
	}
	if got := drop("/srv/x"); len(got) != 2 || got[0] != (panel.SetDirs{Remove: "/srv/x", Said: "/srv/x is asked about again"}) ||
		len(got[1].(panel.Tell).Msg.(list.Fresh).Source.Rows()) != 2 {
		t.Errorf("%#v", got)
	}
	if got := drop("/home/u/work"); len(got) != 2 || got[1] != stays || len(got[0].(panel.Tell).Msg.(list.Fresh).Source.Rows()) != 3 {
		t.Errorf("%#v", got)
	}
}
