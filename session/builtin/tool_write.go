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

	"parley/session"
)

var writeTool = &tool{
	name: "Write", kind: session.ToolEdit,
	description: "Writes a whole file, with its directories. An existing file must have been read in this session before it is " +
		"overwritten; to change a part of a file, Edit is better.",
	schema: `{"type":"object","properties":{` +
		`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
		`"content":{"type":"string","description":"The whole content"}},` +
		`"required":["file_path","content"],"additionalProperties":false}`,
	prepare: prepareWrite,
}

func prepareWrite(_ context.Context, w *workspace, input json.RawMessage) (*job, error) {
	var in struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
	}
	if err := decodeInput(input, &in, "file_path", "content"); err != nil {
		return nil, err
	}
	path, err := w.abs(in.Path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return w.change(path, true, nil, []byte(in.Content)), nil
	}
	before, info, err := w.readRegular(path)
	if err != nil {
		return nil, err
	}
	if err := w.files.check(w, path, before, info); err != nil {
		return nil, err
	}
	return w.change(path, false, before, []byte(in.Content)), nil
}

// change is the job of replacing a file's content. What the user agrees to is what happens: if the file is not as it was
// when they were asked, it is left alone.
func (w *workspace) change(path string, created bool, before, after []byte) *job {
	edit := fileEdit(path, created, before, after)
	j := &job{ask: session.PermissionAsk{Path: path, Edit: &edit}}
	j.run = func(ctx context.Context, _ session.CallID, _ func(string)) outcome {
		if ctx.Err() != nil {
			return cancelled
		}
		now, err := os.ReadFile(path)
		switch {
		case created && err == nil:
			return failed("%s was made by somebody else meanwhile. Read it first.", w.short(path))
		case !created && (err != nil || !bytes.Equal(now, before)):
			return failed("%s has changed meanwhile and was left as it is. Read it again first.", w.short(path))
		}
		if err := replaceFile(path, after); err != nil {
			return failed("%s could not be written: %v", w.short(path), cause(err))
		}
		w.files.saw(path, after)
		verb := "Changed"
		if created {
			verb = "Wrote"
		}
		return outcome{outcome: session.ToolOK, edits: []session.FileEdit{edit}, result: session.ToolResult{
			Text:    fmt.Sprintf("%s %s (+%d -%d lines).", verb, w.short(path), edit.Added, edit.Removed),
			Summary: fmt.Sprintf("+%d -%d", edit.Added, edit.Removed)}}
	}
	return j
}

// replaceFile puts a new content in place at once. Links stay links, an existing file keeps its mode, and directories are
// made as needed.
func replaceFile(path string, content []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".parley-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = setMode(f.Name(), path)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// setMode gives the new file the mode of the one it replaces, or what a file made in this directory usually gets.
func setMode(name, replaced string) error {
	if info, err := os.Stat(replaced); err == nil {
		return os.Chmod(name, info.Mode().Perm())
	}
	return os.Chmod(name, 0o666&^umask())
}
