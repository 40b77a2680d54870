package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/permission"
)

// Options configures a [Store].
type Options struct {
	// Config contains the user's rules for every project, permissions.yaml; Data contains the folder projects with those for
	// each. Empty: there are none, and none can be kept.
	Config, Data string
	// Policy is the administrator's file.
	Policy PolicyFile
	// Claude returns the settings of Claude Code whose rules hold in a directory, at most three; nil: none do.
	Claude func(dir string) []Settings
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// fileName is the name of the files of the user's rules.
const fileName = "permissions.yaml"

// Store reads and changes the rules on disk. It is safe for concurrent use, also by several processes.
type Store struct {
	o Options

	mu     sync.Mutex
	looks  map[string]*look
	policy *policyLook
	roots  map[string]string // the root of the project, by directory
	paths  map[string]string // the file of a project, by its root
	kept   map[string]keptLook
}

// New returns a store without touching the disk.
func New(o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{o: o, looks: map[string]*look{}, roots: map[string]string{}, paths: map[string]string{}, kept: map[string]keptLook{}}
}

// Kept returns the rules that hold in a directory: the administrator's, the user's for every project, and those for the
// project. It reads files only if they have changed. If one cannot be used, Locked says so, and none of the rules allows. The
// rules are shared: the caller must not change them.
func (s *Store) Kept(dir string) permission.Kept {
	now := s.parts(dir)
	s.mu.Lock()
	known, ok := s.kept[dir]
	s.mu.Unlock()
	if ok && known.of == now {
		return known.kept
	}
	k := keep(now.files())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[dir] = keptLook{now, k}
	return k
}

// parts are the looks that rules are put together from; nil for a file that there is no place for.
type parts struct {
	policy          *policyLook
	global, project *look
	claude          [maxSettings]*look
}

// parts returns the looks for a directory as they are now.
func (s *Store) parts(dir string) parts {
	return parts{s.policyNow(), s.look(dir, permission.FromGlobal), s.look(dir, permission.FromProject), s.settings(dir)}
}

// keptLook holds the rules that were put together.
type keptLook struct {
	of   parts
	kept permission.Kept
}

// files returns the files in the order policy, global, project, Claude Code's. A policy that is missing or not heeded is left out, and
// so are settings of Claude Code that are missing.
func (p parts) files() []File {
	var all []File
	if p.policy.policy.Heeded {
		all = append(all, p.policy.policy.File)
	}
	for _, l := range []*look{p.global, p.project} {
		if l != nil {
			all = append(all, l.file)
		}
	}
	for _, l := range p.claude {
		if l != nil && !l.file.Missing {
			all = append(all, l.file)
		}
	}
	return all
}

// keep puts the rules of files together.
func keep(files []File) permission.Kept {
	var k permission.Kept
	for _, f := range files {
		if f.Problem != nil && k.Locked == "" && f.Origin != permission.FromClaude {
			k.Locked = f.locked()
		}
		k.Rules = append(k.Rules, f.Rules...)
	}
	if k.Locked != "" {
		k.Rules = slices.DeleteFunc(k.Rules, func(r permission.Rule) bool { return r.Ruling == permission.Allow })
	}
	k.Rules = slices.Clip(k.Rules) // an append by a caller copies
	return k
}

// locked says in a sentence that the file cannot be used, why, and what to do.
func (f File) locked() string {
	next := "Mend or remove the file; /permissions opens it."
	if f.Origin == permission.FromPolicy {
		next = "Ask your administrator to fix it."
	}
	return fmt.Sprintf("Everything is asked, because the rules in %s. %s", f.Problem.reason(), next)
}

// reason says where and why a file cannot be used, as the end of a sentence.
func (p *Problem) reason() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s can't be used: %v", p.Path, p.Err)
	}
	return fmt.Sprintf("%s can't be used: line %d: %v", p.Path, p.Line, p.Err)
}

// Files returns the files for a directory, in the order policy, global, project, Claude Code's. A policy that is missing or not heeded
// is left out, and so are settings of Claude Code that are missing or do not hold there.
func (s *Store) Files(dir string) []File { return s.parts(dir).files() }

