package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"parley/internal/folder"
	"parley/session"
	"parley/session/toolview"
)

var writeTool = &tool{
	name: "Write", kind: toolview.Edit,
	description: "Writes a whole file, with its directories. An existing file must have been read in this session before it is " +
		"overwritten; to change a part of a file, Edit is better.",
	schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"content":{"type":"string","description":"The whole content"}},` +
		`"required":["file_path","content"],"additionalProperties":false}`,
	prepare: prepareWrite,
}

func prepareWrite(w *workspace, input json.RawMessage) (*job, error) {
	var in struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
	}
	if err := decodeInput(input, &in, "file_path", "content"); err != nil {
		return nil, err
	}
	p, err := w.place(in.Path)
	if err != nil {
		return nil, err
	}
	return w.change(p, func(ctx context.Context) (created bool, before, after []byte, err error) {
		if p.missing() {
			return true, nil, []byte(in.Content), nil
		}
		before, info, err := w.read(ctx, p)
		if err == nil {
			err = w.files.check(w, p.path, before, info)
		}
		return false, before, []byte(in.Content), err
	}), nil
}

// missing reports whether nothing is at the place, so that a file can be created.
func (p place) missing() bool {
	in, name, err := p.folder()
	if err == nil {
		defer in.Close()
		_, err = in.Lstat(name)
	}
	return errors.Is(err, fs.ErrNotExist)
}

// change returns a job that replaces a file's content. plan reads the file and returns its new content. If the file
// changes after the user was asked, it stays unchanged: only what the user agreed to happens.
func (w *workspace) change(p place, plan func(context.Context) (created bool, before, after []byte, err error)) *job {
	var edit session.FileEdit
	var before, after []byte
	j := &job{ask: session.PermissionAsk{Path: p.path}, place: p}
	j.look = func(ctx context.Context) (err error) {
		var created bool
		if created, before, after, err = plan(ctx); err != nil {
			return err
		}
		edit = fileEdit(p.path, created, before, after)
		j.ask.Edit = &edit
		return nil
	}
	j.run = func(ctx context.Context, _ session.CallID, _ func(string)) outcome {
		if ctx.Err() != nil {
			return cancelled
		}
		if err := w.put(ctx, p, edit.Created, before, after); err != nil {
			return failed("%s", err)
		}
		w.files.saw(p.path, after)
		verb := "Changed"
		if edit.Created {
			verb = "Wrote"
		}
		return outcome{outcome: session.ToolOK, edits: []session.FileEdit{edit}, result: session.ToolResult{
			Text:    fmt.Sprintf("%s %s (+%d -%d lines).", verb, w.short(p.path), edit.Added, edit.Removed),
			Summary: fmt.Sprintf("+%d -%d", edit.Added, edit.Removed)}}
	}
	return j
}

// put gives a file its new content if it still has the content before. Errors are for the model.
func (w *workspace) put(ctx context.Context, p place, created bool, before, after []byte) error {
	open := folder.Open
	if created {
		open = func(dir string) (*os.Root, error) { in, _, err := folder.Make(dir); return in, err }
	}
	in, err := open(filepath.Dir(p.real))
	if err != nil {
		return errTool("%s could not be written: %v", w.short(p.path), cause(err))
	}
	defer in.Close()
	mode := 0o666 &^ umask()
	if created {
		if _, err := in.Lstat(p.name()); !errors.Is(err, fs.ErrNotExist) {
			return errTool("%s was created by another program meanwhile. Read it first.", w.short(p.path))
		}
	} else {
		now, info, err := readIn(ctx, in, p.name())
		if err != nil || !bytes.Equal(now, before) {
			return errTool("%s has changed meanwhile and was left as it is. Read it again first.", w.short(p.path))
		}
		mode = info.Mode().Perm()
	}
	if err := replaceFile(in, p.name(), after, mode); err != nil {
		return errTool("%s could not be written: %v", w.short(p.path), cause(err))
	}
	return nil
}

// replaceFile replaces a file in an open folder at once.
func replaceFile(in *os.Root, name string, content []byte, mode fs.FileMode) error {
	temporary := folder.Temporary()
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
