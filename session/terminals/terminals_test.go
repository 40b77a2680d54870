package terminals

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"testing"
)

// A session has what came with its newest prompt, whole: what that terminal had not set is not set.
func TestBook(t *testing.T) {
	base := []string{"HOME=/h", "PATH=/host", "SSH_AUTH_SOCK=/host.sock", "https_proxy=http://host"}
	var b Book
	if got := b.In("a", base); !slices.Equal(got, base) || b.Mark("a") != "" {
		t.Errorf("before any terminal: %q", got)
	}
	b.Begin("a", []string{"PATH=/one", "HOME=/other", "SSH_AUTH_SOCK=/one.sock"})
	b.Begin("a", []string{"PATH=/looks"})
	if got := b.In("a", base); !slices.Equal(got, []string{"HOME=/h", "PATH=/one", "SSH_AUTH_SOCK=/one.sock"}) {
		t.Errorf("opened: %q", got)
	}
	mark := b.Mark("a")
	b.Prompted("a", []string{"PATH=/two"})
	if got := b.In("a", base); !slices.Equal(got, []string{"HOME=/h", "PATH=/two"}) || b.Mark("a") == mark {
		t.Errorf("prompted: %q", got)
	}
	b.Prompted("b", Of(nil))
	if got := b.In("b", base); !slices.Equal(got, base[:1]) || b.Mark("b") == "" {
		t.Errorf("a terminal without any: %q", got)
	}
	if got := b.Newest(base); !slices.Equal(got, base[:1]) {
		t.Errorf("newest: %q", got)
	}
	b.Prompted("a", nil)
	if got := b.In("a", base); !slices.Contains(got, "PATH=/two") {
		t.Errorf("a client that says nothing: %q", got)
	}
	if b.Forget("a"); b.Mark("a") != "" || len(base) != 4 {
		t.Error("it is not forgotten")
	}
	var none *Book
	none.Begin("a", []string{"PATH=/x"})
	none.Forget("a")
	if !slices.Equal(none.In("a", base), base) || !slices.Equal(none.Newest(base), base) || none.Mark("a") != "" {
		t.Error("a book that is none has something")
	}
}

// A process that adopts has what came newest itself, in its programs and in the proxies of its requests, and nothing of what it had.
func TestAdopts(t *testing.T) {
	for _, name := range names {
		t.Setenv(name, "first") // restored afterwards
	}
	t.Setenv("TERMINALS_TEST", "stays")
	transport := http.DefaultTransport.(*http.Transport)
	defer func(was func(*http.Request) (*url.URL, error)) { transport.Proxy = was }(transport.Proxy)
	b := New()
	clone := transport.Clone()
	via := func() string {
		u, err := clone.Proxy(httptest.NewRequest(http.MethodGet, "https://example.com/", nil))
		if err != nil || u == nil {
			return ""
		}
		return u.Host
	}
	if via() != "first" {
		t.Errorf("before any terminal by %q", via())
	}
	b.Begin("a", []string{"PATH=/one", "HTTPS_PROXY=http://one:1", "HOME=/other"})
	if os.Getenv("PATH") != "/one" || os.Getenv("SSH_AUTH_SOCK") != "" || os.Getenv("TERMINALS_TEST") != "stays" || os.Getenv("HOME") == "/other" || via() != "one:1" {
		t.Errorf("begun: %q by %q", Of(os.Environ()), via())
	}
	b.Prompted("b", []string{"PATH=/two=2", "SSH_AUTH_SOCK=/two"})
	b.Begin("b", []string{"PATH=/looks"})
	b.Prompted("a", nil)
	if got := Of(os.Environ()); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"PATH=/two=2", "SSH_AUTH_SOCK=/two"}) || via() != "" {
		t.Errorf("prompted: %q by %q", got, via())
	}
	var other Book
	other.Prompted("a", []string{"PATH=/three"})
	if os.Getenv("PATH") != "/two=2" {
		t.Error("a book that is not the process's changes it")
	}
}

// Windows knows no case of names, and the other systems do.
func TestCarried(t *testing.T) {
	for name, want := range map[string][2]bool{"PATH": {true, true}, "Path": {false, true}, "Https_Proxy": {false, true}, "http_proxy": {true, true}, "PATHEXT": {}, "": {}} {
		if unix, windows := carried(name, "linux"), carried(name, "windows"); unix != want[0] || windows != want[1] {
			t.Errorf("%q: %v, on Windows %v", name, unix, windows)
		}
	}
}

func TestProxy(t *testing.T) {
	var b Book
	choose := b.Proxy("a")
	for set, want := range map[string]string{"HTTPS_PROXY=http://upper:1": "http://upper:1", "https_proxy=http://lower:2": "http://lower:2", "PATH=/bin": "", "no_proxy=*": ""} {
		b.Prompted("a", []string{set})
		r, err := http.NewRequest(http.MethodGet, "https://example.com/", nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if u, err := choose(r); err == nil && u != nil {
			got = u.String()
		}
		if got != want {
			t.Errorf("%s: %q", set, got)
		}
	}
}
