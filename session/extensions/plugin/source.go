package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
)

// source is where a plugin or a marketplace is fetched from: a folder, or a git repository.
type source struct {
	// text is the source as the user typed it.
	text string
	// folder is absolute; commit is that of the marketplace that it lies in.
	folder, commit string
	// url, ref and sub are a repository, what to take of it (empty: its newest), and a folder in it (empty: all).
	url, ref, sub string
	// market and entry are the marketplace that offers it, and what that says of it; empty for none.
	market string
	entry  map[string]json.RawMessage
}

var (
	offerName = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9_.-]*)@([A-Za-z0-9][A-Za-z0-9_.-]*)$`)
	gitHub    = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9_.-]+$`)
	overSSH   = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[A-Za-z0-9_./~-]+$`)
	gitRef    = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_./+-]*$`)
)

// fetchTime bounds how long git may take.
const fetchTime = 5 * time.Minute

// parse returns what a text means that is not a name of a marketplace.
func (s *Store) parse(op, text string) (source, error) {
	text = strings.TrimSpace(text)
	at := text
	if rest, is := strings.CutPrefix(at, "~/"); is && s.o.Home != "" {
		at = filepath.Join(s.o.Home, rest)
	}
	if info, err := os.Stat(at); err == nil && info.IsDir() && at != "" {
		abs, err := filepath.Abs(at)
		if err != nil {
			return source{}, fail(op, session.KindInvalid, "%w", err)
		}
		return source{text: abs, folder: abs}, nil
	}
	src := source{text: text}
	var after string
	src.url, after, _ = strings.Cut(text, "#")
	src.ref, src.sub, _ = strings.Cut(after, ":")
	return src, src.check(op)
}

// check completes and checks the address of a repository.
func (src *source) check(op string) error {
	if gitHub.MatchString(src.url) {
		src.url = "https://github.com/" + src.url
	}
	u, err := url.Parse(src.url)
	switch {
	case overSSH.MatchString(src.url):
	case err == nil && u.Scheme == "http":
		return fail(op, session.KindInvalid, "%s is not encrypted: use https", src.url)
	case err != nil || u.Scheme != "https" && u.Scheme != "ssh" && u.Scheme != "file" || u.Scheme != "file" && u.Host == "" || strings.HasPrefix(u.Host, "-"):
		return fail(op, session.KindInvalid, "%q is neither a folder nor a git address (https://…, ssh://…, git@…, OWNER/REPOSITORY) nor NAME@MARKETPLACE", src.url)
	case u.User != nil:
		if _, secret := u.User.Password(); secret || u.Scheme == "https" {
			return fail(op, session.KindInvalid, "leave the sign-in out of the address: git has its own")
		}
	}
	if src.ref != "" && (!gitRef.MatchString(src.ref) || strings.Contains(src.ref, "..")) {
		return fail(op, session.KindInvalid, "%q is not a branch, a tag or a commit", src.ref)
	}
	if src.sub != "" && !filepath.IsLocal(filepath.FromSlash(src.sub)) {
		return fail(op, session.KindInvalid, "%s leads out of the repository", src.sub)
	}
	return nil
}

// fetch returns the folder of a source, and its commit. A repository is fetched into a folder that is empty; nothing of it runs.
func (s *Store) fetch(ctx context.Context, op string, src source, into string) (dir, commit string, err error) {
	if src.folder != "" {
		return src.folder, src.commit, nil
	}
	if s.o.Git == nil {
		return "", "", fail(op, session.KindUnsupported, "only folders can be installed here")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	if err := os.MkdirAll(into, 0o700); err != nil {
		return "", "", fail(op, session.KindDisk, "%w", err)
	}
	for _, args := range [][]string{{"init", "--quiet", "--template="},
		{"fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", src.url, cmp.Or(src.ref, "HEAD")},
		{"checkout", "--quiet", "--detach", "FETCH_HEAD"}, {"rev-parse", "HEAD"}} {
		if commit, err = s.o.Git(ctx, into, args...); err != nil {
			return "", "", fail(op, session.KindNetwork, "%s: %w", src.url, err)
		}
	}
	dir, err = filepath.EvalSymlinks(filepath.Join(into, filepath.FromSlash(src.sub)))
	if err != nil || !within(into, dir) {
		return "", "", fail(op, session.KindNotFound, "there is no folder %s in %s", src.sub, src.url)
	}
	return dir, strings.TrimSpace(commit), nil
}