// Path returns the file of an origin for a directory, "" if there is none.
func (s *Store) Path(dir string, origin permission.Origin) string {
	switch {
	case origin == permission.FromPolicy:
		return s.o.Policy.Path
	case origin == permission.FromGlobal && s.o.Config != "":
		return filepath.Join(s.o.Config, fileName)
	case origin == permission.FromProject && s.o.Data != "":
		return s.projectFile(s.projectRoot(dir))
	}
	return ""
}

// projectFile returns the file of a project.
func (s *Store) projectFile(root string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paths[root] == "" {
		s.paths[root] = filepath.Join(s.projects(), folder(root), fileName)
	}
	return s.paths[root]
}

// projects returns the directory with a folder for each project.
func (s *Store) projects() string { return filepath.Join(s.o.Data, "projects") }

// projectRoot returns the root of the project around a directory; see [projectOf]. It stays the same in this process, so that a
// repository that is made later takes no rule away.
func (s *Store) projectRoot(dir string) string {
	s.mu.Lock()
	root, known := s.roots[dir]
	s.mu.Unlock()
	if known {
		return root
	}
	root = projectOf(context.Background(), dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, known := s.roots[dir]; known {
		return first
	}
	s.roots[dir] = root
	return root
}

// look returns the file of an origin as it is now, from memory if it has not changed; nil if there is no place for it.
func (s *Store) look(dir string, origin permission.Origin) *look {
	path := s.Path(dir, origin)
	if path == "" {
		return nil
	}
	return s.lookAt(path, func() File { return read(path, origin) })
}

// lookAt returns what is read from a file, from memory if it has not changed.
func (s *Store) lookAt(path string, read func() File) *look {
	info, err := os.Stat(path)
	s.mu.Lock()
	known := s.looks[path]
	s.mu.Unlock()
	if known.current(info, err) || known.missing(path, err) {
		return known
	}
	l := &look{info: info, at: time.Now()}
	l.file = read()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks[path] = l
	return l
}

// The operations, for errors.
const (
	opAdd    = "keep the rule"
	opRemove = "remove the rule"
	opEdit   = "change the rule"
)

// Add keeps rules for the project of a directory, or for every project, as the origin says, with the present time: all of them or
// none. A rule that is there already is not added again. Errors are of kind [session.KindInvalid] for a rule or an origin that
// cannot be kept and for a file that cannot be used, [session.KindLocked] while another process changes rules, and
// [session.KindDisk].
func (s *Store) Add(dir string, origin permission.Origin, rules ...permission.Rule) error {
	rules = slices.Clone(rules)
	for i := range rules {
		if rules[i].Since.IsZero() {
			rules[i].Since = s.now()
		}
	}
	return s.change(opAdd, dir, origin, rules, func(data []byte, d *document) ([]byte, error) {
		if d.root == nil && len(data) == 0 {
			data = s.header(dir, origin)
		}
		return addedAll(data, d.rules, rules)
	})
}

// Remove removes a rule from the file of its origin, also if its number has changed meanwhile. The error is of kind
// [session.KindNotFound] if the file no longer has it; the others are those of [Store.Add].
func (s *Store) Remove(dir string, r permission.Rule) error {
	return s.change(opRemove, dir, r.Origin, []permission.Rule{r}, func(data []byte, d *document) ([]byte, error) {
		i, err := find(d, r)
		if err != nil {
			return nil, err
		}
		return removed(data, i)
	})
}

// Replace puts another rule in the place of one, with the present time. Errors are those of [Store.Remove].
func (s *Store) Replace(dir string, old, r permission.Rule) error {
	r.Since = s.now()
	return s.change(opEdit, dir, old.Origin, []permission.Rule{r}, func(data []byte, d *document) ([]byte, error) {
		i, err := find(d, old)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(d.rules, func(has permission.Rule) bool { return same(has, r) }) && !same(old, r) {
			return removed(data, i)
		}
		return replaced(data, i, r)
	})
}

// Move moves a rule to the file of another origin, and keeps its date. A process that is killed meanwhile leaves it in both.
// Errors are those of [Store.Add] and [Store.Remove].
func (s *Store) Move(dir string, r permission.Rule, to permission.Origin) error {
	if err := s.Add(dir, to, r); err != nil {
		return err
	}
	return s.Remove(dir, r)
}

// now returns the present time as files keep it.
func (s *Store) now() time.Time { return s.o.Now().UTC().Truncate(time.Second) }

// find returns the index of a rule: at its number, or else the first that says the same.
func find(d *document, r permission.Rule) (int, error) {
	if i := r.Number - 1; i >= 0 && i < len(d.rules) && same(d.rules[i], r) {
		return i, nil
	}
	if i := slices.IndexFunc(d.rules, func(has permission.Rule) bool { return same(has, r) }); i >= 0 {
		return i, nil
	}
	return 0, &session.Error{Op: opRemove, Kind: session.KindNotFound, Err: fmt.Errorf("there is no rule %q any more", r.String())}
}

// tries bounds how often a change starts again because an editor saved the file meanwhile.
const tries = 5

// change changes the file of an origin under the lock.
func (s *Store) change(op, dir string, origin permission.Origin, rules []permission.Rule, edit func([]byte, *document) ([]byte, error)) error {
	path := s.Path(dir, origin)
	if path == "" || origin == permission.FromPolicy || s.o.Data == "" {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("there is no file for rules of origin %q", origin)}
	}
	for _, r := range rules {
		if again, err := permission.ParseRule(r.String()); err != nil || !same(r, permission.Rule{Ruling: r.Ruling, Subject: again.Subject, Pattern: again.Pattern}) ||
			!slices.Contains(rulings, r.Ruling) {
			return &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("%q is not a rule", r.String())}
		}
	}
	unlock, err := s.lock(op)
	if err != nil {
		return err
	}
	defer unlock()
	defer s.reread(path)
	for range tries {
		done, err := s.attempt(path, origin, edit)
		if done || err != nil {
			return failure(op, path, err)
		}
	}
	return &session.Error{Op: op, Kind: session.KindLocked, Err: fmt.Errorf("%s is being changed by another program", path)}
}

