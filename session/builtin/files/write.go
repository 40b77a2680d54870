package files

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
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Write writes a whole file.
var Write = &tool.Tool{
	Name: "Write", Kind: toolview.Edit,
	Description: "Writes a whole file, with its directories. An existing file must have been read in this session before it is " +
		"overwritten; to change a part of a file, Edit is better.",
	Schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"content":{"type":"string","description":"The whole content"}},` +
		`"required":["file_path","content"],"additionalProperties":false}`,
	Prepare: prepareWrite,
}

func prepareWrite(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
	}
	if err := tool.DecodeInput(input, &in, "file_path", "content"); err != nil {
		return nil, err
	}
	p, err := w.Place(in.Path)
	if err != nil {
		return nil, err
	}
	return change(w, p, func(ctx context.Context) (created bool, before, after []byte, err error) {
		if p.Missing() {
			return true, nil, []byte(in.Content), nil
		}
		before, info, err := w.Read(ctx, p)
		if err == nil {
			err = w.Files.Check(w, p.Path, before, info)
		}
		return false, before, []byte(in.Content), err
	}), nil
}

// change returns a job that replaces a file's content. plan reads the file and returns its new content. If the file
// changes after the user was asked, it stays unchanged: only what the user agreed to happens.
func change(w *tool.Workspace, p tool.Place, plan func(context.Context) (created bool, before, after []byte, err error)) *tool.Job {
	var edit session.FileEdit
	var before, after []byte
	j := &tool.Job{Ask: session.PermissionAsk{Path: p.Path}, Place: p}
	j.Look = func(ctx context.Context) (err error) {
		var created bool
		if created, before, after, err = plan(ctx); err != nil {
			return err
		}
		edit = fileEdit(p.Path, created, before, after)
		j.Ask.Edit = &edit
		return nil
	}
	j.Run = func(ctx context.Context, _ session.CallID, _ func(string)) tool.Outcome {
		if ctx.Err() != nil {
			return tool.Cancelled
		}
		if err := put(w, ctx, p, edit.Created, before, after); err != nil {
			return tool.Failed("%s", err)
		}
		w.Files.Saw(p.Path, after)
		verb := "Changed"
		if edit.Created {
			verb = "Wrote"
		}
		return tool.Outcome{How: session.ToolOK, Edits: []session.FileEdit{edit}, Result: session.ToolResult{
			Text:    fmt.Sprintf("%s %s (+%d -%d lines).", verb, w.Short(p.Path), edit.Added, edit.Removed),
			Summary: fmt.Sprintf("+%d -%d", edit.Added, edit.Removed)}}
	}
	return j
}

// put gives a file its new content if it still has the content before. Errors are for the model.
func put(w *tool.Workspace, ctx context.Context, p tool.Place, created bool, before, after []byte) error {
	open := folder.Open
	if created {
		open = func(dir string) (*os.Root, error) { in, _, err := folder.Make(dir); return in, err }
	}
	in, err := open(filepath.Dir(p.Real))
	if err != nil {
		return tool.Errorf("%s could not be written: %v", w.Short(p.Path), tool.Cause(err))
	}
	defer in.Close()
	mode := 0o666 &^ umask()
	if created {
		if _, err := in.Lstat(p.Name()); !errors.Is(err, fs.ErrNotExist) {
			return tool.Errorf("%s was created by another program meanwhile. Read it first.", w.Short(p.Path))
		}
	} else {
		now, info, err := tool.ReadIn(ctx, in, p.Name())
		if err != nil || !bytes.Equal(now, before) {
			return tool.Errorf("%s has changed meanwhile and was left as it is. Read it again first.", w.Short(p.Path))
		}
		mode = info.Mode().Perm()
	}
	if err := replaceFile(in, p.Name(), after, mode); err != nil {
		return tool.Errorf("%s could not be written: %v", w.Short(p.Path), tool.Cause(err))
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
