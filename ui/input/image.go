package input

import (
	"context"
	"os"

	tea "charm.land/bubbletea/v2"

	"parley/ui/files"
	"parley/ui/style"
)

// imageMsg brings an image for the field, or why there is none.
type imageMsg struct {
	file   string
	size   int    // bytes
	pasted string // the text that named the file, "" for an image from the clipboard
	err    error
}

// PasteImage puts the image on the clipboard into the field, in the background.
func (m *Model) PasteImage() (Action, tea.Cmd) {
	paste, dir, ctx, now := m.o.PasteImage, m.o.ImageDir, m.o.Context, m.o.Look.Now()
	if paste == nil {
		return Say{"Can't read images from the clipboard here. Drag the file in instead", true}, nil
	}
	return nil, func() tea.Msg {
		data, err := paste(ctx)
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
	}
}

// readDropped reads the image file that a pasted text names.
func readDropped(ctx context.Context, path, pasted string) tea.Cmd {
	return func() tea.Msg {
		_, data, err := files.ReadImage(ctx, path)
		return imageMsg{path, len(data), pasted, err}
	}
}

// gotImage puts an image in, or the text that was pasted if there is none.
func (m *Model) gotImage(msg imageMsg) (Action, tea.Cmd) {
	if msg.err != nil {
		if msg.pasted != "" {
			m.composer.Paste(msg.pasted)
		}
		return Say{style.Visible(style.OneLine(msg.err.Error())), true}, m.changed()
	}
	m.composer.InsertImage(msg.file, msg.size)
	m.composer.Insert(" ")
	return ImageAdded{}, m.changed()
}
