package core

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/session"
	"parley/ui/files"
	"parley/ui/textarea"
)

// mentioned returns the files and directories that a text names, each once, and skips those that do not exist. Images
// become pictures, lines of a file their text. notes has a line per image that is attached as a path only. blind names a
// model that cannot see images; empty for others. It reads files.
func mentioned(ctx context.Context, t *files.Tree, all []textarea.Mention, blind string) (out []session.Attachment, notes []string) {
	seen := map[textarea.Mention]bool{}
	for _, mention := range all {
		mention.From, mention.To = 0, 0
		if seen[mention] {
			continue
		}
		seen[mention] = true
		a, ok := attachment(ctx, t, mention)
		if !ok {
			continue
		}
		if a.Kind == session.AttachFile && files.NamesImage(a.Path) {
			var why string
			if a, why = picture(ctx, a, blind); why != "" {
				notes = append(notes, why)
			}
		}
		out = append(out, a)
	}
	return out, notes
}

// picture returns an attached file as a picture, or the file itself and, if it is an image, why it cannot be one.
func picture(ctx context.Context, a session.Attachment, blind string) (session.Attachment, string) {
	kind, data, err := files.ReadImage(ctx, a.Path)
	name := filepath.Base(a.Path)
	switch {
	case errors.Is(err, files.ErrNotImage):
		return a, ""
	case err != nil:
		return a, err.Error() + ": only its path is sent"
	case blind != "":
		return a, blind + " can't see images: only the path of " + name + " is sent"
	}
	return session.Attachment{Kind: session.AttachImage, Path: a.Path, MediaType: kind, Data: data}, ""
}

// maxLines is the size limit, in bytes, for lines attached as text; the agent reads more by itself.
const maxLines = 100 << 10

// attachment looks up one mention. It reports false for what does not exist and for devices and pipes.
func attachment(ctx context.Context, t *files.Tree, m textarea.Mention) (session.Attachment, bool) {
	name := filepath.ToSlash(filepath.Clean(m.Path))
	var fsys fs.FS
	if !files.Outside(m.Path) && fs.ValidPath(name) {
		fsys = t.FS()
	} else {
		full := t.Path(m.Path)
		fsys, name = files.OnDisk(filepath.Dir(full)), filepath.Base(full)
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return session.Attachment{}, false
	}
	a := session.Attachment{Kind: session.AttachFile, Path: t.Path(m.Path)}
	switch {
	case info.IsDir():
		a.Kind = session.AttachDirectory
	case !info.Mode().IsRegular():
		return session.Attachment{}, false
	case m.First > 0:
		text, last, ok := linesOf(ctx, fsys, name, m.First, m.Last)
		if ok {
			a.Kind, a.FirstLine, a.LastLine, a.Text = session.AttachSelection, m.First, last, text
		}
	}
	return a, true
}

// linesOf reads lines of a file, numbered from 1, and returns the number of the last line read.
func linesOf(ctx context.Context, fsys fs.FS, name string, first, last int) (text string, end int, ok bool) {
	data, _, err := files.Read(ctx, fsys, name, 16<<20)
	if err != nil {
		return "", 0, false
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if n := len(lines); n > 0 && len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	last = min(last, len(lines))
	if first > last {
		return "", 0, false
	}
	picked := bytes.Join(lines[first-1:last], nil)
	if len(picked) > maxLines {
		return "", 0, false
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(picked), "\n"), "\ufffd"), last, true
}

// readImages reads the images of a prompt.
func readImages(ctx context.Context, names []string) ([]session.Attachment, error) {
	var all []session.Attachment
	for _, name := range names {
		kind, data, err := files.ReadImage(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, session.Attachment{Kind: session.AttachImage, Path: name, MediaType: kind, Data: data})
	}
	return all, nil
}

// ImagePaths returns the words of a text that are paths of image files as [files.PastedImage] reads them.
func ImagePaths(text string) (all []string) {
	for text != "" {
		var word string
		word, text = shellWord(text)
		if path, ok := files.PastedImage(word); ok {
			all = append(all, path)
		} else if path, ok := files.PastedImage(strings.TrimRight(word, ".,;:!?)")); ok {
			all = append(all, path)
		}
	}
	return all
}

// shellWord cuts a text behind its first word, as a shell reads it; a quote within a word is an apostrophe.
func shellWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, " \t\n")
	if text == "" {
		return "", ""
	}
	if text[0] == '\'' || text[0] == '"' {
		if n := strings.IndexByte(text[1:], text[0]); n > 0 {
			return text[:n+2], text[n+2:]
		}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ' ', '\t', '\n':
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// existing returns the absolute paths at which a file exists; the others are only words.
func existing(t *files.Tree, written []string) (all []string) {
	for _, w := range written {
		path := t.Path(w)
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			all = append(all, path)
		}
	}
	return all
}
