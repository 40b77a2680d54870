package terminals

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/http/httpproxy"

	"parley/session"
)

// names are the variables that come with each prompt, those of proxies in both spellings.
var names = []string{"PATH", "SSH_AUTH_SOCK", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"}

// Carried reports whether a variable comes with each prompt.
func Carried(name string) bool { return carried(name, runtime.GOOS) }

// carried is [Carried] on a system. Names know no case on Windows, whose PATH is mostly called Path.
func carried(name, goos string) bool {
	return slices.Contains(names, name) || goos == "windows" && slices.Contains(names, strings.ToUpper(name))
}

// Of returns the "NAME=value" entries of an environment that come with each prompt, never nil.
func Of(environ []string) []string {
	out := []string{}
	for _, kv := range environ {
		if name, _, ok := strings.Cut(kv, "="); ok && Carried(name) {
			out = append(out, kv)
		}
	}
	return out
}

// Book has what came with the newest prompt of each session. A nil one has nothing. It is safe for concurrent use.
type Book struct {
	own    bool // this process uses what is newest
	mu     sync.Mutex
	of     map[session.ID][]string
	newest []string // of any session; nil before the first
}

// New returns the book of a process that uses what came newest itself: in the programs that it starts, and in the proxies of
// [http.DefaultTransport] and its clones, for which the environment is otherwise read once. A process makes at most one, before requests.
func New() *Book {
	if t, is := http.DefaultTransport.(*http.Transport); is {
		t.Proxy = func(r *http.Request) (*url.URL, error) { return httpproxy.FromEnvironment().ProxyFunc()(r.URL) }
	}
	return &Book{own: true}
}

// adopt makes entries the ones that this process has.
func adopt(entries []string) {
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if Carried(name) && !slices.ContainsFunc(entries, func(e string) bool { return strings.HasPrefix(e, name+"=") }) {
			_ = os.Unsetenv(name) // it has that name
		}
	}
	for _, kv := range entries {
		if name, value, _ := strings.Cut(kv, "="); os.Getenv(name) != value {
			_ = os.Setenv(name, value) // no system has such entries with bytes that cannot be set
		}
	}
}

// Begin sets the entries of a session that is opened for a terminal, unless it has some.
func (b *Book) Begin(id session.ID, entries []string) { b.set(id, entries, false) }

// Prompted sets the entries of a session that gets a prompt from a terminal.
func (b *Book) Prompted(id session.ID, entries []string) { b.set(id, entries, true) }

func (b *Book) set(id session.ID, entries []string, replace bool) {
	if b == nil || entries == nil {
		return
	}
	entries = Of(entries)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil {
		b.of = map[session.ID][]string{}
	}
	if _, has := b.of[id]; has && !replace {
		return
	}
	b.of[id], b.newest = entries, entries
	if b.own {
		adopt(entries)
	}
}

// Forget drops the entries of a session that is closed.
func (b *Book) Forget(id session.ID) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.of, id)
}

// In returns an environment for a session: with the entries that came with its prompt and no other ones of these names, or environ itself
// if none came.
func (b *Book) In(id session.ID, environ []string) []string { return with(environ, b.entries(id)) }

// Newest returns an environment for what belongs to no session, with the entries that came with the newest prompt of any.
func (b *Book) Newest(environ []string) []string {
	if b == nil {
		return environ
	}
	b.mu.Lock()
	newest := b.newest
	b.mu.Unlock()
	return with(environ, newest)
}

func (b *Book) entries(id session.ID) []string {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of[id]
}

func with(environ, entries []string) []string {
	if entries == nil {
		return environ
	}
	out := slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return Carried(name)
	})
	return append(out, entries...)
}

// Mark returns what stands for the entries of a session, "" for none: a process that was started with another mark has another environment.
func (b *Book) Mark(id session.ID) string {
	entries := b.entries(id)
	if entries == nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(entries, "\x00"))))
}

// Proxy returns what chooses the proxy of a session's request now: by the entries of its prompt, or by the environment of this process if
// none came.
func (b *Book) Proxy(id session.ID) func(*http.Request) (*url.URL, error) {
	return func(r *http.Request) (*url.URL, error) {
		entries := b.entries(id)
		if entries == nil {
			return http.ProxyFromEnvironment(r)
		}
		either := func(upper, lower string) string {
			if v := value(entries, upper); v != "" {
				return v
			}
			return value(entries, lower)
		}
		c := httpproxy.Config{HTTPProxy: either("HTTP_PROXY", "http_proxy"), HTTPSProxy: either("HTTPS_PROXY", "https_proxy"), NoProxy: either("NO_PROXY", "no_proxy")}
		return c.ProxyFunc()(r.URL)
	}
}

// value returns a variable; the last of several entries counts.
func value(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if v, is := strings.CutPrefix(kv, name+"="); is {
			return v
		}
	}
	return ""
}
