package host

import (
	"slices"
	"testing"

	"parley/session"
	"parley/session/host"
	"parley/session/live"
)

// One host serves one login, configuration and environment; what names a window does not count.
func TestPlace(t *testing.T) {
	base := func() Scope {
		return Scope{Data: "/data", Program: []string{"1.0", "/bin/parley"}, Settings: []string{"proxy.addr=a"}, Login: "secret", Environ: []string{"PATH=/bin", "TMUX=1", "A=1"}}
	}
	one := base().Place("/run")
	if len(one.Key) != 12 || one.Dir != "/run" {
		t.Fatalf("%+v", one)
	}
	for name, c := range map[string]struct {
		change func(*Scope)
		same   bool
	}{
		"nothing": {func(*Scope) {}, true},
		"window": {func(s *Scope) {
			s.Environ = []string{"A=1", "PATH=/bin", "TMUX=2", "SHLVL=4", "SSH_TTY=/dev/pts/1"}
		}, true},
		"carried":       {func(s *Scope) { s.Environ = []string{"A=1", "PATH=/other", "SSH_AUTH_SOCK=/s", "https_proxy=http://p"} }, true},
		"variable":      {func(s *Scope) { s.Environ = []string{"A=2", "PATH=/bin"} }, false},
		"login":         {func(s *Scope) { s.Login = "another" }, false},
		"setting":       {func(s *Scope) { s.Settings[0] = "proxy.addr=b" }, false},
		"program":       {func(s *Scope) { s.Program[0] = "1.1" }, false},
		"data":          {func(s *Scope) { s.Data = "/elsewhere" }, false},
		"elevated":      {func(s *Scope) { s.Elevated = true }, false},
		"joined fields": {func(s *Scope) { s.Program = []string{"1.0/bin/parley"} }, false},
	} {
		s := base()
		c.change(&s)
		if same := s.Place("/run") == one; same != c.same {
			t.Errorf("%s: the same place: %v", name, same)
		}
	}
	other := base()
	other.Login = "another"
	if dataKey("/data") != one.Key[:dataLen] || other.Place("/run").Key[:dataLen] != one.Key[:dataLen] || dataKey("/elsewhere") == one.Key[:dataLen] {
		t.Error("the hosts of a folder of sessions are not recognized")
	}
}

func TestEnviron(t *testing.T) {
	in := []string{"B=2", "=C:=C:\\work", "A=1", "WINDOWID=7", "A=1", "PWD=/x"}
	if got := Environ(in); !slices.Equal(got, []string{"A=1", "B=2"}) || in[0] != "B=2" {
		t.Errorf("%q, from %q", got, in)
	}
}

// Who asks comes first, and a word picks a session by the start of its id.
func TestPick(t *testing.T) {
	r := func(id string, a live.Activity) row {
		return row{Doing: host.Doing{Meta: session.Meta{ID: session.ID(id)}, Activity: a}, State: state(a)}
	}
	all := []row{r("aa1", live.Activity{Asks: 1, Turn: true}), r("ab2", live.Activity{Turn: true}), r("c", live.Activity{})}
	if rank(all[0].Activity) <= rank(all[1].Activity) || rank(all[1].Activity) <= rank(all[2].Activity) || rank(live.Activity{Background: true}) <= rank(all[2].Activity) {
		t.Error("the order")
	}
	for id, want := range map[string]string{"": "aa1", "ab": "ab2", "c": "c"} {
		if got, err := pick(all, id); err != nil || string(got.Meta.ID) != want {
			t.Errorf("%q: %v %v", id, got.Meta.ID, err)
		}
	}
	for _, id := range []string{"a", "x"} {
		if _, err := pick(all, id); err == nil {
			t.Errorf("%q fits", id)
		}
	}
	if _, err := pick(nil, ""); err == nil {
		t.Error("there is none")
	}
}