// attempt changes a file once, unless another program changes it meanwhile.
func (s *Store) attempt(path string, origin permission.Origin, edit func([]byte, *document) ([]byte, error)) (done bool, err error) {
	before, _ := os.Stat(path)
	data, err := content(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, problemOf(path, err)
	}
	d, err := parse(data, origin)
	if err != nil {
		return false, problemOf(path, err)
	}
	next, err := edit(data, d)
	if err != nil || string(next) == string(data) {
		return err == nil, err
	}
	if after, _ := os.Stat(path); !unchanged(before, after) {
		return false, nil
	}
	return true, safefs.Replace(path, next)
}

// unchanged reports whether two looks at a file found the same; nil for a file that was not there.
func unchanged(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// failure returns an error of a change with its kind.
func failure(op, path string, err error) error {
	if err == nil || session.KindOf(err) != session.KindInternal {
		return err
	}
	if _, ok := errors.AsType[*Problem](err); ok || errors.Is(err, errShape) {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("%s can't be changed: %w", path, cause(err))}
	}
	return &session.Error{Op: op, Kind: session.KindDisk, Err: err}
}

// cause returns an error without the path that a problem has.
func cause(err error) error {
	p, ok := errors.AsType[*Problem](err)
	if !ok {
		return err
	}
	if p.Line == 0 {
		return p.Err
	}
	return fmt.Errorf("line %d: %w", p.Line, p.Err)
}

// reread makes the next look read a file.
func (s *Store) reread(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.looks, path)
}

// header returns the comment at the beginning of a new file.
func (s *Store) header(dir string, origin permission.Origin) []byte {
	where := "every project"
	if origin == permission.FromProject {
		where = s.projectRoot(dir)
		if strings.ContainsFunc(where, func(c rune) bool { return !strconv.IsPrint(c) }) {
			where = strconv.Quote(where)
		}
	}
	return []byte("# What parley does without asking in " + where + ", what it asks about, and what it refuses.\n" +
		"# deny comes before ask, and ask before allow. docs/permissions.md describes the rules.\n")
}
