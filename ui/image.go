package ui

import (
	"os"

	tea "charm.land/bubbletea/v2"

	"parley/ui/files"
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
		if err == nil && len(data) > files.MaxImage {
			err = files.ImageTooLarge("", int64(len(data)))
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

// dropImage looks whether there is an image where a pasted text says.
func (m *Model) dropImage(path, pasted string) tea.Cmd {
	full, ctx := m.opts.treeOf(m.dir()).Path(path), m.ctx
	return m.command(func() tea.Msg {
		_, data, err := files.ReadImage(ctx, full)
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
