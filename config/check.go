package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func checkDuration(least, most time.Duration) func(any) error {
	return func(v any) error {
		if d := v.(time.Duration); d < least || d > most {
			return fmt.Errorf("%v is not between %v and %v", d, least, most)
		}
		return nil
	}
}

// checkAtMost returns a check for the length of a list.
func checkAtMost(most int) func(any) error {
	return func(v any) error {
		if n := len(v.([]string)); n > most {
			return fmt.Errorf("there are %d, at most %d are possible", n, most)
		}
		return nil
	}
}

func checkInt(least, most int) func(any) error {
	return func(v any) error {
		if n := v.(int); n < least || n > most {
			return fmt.Errorf("%d is not between %d and %d", n, least, most)
		}
		return nil
	}
}

func checkHost(v any) error {
	s := v.(string)
	if s == "" || strings.ContainsAny(s, "/:@? \t") {
		return fmt.Errorf("%q is not a host name such as github.com", s)
	}
	return nil
}

// checkLoopback accepts addresses of this machine only, so that no bearer leaves it.
func checkLoopback(v any) error {
	s := v.(string)
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an http address without user information", s)
	}
	if !isLoopback(u.Hostname()) {
		return fmt.Errorf("%q is not a loopback address; the token would leave this machine", u.Host)
	}
	return nil
}

func checkListen(v any) error {
	host, port, err := net.SplitHostPort(v.(string))
	if err != nil {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8080", v)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q is not a port", port)
	}
	if !isLoopback(host) {
		return fmt.Errorf("%q is not a loopback address; parley serves this machine only", host)
	}
	return nil
}

// checkVersion accepts exact versions and "latest". With a range, what runs would depend on what is installed.
func checkVersion(v any) error {
	s := v.(string)
	// Compiled here, because most starts never need it.
	exact := regexp.MustCompile(`^[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}(-[0-9A-Za-z.-]{1,40})?$`)
	if s != "" && s != "latest" && !exact.MatchString(s) {
		return fmt.Errorf("%q is neither latest nor an exact version such as 2.1.197", s)
	}
	return nil
}

// checkPassed accepts names of variables, except the one that never reaches an agent.
func checkPassed(v any) error {
	for _, name := range v.([]string) {
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00 "):
			return fmt.Errorf("%q is not the name of an environment variable", name)
		case strings.EqualFold(name, "COPILOT_GITHUB_TOKEN"):
			return fmt.Errorf("%s never reaches an agent; put a token for its tools into GH_TOKEN and pass that", name)
		}
	}
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}
