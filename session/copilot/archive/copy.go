package archive

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"go.yaml.in/yaml/v3"

	"parley/internal/human"
	"parley/session"
	"parley/session/sources"
)

// Fork copies a stored session up to and including a turn, whole for an empty turn, and returns the id of the copy; see
// [session.Forker]. The files are copied, because version 1.0.85 of the runtime leaves a session that it copies, and that it has not
// open, without its events.
func (a *Archive) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (session.ID, error) {
	next := ""
	if upTo != "" {
		var err error
		if next, err = a.After(ctx, id, upTo); err != nil {
			return "", err
		}
	}
	from, err := a.find(id)
	if err != nil {
		return "", err
	}
	to := session.ID(uuid.NewString())
	if err := a.copySession(ctx, from, sources.Raw(id), to, next); err != nil {
		return "", &session.Error{Op: "fork session", Kind: session.KindDisk, Err: err}
	}
	return to, nil
}

// copySession makes the folder of the copy, whole or not at all. next is the id of the first event that is left out, "" for none.
func (a *Archive) copySession(ctx context.Context, from string, id, to session.ID, next string) (err error) {
	parent := filepath.Dir(from)
	dir, err := os.MkdirTemp(parent, ".parley-copy-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if err := copyEvents(ctx, filepath.Join(from, eventsFile), filepath.Join(dir, eventsFile), id, to, next); err != nil {
		return err
	}
	if err := copyWorkspace(ctx, from, dir, to); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() { // checkpoints and files; a lock stays with the original
			if err := copyFolder(ctx, filepath.Join(from, e.Name()), filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Rename(dir, filepath.Join(parent, string(to)))
}

// copyEvents copies events under the id of the copy.
func copyEvents(ctx context.Context, from, to string, id, copied session.ID, next string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	w, r := bufio.NewWriter(out), bufio.NewReaderSize(in, 64<<10)
	was, is := fmt.Appendf(nil, `"sessionId":"%s"`, id), fmt.Appendf(nil, `"sessionId":"%s"`, copied)
	for ctx.Err() == nil {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // an incomplete line is no event
		}
		if err != nil {
			return err
		}
		if next != "" {
			if e, ok := parse(line); ok && e.ID == next {
				break
			}
		}
		if _, err := w.Write(bytes.ReplaceAll(line, was, is)); err != nil {
			return err
		}
	}
	return errors.Join(ctx.Err(), w.Flush(), out.Sync(), out.Close())
}

// copyWorkspace copies the description of a session, with the id and the name of the copy.
func copyWorkspace(ctx context.Context, from, to string, copied session.ID) error {
	data, err := os.ReadFile(filepath.Join(from, workspaceFile))
	if errors.Is(err, fs.ErrNotExist) {
		return ctx.Err()
	}
	var all yaml.Node
	if err == nil {
		err = yaml.Unmarshal(data, &all)
	}
	if err != nil {
		return err
	}
	if len(all.Content) == 1 && all.Content[0].Kind == yaml.MappingNode {
		list := all.Content[0].Content
		for i := 0; i+1 < len(list); i += 2 {
			switch list[i].Value {
			case "id":
				list[i+1].SetString(string(copied))
			case "name":
				if name := strings.TrimSpace(list[i+1].Value); name != "" {
					list[i+1].SetString(human.Fork(name))
				}
			}
		}
	}
	if data, err = yaml.Marshal(&all); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, workspaceFile), data, 0o600)
}

// copyFolder copies the regular files of a folder.
func copyFolder(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.OpenFile(filepath.Join(to, rel), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		return errors.Join(err, out.Close())
	})
}
