package clienttools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"parley/session"
)

const editorName = "open_in_editor"

// editorTime bounds the time that the editor may take to open a file.
const editorTime = 10 * time.Second

// opener returns the tool that opens a file in the user's editor. One that waits returns once the user has left the editor.
func opener(open func(ctx context.Context, path string, line int) error, waits bool, o session.OpenOptions) session.ClientTool {
	about := "Opens a file in a window of the user's editor, at a line. Use it only when the user wants to see or edit the file " +
		"there. It does not wait for the user, who is asked first."
	if waits {
		about = "Opens a file in the user's editor, at a line, and waits until the user has left it. Use it only when the user wants to " +
			"see or edit the file there: the editor takes the whole terminal. The user is asked first."
	}
	return editing(about, func(ctx context.Context, path string, line int) (bool, error) {
		if !waits {
			limited, end := context.WithTimeout(ctx, editorTime)
			defer end()
			ctx = limited
		}
		return waits, open(ctx, path, line)
	}, o)
}

// shower returns the tool that opens a file in the editor of the terminal that shows the session.
func shower(show func(ctx context.Context, id session.ID, path string, line int) (left bool, err error), o session.OpenOptions) session.ClientTool {
	return editing("Opens a file in the user's editor, at a line. Use it only when the user wants to see or edit the file there. If the editor "+
		"takes the user's terminal, it waits until the user has left it. The user is asked first. It fails while no terminal shows the session.",
		func(ctx context.Context, path string, line int) (bool, error) {
			return show(ctx, o.Session, path, line)
		}, o)
}

// editing returns the tool that opens a file with open, which says whether the user has left the editor. What an editor does with a file is
// the user's matter, so that each call is asked about.
func editing(about string, open func(ctx context.Context, path string, line int) (left bool, err error), o session.OpenOptions) session.ClientTool {
	return session.ClientTool{
		Name:        editorName,
		Description: about,
		Schema: []byte(`{"type":"object","properties":{` +
			`"file_path":{"type":"string","description":"Path of the file, absolute or relative to the working directory"},` +
			`"line":{"type":"integer","minimum":1,"description":"Line to go to"}},` +
			`"required":["file_path"],"additionalProperties":false}`),
		Call: func(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
			var in struct {
				Path string `json:"file_path"`
				Line int    `json:"line"`
			}
			if err := decode(c.Input, &in); err != nil {
				return session.ToolResult{}, err
			}
			if in.Path == "" {
				return session.ToolResult{}, errors.New("file_path is empty: give the path of a file")
			}
			path := in.Path
			if !filepath.IsAbs(path) {
				path = filepath.Join(o.Dir, path)
			}
			info, err := os.Stat(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return session.ToolResult{}, fmt.Errorf("%s does not exist", in.Path)
			case err != nil:
				return session.ToolResult{}, err
			case !info.Mode().IsRegular():
				return session.ToolResult{}, fmt.Errorf("%s is not a file", in.Path)
			}
			wasLeft, err := open(ctx, path, max(in.Line, 0))
			if err != nil {
				return session.ToolResult{}, fmt.Errorf("open the editor: %w", err)
			}
			if !wasLeft {
				return session.ToolResult{Text: "The file is open in the user's editor."}, nil
			}
			return session.ToolResult{Text: left(info, path)}, nil
		},
	}
}

// left returns what the model reads once the user has left the editor, by what the file was before.
func left(before fs.FileInfo, path string) string {
	after, err := os.Stat(path)
	switch {
	case err != nil:
		return "The user left the editor, and the file cannot be read any more: " + err.Error()
	case after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()):
		return "The user left the editor and changed the file: read it again before you change it."
	}
	return "The user left the editor without changing the file."
}
