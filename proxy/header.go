package proxy

import (
	"net/http"
	"strings"
)

// userAgent puts our product in place of the client's; the version and the rest stay, so that the service sees which
// client it was made for.
func userAgent(product, client string) string {
	if client == "" {
		return ""
	}
	_, version, ok := strings.Cut(client, "/")
	if !ok || version == "" {
		return product
	}
	return product + "/" + version
}

// requestHeader is all of the client's header that the service gets to see, besides the betas, which are for the repair.
func requestHeader(client http.Header, product string) http.Header {
	h := make(http.Header, 3)
	if v := client.Get("Anthropic-Version"); v != "" {
		h.Set("Anthropic-Version", v)
	}
	if v := userAgent(product, client.Get("User-Agent")); v != "" {
		h.Set("User-Agent", v)
	}
	return h
}

// quotaPrefixes begin the headers that tell what is left of a plan.
var quotaPrefixes = []string{"X-Quota-Snapshot-", "X-Usage-Ratelimit-", "X-Ratelimit-", "Anthropic-Ratelimit-"}

// isQuota reports a header, in canonical form, that tells about quota or rate limits.
func isQuota(name string) bool {
	for _, p := range quotaPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// quotaHeader picks what a response says about quota; nil if nothing.
func quotaHeader(upstream http.Header) http.Header {
	var out http.Header
	for name, values := range upstream {
		if isQuota(name) {
			if out == nil {
				out = make(http.Header)
			}
			out[name] = values
		}
	}
	return out
}

// passHeader copies what a client may know of the service's response: quota, and the ids to quote in a complaint.
// Anthropic's SDKs read the id from "request-id" only, so another one is put there if that is missing.
func passHeader(to, upstream http.Header) {
	for name, values := range upstream {
		if isQuota(name) {
			to[name] = values
		}
	}
	for _, name := range []string{"Request-Id", "X-Request-Id", "X-Github-Request-Id"} {
		if v := upstream.Get(name); v != "" {
			to.Set(name, v)
			if to.Get("Request-Id") == "" {
				to.Set("Request-Id", v)
			}
		}
	}
}
