package extensions

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"unicode"
)

// Transport is how a server is spoken to.
type Transport string

// The transports.
const (
	Stdio Transport = "stdio" // a program, over its standard input and output
	HTTP  Transport = "http"  // streamable HTTP
	SSE   Transport = "sse"   // the older one of two HTTP streams, deprecated since 2025
)

// Server is an MCP server as a file describes it.
type Server struct {
	Name string
	// From is the file, absolute. Project means that it belongs to the repository and not to the user.
	From    string
	Project bool
	// Agents are the names of the custom agents whose it is, empty for a server of all.
	Agents []string
	// Why is the reason why the server is not used, such as "switched off in …", empty for one that is. Over is the file of the one that
	// has its name, if that is why.
	Why, Over string

	Transport Transport
	// Command is the program with its arguments, Env what is added to its environment, Dir where it runs.
	Command []string
	Env     map[string]string
	Dir     string
	// URL and Headers are those of HTTP and SSE. Headers may hold secrets.
	URL     string
	Headers map[string]string
	// Tools are the names of the tools that the file allows, nil for all.
	Tools []string
	// Sampling means that the user's file lets the server have a model answer it unasked. A repository's file cannot.
	Sampling bool
}

// maxName bounds the name of a server: the API bounds those of tools, which begin with it, to 64 characters.
const maxName = 32

// problem returns why a server cannot be used, empty for one that can.
func (s *Server) problem() string {
	if s.Name == "" || len(s.Name) > maxName || strings.Contains(s.Name, "__") ||
		strings.ContainsFunc(s.Name, func(r rune) bool {
			return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
		}) {
		return "its name has more than letters, digits, dots, dashes and single underscores, or more than 32 of them"
	}
	switch s.Transport {
	case Stdio:
		if len(s.Command) == 0 || s.Command[0] == "" {
			return "it has no command"
		}
		if s.Dir != "" && !filepath.IsAbs(s.Dir) {
			return "its directory is not absolute"
		}
	case HTTP, SSE:
		at, err := url.Parse(s.URL)
		if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
			return "its url is not one of http or https"
		}
		if at.Scheme == "http" && !local(at.Hostname()) {
			return "its url is not encrypted: use https"
		}
	default:
		return "parley does not know the type " + string(s.Transport)
	}
	return ""
}

// local reports whether a host is this machine.
func local(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}
