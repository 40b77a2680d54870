package archive

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/claude/mapper"
	"parley/session/claude/transcript"
	"parley/session/sources"
)

// projects is the folder in which Claude Code has a folder for each project, with a file for each session; "" for none.
type projects string

// Places returns the transcripts, with the runtime's record of what is archived; see [sources.Source].
func (p projects) Places(ctx context.Context, id string) ([]sources.Place, error) {
	folders, err := p.folders()
	var all []sources.Place
	errs := []error{err}
	for _, f := range folders {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir := filepath.Join(string(p), f.Name())
		if id != "" {
			path := filepath.Join(dir, id+".jsonl")
			if s, err := stampOf(path); err == nil {
				all = append(all, sources.Place{Path: path, ID: id, Stamp: s})
			}
			continue
		}
		here, err := places(dir)
		if all = append(all, here...); err != nil && f.IsDir() {
			errs = append(errs, err)
		}
	}
	return all, errors.Join(errs...)
}

// folders returns the folders of the projects, without an error if there are none. A link to another one, as of a project that moved, is left
// out: it has the same files.
func (p projects) folders() ([]fs.DirEntry, error) {
	if p == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(string(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	root, had := sources.Real(string(p)), map[string]bool{}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		if e.Type()&fs.ModeSymlink == 0 {
			return false
		}
		real := sources.Real(filepath.Join(string(p), e.Name()))
		again := had[real] || filepath.Dir(real) == root
		had[real] = true
		return again
	}), err
}

// places returns the transcripts of a project.
func places(dir string) (all []sources.Place, err error) {
	entries, err := os.ReadDir(dir)
	beside := map[string]bool{} // sessions with a folder, which may say that they are archived
	for _, e := range entries {
		if e.IsDir() {
			beside[e.Name()] = true
		}
	}
	for _, e := range entries {
		id, is := strings.CutSuffix(e.Name(), ".jsonl")
		info, failed := e.Info()
		if !is || !transcript.IsID(id) || failed != nil || !info.Mode().IsRegular() {
			continue
		}
		p := sources.Place{Path: filepath.Join(dir, e.Name()), ID: id, Stamp: sources.Stamp{{Size: info.Size(), MTime: info.ModTime()}}}
		if beside[id] {
			if p.Stamp, failed = stampOf(p.Path); failed != nil {
				continue
			}
		}
		all = append(all, p)
	}
	return all, err
}

// stampOf returns the state of a transcript and of the record of what is archived.
func stampOf(path string) (sources.Stamp, error) {
	return sources.StampOf(path, transcript.ArchivedPath(path))
}

// Describe describes the session of a transcript; see [sources.Source].
func (projects) Describe(_ context.Context, p sources.Place) ([]session.Meta, error) {
	in, err := transcript.Describe(p.Path, p.Stamp[0].MTime)
	if errors.Is(err, transcript.ErrNoSession) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := session.Meta{ID: session.ID(p.ID), Agent: "claude", Dir: in.Dir, Branch: in.Branch, Title: in.Title, First: in.First, Model: mapper.ListedModel(in.Model),
		Created: in.Created, Updated: in.Updated}
	if in.Title == "" && in.First == "" {
		m.Title = in.Summary
	}
	if in.Tag != "" {
		m.Tags = []string{in.Tag}
	}
	m.Archived = p.Stamp[1] != sources.State{} && transcript.IsArchived(p.Path, in.Prompted)
	return []session.Meta{m}, nil
}

// isHome reports whether the runtime looks for a session in the folder of its transcript.
func isHome(p sources.Place, m session.Meta) bool {
	return transcript.Slug(m.Dir) == filepath.Base(filepath.Dir(p.Path))
}
