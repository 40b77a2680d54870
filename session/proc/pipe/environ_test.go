package pipe

import (
	"slices"
	"testing"

	"parley/session/proc"
)

func TestEnviron(t *testing.T) {
	user := []string{"PATH=/bin", "=odd", "noise", "NODE_OPTIONS=--inspect", "DEBUG=*", "GH_TOKEN=gho_a", "RUNTIME_KEY=k", "PWD=/old"}
	env := NewEnviron(user, nil, func(name string) bool { return name != "RUNTIME_KEY" })
	env.Set("PWD", "/new")
	env.Set("PATH", "")
	env.Set("ADDED", "a")
	if want := (Environ{"PWD=/new", "ADDED=a"}); !slices.Equal(env, want) {
		t.Errorf("%q", env)
	}
	if user[0] != "PATH=/bin" {
		t.Error("changed what it was given")
	}
}

func TestDirect(t *testing.T) {
	for _, tc := range []struct{ proxy, list, want string }{
		{"", "", ""},
		{"http_proxy=http://p", "", "127.0.0.1,localhost"},
		{"", "127.0.0.1,localhost", "127.0.0.1,localhost"},
		{"", "a.example, LOCALHOST", "a.example,LOCALHOST,127.0.0.1"},
		{"", "127.0.0.10", "127.0.0.10,127.0.0.1,localhost"},
		{"ALL_PROXY=x", "*", "*"},
	} {
		for _, name := range []string{"NO_PROXY", "no_proxy"} {
			env := Environ{tc.proxy}
			env.Set(name, tc.list)
			env.Direct("127.0.0.1", "localhost")
			if upper, lower := proc.Lookup(env, "NO_PROXY"), proc.Lookup(env, "no_proxy"); upper != tc.want || lower != tc.want {
				t.Errorf("%s %s=%s: %q, %q", tc.proxy, name, tc.list, upper, lower)
			}
		}
	}
	env := Environ{"NO_PROXY=upper", "no_proxy=lower"}
	if env.Direct("h"); proc.Lookup(env, "NO_PROXY") != "upper,h" || proc.Lookup(env, "no_proxy") != "lower,h" {
		t.Errorf("%q", env)
	}
}
