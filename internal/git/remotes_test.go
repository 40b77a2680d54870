package git

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestRemotes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, ".git", "config"), "[core]\n\turl = x\n[remote \"origin\"]\n\turl = git@github.com:me/app.git # mine\n\tfetch = y\n"+
		"[remote \"upstream\"] url = https://github.com/octo/app\n[branch \"main\"]\n\tremote = origin\n[remote \"origin\"]\n\turl = https://elsewhere/a/b\n\tgh-resolved = base\n[remote\n")
	want := []Remote{{"origin", "git@github.com:me/app.git", true}, {"upstream", "https://github.com/octo/app", false}}
	if got := Remotes(t.Context(), filepath.Join(dir)); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := Remotes(t.Context(), t.TempDir()); got != nil {
		t.Errorf("outside a repository: %+v", got)
	}
}

func TestRepositoryAt(t *testing.T) {
	remote := func(name, url string) Remote { return Remote{Name: name, URL: url} }
	for _, c := range []struct {
		remotes []Remote
		want    string
	}{
		{nil, ""},
		{[]Remote{remote("origin", "https://github.com/octo/app.git")}, "octo/app"},
		{[]Remote{remote("x", "ssh://git@ssh.github.com:443/octo/app.git/")}, "octo/app"},
		{[]Remote{remote("x", "GitHub.com:octo/app")}, "octo/app"},
		{[]Remote{remote("x", "https://user:secret@www.github.com/octo/app")}, "octo/app"},
		{[]Remote{remote("origin", "git@github.com:me/app"), remote("upstream", "git@github.com:octo/app")}, "octo/app"},
		{[]Remote{{"origin", "git@github.com:me/app", true}, remote("upstream", "git@github.com:octo/app")}, "me/app"},
		{[]Remote{remote("upstream", "https://gitlab.com/octo/app"), remote("origin", "git@github.com:me/app")}, "me/app"},
		{[]Remote{remote("a", "https://github.com/octo"), remote("b", "https://github.com/a/b/c"), remote("c", "/srv/octo/app"), remote("d", "https://notgithub.com/o/r"), remote("e", "")}, ""},
	} {
		if got := RepositoryAt(c.remotes, "github.com"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.remotes, got, c.want)
		}
	}
}

func FuzzParseRemotes(f *testing.F) {
	f.Add("[remote \"a\"]\nurl=x\n[remote \"\n")
	f.Fuzz(func(t *testing.T, text string) { RepositoryAt(parseRemotes(text), "github.com") })
}
