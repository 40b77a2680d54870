package web

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// privateError is the error about an address that is not public.
type privateError struct{ host string }

func (e privateError) Error() string { return e.host + " is not a public address" }

// closed are ranges that are not for the public, besides those that netip knows.
var closed = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"168.63.129.16/32", // a cloud's own services
	"::/96", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "64:ff9b:1::/48", "fec0::/10",
)

// Addresses in these ranges have an address of version 4 within.
var (
	translated = netip.MustParsePrefix("64:ff9b::/96") // in the last four bytes
	tunneled   = netip.MustParsePrefix("2002::/16")    // in the four bytes after the first two
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		out[i] = netip.MustParsePrefix(t)
	}
	return out
}

// public reports whether an address is one of the public internet.
func public(ip netip.Addr) bool {
	if ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	b := ip.As16()
	switch {
	case translated.Contains(ip):
		return public(netip.AddrFrom4([4]byte(b[12:16])))
	case tunneled.Contains(ip):
		return public(netip.AddrFrom4([4]byte(b[2:6])))
	case !ip.IsGlobalUnicast(), ip.IsPrivate(), ip.IsLoopback(), ip.IsLinkLocalUnicast():
		return false
	}
	for _, p := range closed {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

const (
	dialTime    = 10 * time.Second
	resolveTime = 5 * time.Second
)

// guarded dials addresses that may be used. It judges the address of each connection and not a name, which may lead elsewhere
// a moment later.
func guarded(allowed func(netip.Addr) bool) *net.Dialer {
	return &net.Dialer{Timeout: dialTime, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(at.Addr()) {
			return privateError{address}
		}
		return nil
	}}
}

// afterProxy judges the host of a page that a proxy gets, by its name and by the addresses that this machine knows for it.
func afterProxy(ctx context.Context, host string, allowed func(netip.Addr) bool) error {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(name); err == nil {
		if !allowed(ip) {
			return privateError{host}
		}
		return nil
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == name || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") { // a name of the network, or an odd number
		return privateError{host}
	}
	for _, end := range []string{"localhost", "local", "internal", "intranet", "lan", "home", "corp"} {
		if last == end {
			return privateError{host}
		}
	}
	ctx, stop := context.WithTimeout(ctx, resolveTime)
	defer stop()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return nil // only the proxy knows the name
	}
	for _, ip := range ips {
		if !allowed(ip) {
			return privateError{fmt.Sprintf("%s (%s)", host, ip)}
		}
	}
	return nil
}
