package permission

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// addressOf returns the address of the page that a call fetches. It reports false for an input that names none, and for one
// that names several, of which readers may choose another.
func addressOf(input json.RawMessage) (string, bool) {
	dec := json.NewDecoder(bytes.NewReader(input))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return "", false
	}
	address, found := "", false
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return "", false
		}
		var value any
		if dec.Decode(&value) != nil {
			return "", false
		}
		if name, _ := key.(string); !strings.EqualFold(name, "url") {
			continue
		}
		text, ok := value.(string)
		if !ok || found {
			return "", false
		}
		address, found = text, true
	}
	return address, found
}

// hostOf returns the host of an address that every reader takes for the same: a page of the web on its usual port, without
// user and odd signs.
func hostOf(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Opaque != "" {
		return "", false
	}
	switch port := u.Port(); {
	case port == "", port == "443" && u.Scheme == "https", port == "80" && u.Scheme == "http":
	default:
		return "", false
	}
	authority := address[strings.Index(address, "//")+2:]
	authority = authority[:strings.IndexFunc(authority+"/", func(r rune) bool { return r == '/' || r == '?' || r == '#' })]
	if strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) || strings.ContainsAny(authority, "@%") {
		return "", false
	}
	return plainHost(u.Hostname())
}

// plainHost returns a host in the form in which rules are compared: in lower case, without a dot at its end, in ASCII.
func plainHost(host string) (string, bool) {
	host = strings.TrimSuffix(host, ".")
	if ip, err := netip.ParseAddr(host); err == nil && ip.Zone() == "" {
		return ip.Unmap().String(), true
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil || ascii == "" || strings.Contains(ascii, "..") {
		return "", false
	}
	ascii = strings.ToLower(ascii)
	last := ascii[strings.LastIndexByte(ascii, '.')+1:]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") { // a number that is an address to some
		return "", false
	}
	return ascii, !strings.ContainsFunc(ascii, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-' && r != '_'
	})
}

// checkDomain returns what is wrong with the pattern of pages.
func checkDomain(pattern string) error {
	host := strings.TrimPrefix(pattern, "*.")
	switch {
	case strings.Contains(host, "://") || strings.Contains(host, "/"):
		return errors.New("a rule names a domain such as example.com, without https:// and without a path")
	case strings.Contains(host, "*"):
		return errors.New("* stands only at the front, as in *.example.com")
	case strings.HasPrefix(host, "["):
		host = strings.Trim(host, "[]")
	case strings.Contains(host, ":"):
		return errors.New("a rule names a domain without a port")
	}
	if _, ok := plainHost(host); !ok {
		return errors.New("that is not the name of a domain, such as example.com")
	}
	if strings.HasPrefix(pattern, "*.") && !strings.Contains(host, ".") {
		return errors.New("name more than the end of a domain, as in *.example.com")
	}
	return nil
}

// domainAllows reports whether a rule that allows covers the page that a call fetches.
func domainAllows(pattern string, input json.RawMessage) bool {
	address, ok := addressOf(input)
	if !ok {
		return false
	}
	host, ok := hostOf(address)
	if !ok {
		return false
	}
	bare, wild := strings.CutPrefix(pattern, "*.")
	want, ok := plainHost(strings.Trim(bare, "[]"))
	return ok && (host == want || wild && strings.HasSuffix(host, "."+want) && !isAddress(want))
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// domainLike compares a rule that denies or asks with the page that a call fetches. It is about subdomains too, and an
// address that readers may take for several is unsure.
func domainLike(pattern string, input json.RawMessage) likeness {
	address, ok := addressOf(input)
	if !ok {
		if bytes.Contains(bytes.ToLower(input), []byte(`url"`)) {
			return maybe
		}
		return unlike
	}
	want, ok := plainHost(strings.Trim(strings.TrimPrefix(pattern, "*."), "[]"))
	if !ok {
		return maybe
	}
	host, ok := hostOf(address)
	if !ok {
		if u, err := url.Parse(address); err == nil {
			if host, ok = plainHost(u.Hostname()); !ok || host != want && !strings.HasSuffix(host, "."+want) {
				return maybe
			}
			return alike
		}
		return maybe
	}
	if host == want || strings.HasSuffix(host, "."+want) {
		return alike
	}
	return unlike
}
