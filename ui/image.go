package ui

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/style"
)

// This file puts images into the field: from the clipboard by a key, and from files that are dropped on the terminal, which
// pastes their paths.

// imageMsg brings an image for the field, or why there is none. pasted is the text that was to be one, "" if it came by the
// key.
type imageMsg struct {
	file   string
	size   int
	pasted string
	err    error
}

// pasteImage takes the image on the clipboard, in the background.
func (m *Model) pasteImage() tea.Cmd {
	paste, dir, now := m.opts.PasteImage, m.opts.ImageDir, m.now()
	if paste == nil {
		m.say("the clipboard cannot be asked for images here; drop the image's file instead", true)
		return nil
	}
	return m.command(func() tea.Msg {
		data, err := paste(m.ctx)
		if err == nil && len(data) > mostImage {
			err = tooLarge("", int64(len(data)))
		}
		if err != nil {
			return imageMsg{err: err}
		}
		if dir != "" {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return imageMsg{err: err}
			}
		}
		f, err := os.CreateTemp(dir, "clipboard-"+now.Format("20060102-150405")+"-*.image")
		if err != nil {
			return imageMsg{err: err}
		}
		_, err = f.Write(data)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		return imageMsg{file: f.Name(), size: len(data), err: err}
	})
}

// droppedImage is the path of a pasted text that may be that of an image file: alone, perhaps in quotes or with backslashes
// as shells want them, or as a file's address.
func droppedImage(text string) (path string, ok bool) {
	s := strings.TrimSpace(text)
	if s == "" || len(s) > 4096 || strings.ContainsAny(s, "\n\r") {
		return "", false
	}
	if n := len(s); n > 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		s = strings.ReplaceAll(s[1:n-1], `'\''`, "'")
	} else if u, err := url.Parse(s); err == nil && u.Scheme == "file" {
		s = u.Path
	} else if os.PathSeparator == '/' {
		s = unbackslashed(s)
	}
	if namesImage(s) {
		return s, filepath.IsAbs(s) || strings.HasPrefix(s, "~/")
	}
	return "", false
}

// unbackslashed takes away the backslashes that keep a shell from reading the character behind.
func unbackslashed(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// dropImage looks whether there is an image where a pasted text says.
func (m *Model) dropImage(path, pasted string) tea.Cmd {
	full, ctx := m.opts.treeOf(m.dir()).path(path), m.ctx
	return m.command(func() tea.Msg {
		_, data, err := readImage(ctx, full)
		return imageMsg{full, len(data), pasted, err}
	})
}

// gotImage puts an image in, or the text that was none.
func (m *Model) gotImage(msg imageMsg) tea.Cmd {
	m.touch()
	if msg.err != nil {
		m.say(style.Visible(style.OneLine(msg.err.Error())), true)
		if msg.pasted != "" {
			m.composer.Paste(msg.pasted)
		}
		return m.changed()
	}
	m.composer.InsertImage(msg.file, msg.size)
	m.composer.Insert(" ")
	if mod := m.model(m.settings().Model); mod != nil && !mod.Vision {
		m.say(style.Visible(style.OneLine(style.ShortModel(mod.ID)))+" cannot see images; /model lists others", true)
	}
	return m.changed()
}
