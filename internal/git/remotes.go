package git

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
)

// Remote is a remote of a repository.
type Remote struct {
	Name, URL string
	// Chosen reports whether gh was told to use the repository of this remote (gh repo set-default).
	Chosen bool
}

// Remotes returns the remotes of the repository around a directory, in the order of its configuration. Included files are not
// read, and addresses are as they are written there.
func Remotes(ctx context.Context, dir string) []Remote {
	r, ok := Around(ctx, dir)
	if !ok {
		return nil
	}
	text, err := safefs.ReadFile(ctx, filepath.Join(r.Common, "config"), maxConfig, safefs.FollowLinks)
	if err != nil {
		return nil
	}
	return parseRemotes(string(text))
}

// parseRemotes reads the sections [remote "name"] of a configuration.
func parseRemotes(text string) []Remote {
	var all []Remote
	at := -1
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			at = -1
			head, after, ok := strings.Cut(line[1:], "]")
			section, name, quoted := strings.Cut(head, "\"")
			if ok && quoted && strings.EqualFold(strings.TrimSpace(section), "remote") {
				name = strings.TrimSuffix(name, "\"")
				if at = slices.IndexFunc(all, func(r Remote) bool { return r.Name == name }); at < 0 {
					at, all = len(all), append(all, Remote{Name: name})
				}
			}
			line = strings.TrimSpace(after)
		}
		if at < 0 || line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "url":
			if all[at].URL == "" {
				all[at].URL = configValue(strings.TrimSpace(value))
			}
		case "gh-resolved":
			all[at].Chosen = configValue(strings.TrimSpace(value)) == "base"
		}
	}
	return all
}

// order is the order in which gh prefers remotes by their names.
var order = []string{"upstream", "github", "origin"}

// RepositoryAt returns the repository on a host, such as "github.com", that remotes name, as "owner/name": that of the remote
// which gh was told to use, else of upstream, github, origin, or any other. It is "" if none is on the host.
func RepositoryAt(remotes []Remote, host string) string {
	best, rank := "", 0
	for _, r := range remotes {
		name := repositoryOf(r.URL, host)
		mine := 1
		if i := slices.Index(order, strings.ToLower(r.Name)); i >= 0 {
			mine = 1 + len(order) - i
		}
		if r.Chosen {
			mine = len(order) + 2
		}
		if name != "" && mine > rank {
			best, rank = name, mine
		}
	}
	return best
}

// repositoryOf returns the repository that an address names, "" if it is on another host. It knows URLs and the form
// user@host:path.
func repositoryOf(address, host string) string {
	path := ""
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		if !sameHost(u.Hostname(), host) {
			return ""
		}
		path = u.Path
	} else {
		where, rest, ok := strings.Cut(address, ":")
		if _, after, at := strings.Cut(where, "@"); at {
			where = after
		}
		if !ok || !sameHost(where, host) {
			return ""
		}
		path = rest
	}
	owner, name, ok := strings.Cut(strings.Trim(path, "/"), "/")
	name = strings.TrimSuffix(name, ".git")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return ""
	}
	return owner + "/" + name
}

// sameHost reports whether a name of an address means a host. ssh.github.com is GitHub behind a firewall.
func sameHost(name, host string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(name), "www."), "ssh.")
	return name == strings.ToLower(host)
}
