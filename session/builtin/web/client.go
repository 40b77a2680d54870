package web

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"parley/session/builtin/tool"
)

const (
	maxBody      = 5 << 20   // bytes of a page, after decompression
	maxHeader    = 256 << 10 // bytes of its header
	maxRedirects = 5
	fetchTime    = 30 * time.Second
	headerTime   = 20 * time.Second
)

// Options are the surroundings of the tool. The zero value is that of the program.
type Options struct {
	// Allowed reports whether an address may be used; nil: addresses of the public internet. Tests allow loopback.
	Allowed func(netip.Addr) bool
	// Proxy returns the proxy for a request; nil: that of the workspace.
	Proxy func(*http.Request) (*url.URL, error)
	// Time bounds one page with its redirects; 0: 30 seconds.
	Time time.Duration
}

// client gets pages. It is safe for concurrent use.
type client struct {
	o       Options
	direct  *http.Transport // its connections are judged
	proxied *http.Transport // its connections go to proxies
}

func newClient(o Options) *client {
	if o.Allowed == nil {
		o.Allowed = public
	}
	if o.Time == 0 {
		o.Time = fetchTime
	}
	transport := func() *http.Transport {
		return &http.Transport{TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: headerTime, MaxResponseHeaderBytes: maxHeader,
			DisableKeepAlives: true, ForceAttemptHTTP2: true} // nothing stays open after a call
	}
	c := &client{o: o, direct: transport(), proxied: transport()}
	c.direct.DialContext = guarded(o.Allowed).DialContext
	c.proxied.Proxy = func(r *http.Request) (*url.URL, error) { return r.Context().Value(chosen{}).(*url.URL), nil }
	return c
}

// answer is the response of a server.
type answer struct {
	url    *url.URL
	status int
	// kind is the media type without parameters, in lower case; contentType is the header.
	kind, contentType string
	retryAfter        string
	body              []byte
	cut               bool // there is more than maxBody
	size              int64
	// elsewhere is the target of a redirect that is not followed.
	elsewhere *url.URL
}

var errRedirects = errors.New("it redirects too often")

// chosen is the key of the proxy in the context of a request.
type chosen struct{}

// proxy returns the proxy of a request for tools in a workspace.
func (c *client) proxy(w *tool.Workspace, r *http.Request) (*url.URL, error) {
	switch {
	case c.o.Proxy != nil:
		return c.o.Proxy(r)
	case w.Proxy != nil:
		return w.Proxy(r)
	}
	return http.ProxyFromEnvironment(r)
}

// get gets a page. It follows redirects on the same host.
func (c *client) get(ctx context.Context, w *tool.Workspace, at *url.URL) (*answer, error) {
	for range maxRedirects + 1 {
		a, next, err := c.once(ctx, w, at)
		if err != nil || next == nil {
			return a, err
		}
		if !sameHost(at, next) {
			return &answer{url: at, elsewhere: next}, nil
		}
		at = next
	}
	return nil, errRedirects
}

// sameHost reports whether a redirect stays on a host. It may lead from http to https and not back.
func sameHost(a, b *url.URL) bool {
	return b.User == nil && strings.EqualFold(a.Hostname(), b.Hostname()) && (a.Scheme == b.Scheme && port(a) == port(b) ||
		a.Scheme == "http" && b.Scheme == "https" && port(a) == "80" && port(b) == "443")
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// once sends one request. next is where the answer redirects to.
func (c *client) once(ctx context.Context, w *tool.Workspace, at *url.URL) (a *answer, next *url.URL, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("User-Agent", "parley")
	req.Header.Set("Accept", "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1")
	transport := c.direct
	if proxy, err := c.proxy(w, req); err != nil {
		return nil, nil, err
	} else if proxy != nil {
		if err := afterProxy(ctx, at.Hostname(), c.o.Allowed); err != nil {
			return nil, nil, err
		}
		transport, req = c.proxied, req.WithContext(context.WithValue(ctx, chosen{}, proxy))
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		if to := res.Header.Get("Location"); to != "" {
			next, err := at.Parse(to)
			if err != nil || next.Scheme != "http" && next.Scheme != "https" || next.Host == "" {
				return nil, nil, errors.New("it redirects to something that is not a page")
			}
			next.Fragment = ""
			return nil, next, nil
		}
	}
	a, err = read(res)
	if a != nil {
		a.url = at
	}
	return a, nil, err
}

// read reads the body of a text, and a little of anything else.
func read(res *http.Response) (*answer, error) {
	a := &answer{status: res.StatusCode, contentType: res.Header.Get("Content-Type"), retryAfter: res.Header.Get("Retry-After"), size: res.ContentLength}
	if enc := res.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return nil, errors.New("it is compressed in a way that was not asked for: " + enc)
	}
	a.kind, _, _ = mime.ParseMediaType(a.contentType)
	most := int64(maxBody)
	if a.kind != "" && !isText(a.kind) && a.kind != "application/octet-stream" {
		most = 0
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	if err != nil && len(body) == 0 {
		return nil, err
	}
	if a.cut = int64(len(body)) > most || err != nil; int64(len(body)) > most {
		body = body[:most]
	}
	a.body = body
	if a.kind == "" || a.kind == "application/octet-stream" {
		a.contentType = http.DetectContentType(body)
		a.kind, _, _ = mime.ParseMediaType(a.contentType)
	}
	return a, nil
}

// isText reports whether a media type is read as text.
func isText(kind string) bool {
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") && kind != "image/svg+xml" || strings.HasSuffix(kind, "+yaml") {
		return true
	}
	switch kind {
	case "application/json", "application/xml", "application/javascript", "application/ecmascript", "application/x-javascript", "application/yaml",
		"application/x-yaml", "application/toml", "application/x-ndjson", "application/jsonl", "application/sql", "application/graphql", "application/x-sh",
		"application/x-httpd-php", "application/rtf", "image/svg+xml", "message/rfc822":
		return true
	}
	return false
}
