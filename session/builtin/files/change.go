package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/builtin/tool"
)

// revision is the change of one file as a call plans it.
type revision struct {
	at               tool.Place
	created, deleted bool
	before, after    []byte
	// mode is the mode of a file that is created, 0 for the usual one.
	mode fs.FileMode
	// part reports whether what the model knows of the file is a part of it, before and after.
	part bool
	// note is a remark about the change for the model; may be empty.
	note string
	edit session.FileEdit
}

// change returns a job that changes files at places, all of them or none. plan reads the files and returns their new
// contents. A file that changes after the user was asked stays unchanged, and so do the others: only what the user agreed
// to happens.
func change(w *tool.Workspace, places []tool.Place, plan func(context.Context) ([]revision, error)) *tool.Job {
	var all []revision
	j := &tool.Job{Ask: session.PermissionAsk{Path: places[0].Path}, Place: places[0], More: places[1:]}
	j.Look = func(ctx context.Context) (err error) {
		if all, err = plan(ctx); err != nil {
			return err
		}
		edits := editsOf(all)
		j.Ask.Edit, j.Ask.More = &edits[0], edits[1:]
		return nil
	}
	j.Run = func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		if ctx.Err() != nil {
			return tool.Cancelled
		}
		if err := putAll(w, ctx, all); err != nil {
			return tool.Failed("%s", err)
		}
		for _, r := range all {
			w.Files.Wrote(r.at.Path, r.after, r.part)
		}
		return tool.Outcome{How: session.ToolOK, Edits: editsOf(all), Result: changed(w, all)}
	}
	return j
}

// editsOf returns the changes as the user sees them, in order.
func editsOf(all []revision) []session.FileEdit {
	out := make([]session.FileEdit, len(all))
	for i := range all {
		r := &all[i]
		if r.edit.Path == "" {
			r.edit = fileEdit(r.at.Path, r.created, r.before, r.after)
			r.edit.Deleted = r.deleted
		}
		out[i] = r.edit
	}
	return out
}

// changed returns what the model reads of changes that were made.
func changed(w *tool.Workspace, all []revision) session.ToolResult {
	var rows []string
	added, removed := 0, 0
	for _, r := range all {
		verb := "Changed"
		switch {
		case r.created:
			verb = "Wrote"
		case r.deleted:
			verb = "Deleted"
		}
		rows = append(rows, fmt.Sprintf("%s %s (+%d -%d lines).", verb, w.Short(r.at.Path), r.edit.Added, r.edit.Removed)+r.note)
		added, removed = added+r.edit.Added, removed+r.edit.Removed
	}
	return session.ToolResult{Text: strings.Join(rows, "\n"), Summary: fmt.Sprintf("+%d -%d", added, removed)}
}

// putAll gives all files their new contents, or none. Errors are for the model.
func putAll(w *tool.Workspace, ctx context.Context, all []revision) error {
	if len(all) > 1 {
		for _, r := range all {
			if err := r.unchanged(w, ctx); err != nil {
				return err
			}
		}
	}
	for i := range all {
		err := all[i].put(w, ctx)
		if err == nil {
			continue
		}
		var stuck []string
		for _, done := range all[:i] {
			if done.takeBack() != nil {
				stuck = append(stuck, w.Short(done.at.Path))
			}
		}
		switch {
		case len(stuck) > 0:
			return tool.Errorf("%w The other changes were taken back, except in %s, which stay changed.", err, strings.Join(stuck, ", "))
		case i > 0:
			return tool.Errorf("%w The other files were left as they are.", err)
		}
		return err
	}
	return nil
}

// unchanged returns an error if the file is not as it was when the change was planned.
func (r *revision) unchanged(w *tool.Workspace, ctx context.Context) error {
	if r.created {
		if !r.at.Missing() {
			return tool.Errorf("%s was created by another program meanwhile. Read it first.", w.Short(r.at.Path))
		}
		return nil
	}
	in, name, err := r.at.Folder()
	if err == nil {
		defer in.Close()
		_, err = r.same(ctx, in, name)
	}
	if err != nil {
		return tool.Errorf("%s has changed meanwhile and was left as it is. Read it again first.", w.Short(r.at.Path))
	}
	return nil
}

// same returns the mode of a file that still has the content before, otherwise an error.
func (r *revision) same(ctx context.Context, in *os.Root, name string) (fs.FileMode, error) {
	now, info, err := tool.ReadIn(ctx, in, name)
	if err == nil && !bytes.Equal(now, r.before) {
		err = errors.New("it has changed")
	}
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// put changes the file if it still has the content before. Errors are for the model.
func (r *revision) put(w *tool.Workspace, ctx context.Context) error {
	open := safefs.OpenFolder
	if r.created {
		open = func(dir string) (*os.Root, error) { in, _, err := safefs.MakeFolder(dir); return in, err }
	}
	in, err := open(filepath.Dir(r.at.Real))
	if err != nil {
		return tool.Errorf("%s could not be written: %v.", w.Short(r.at.Path), tool.Cause(err))
	}
	defer in.Close()
	mode := 0o666 &^ umask()
	if r.mode != 0 {
		mode = r.mode
	}
	if r.created {
		if _, err := in.Lstat(r.at.Name()); !errors.Is(err, fs.ErrNotExist) {
			return tool.Errorf("%s was created by another program meanwhile. Read it first.", w.Short(r.at.Path))
		}
	} else if mode, err = r.same(ctx, in, r.at.Name()); err != nil {
		return tool.Errorf("%s has changed meanwhile and was left as it is. Read it again first.", w.Short(r.at.Path))
	}
	r.mode = mode
	if r.deleted {
		err = in.Remove(r.at.Name())
	} else {
		err = replaceFile(in, r.at.Name(), r.after, mode)
	}
	if err != nil {
		return tool.Errorf("%s could not be written: %v.", w.Short(r.at.Path), tool.Cause(err))
	}
	return nil
}

// takeBack gives the file the content before. It runs even if the turn has been interrupted.
func (r *revision) takeBack() error {
	in, name, err := r.at.Folder()
	if err != nil {
		return err
	}
	defer in.Close()
	if r.created {
		return in.Remove(name)
	}
	return replaceFile(in, name, r.before, r.mode)
}

// replaceFile replaces a file in an open folder at once.
func replaceFile(in *os.Root, name string, content []byte, mode fs.FileMode) error {
	temporary := safefs.Temporary()
	f, err := in.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = in.Chmod(temporary, mode)
	}
	if err == nil {
		err = in.Rename(temporary, name)
	}
	if err != nil {
		_ = in.Remove(temporary) // the first error is the useful one
	}
	return err
}
