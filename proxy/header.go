package proxy

import (
	"net/http"
	"strings"
)

// userAgent replaces the client's product by ours; the version and the rest stay, so that the service can identify the
// client.
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

// requestHeader returns the client's headers for the service, except the betas, which the repair handles.
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

// quotaPrefixes begin the headers with the state of a plan.
var quotaPrefixes = []string{"X-Quota-Snapshot-", "X-Usage-Ratelimit-", "X-Ratelimit-", "Anthropic-Ratelimit-"}

// isQuota reports whether a header, in canonical form, is about quota or rate limits.
func isQuota(name string) bool {
	for _, p := range quotaPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// quotaHeader returns the quota headers of a response; nil if there are none.
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

// passHeader copies the headers of the service that a client may see: quota, and ids for reports. Anthropic's SDKs read
// the id only from "request-id", so another id is copied there if that is missing.
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
