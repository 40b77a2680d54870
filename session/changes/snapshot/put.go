package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// put makes the new state stand at the name: that of a temporary file or link, or nothing. The temporary name is free again
// afterwards. What another program has put there since the last look is put back.
func (w *swap) put(temporary string) error {
	switch {
	case w.from.Kind == None:
		err := w.create(temporary)
		if err != nil {
			_ = w.in.Remove(temporary) // the first error is the useful one
		}
		return err
	case w.to.Kind == None:
		return w.remove(temporary)
	}
	ours, err := w.in.Lstat(temporary)
	if err == nil {
		err = exchange(w.in, temporary, w.name)
	}
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		err = w.in.Rename(temporary, w.name)
	case err == nil && w.took(temporary):
		return w.in.Remove(temporary)
	case err == nil:
		if err = exchange(w.in, temporary, w.name); err != nil {
			return w.lost(temporary, err)
		}
		if now, err := w.in.Lstat(temporary); err != nil || !os.SameFile(now, ours) {
			return w.lost(temporary, err)
		}
		err = ErrChanged
	case errors.Is(err, fs.ErrNotExist):
		err = ErrChanged
	}
	if err != nil {
		_ = w.in.Remove(temporary) // the first error is the useful one
	}
	return err
}

// took reports whether a temporary name has what stood at the name when it was last looked at. Renaming changes what is
// known about when it changed.
func (w *swap) took(temporary string) bool {
	now, err := w.in.Lstat(temporary)
	return err == nil && os.SameFile(now, w.info) && now.Size() == w.info.Size() && now.Mode() == w.info.Mode() &&
		now.ModTime().Equal(w.info.ModTime())
}

// lost returns the error about what another program wrote, and what could not be put back.
func (w *swap) lost(temporary string, err error) error {
	return errors.Join(fmt.Errorf("%w: what was there is now called %s", ErrChanged, temporary), err)
}

// create gives a temporary file its name. What has appeared there is never replaced.
func (w *swap) create(temporary string) error {
	err := renameNew(w.in, temporary, w.name)
	if errors.Is(err, errors.ErrUnsupported) {
		// A second name fails if there is a file; where there are no second names, nothing better is left than to rename.
		switch err = w.in.Link(temporary, w.name); {
		case err == nil:
			return w.in.Remove(temporary)
		case !errors.Is(err, fs.ErrExist):
			if _, missing := w.in.Lstat(w.name); errors.Is(missing, fs.ErrNotExist) {
				return w.in.Rename(temporary, w.name)
			}
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return ErrChanged
	}
	return err
}

// remove removes what stands at the name, by its temporary name.
func (w *swap) remove(temporary string) error {
	switch err := w.in.Rename(w.name, temporary); {
	case errors.Is(err, fs.ErrNotExist):
		return ErrChanged
	case err != nil:
		return err
	case w.took(temporary):
		return w.in.Remove(temporary)
	}
	if err := renameNew(w.in, temporary, w.name); errors.Is(err, errors.ErrUnsupported) {
		if err = w.in.Rename(temporary, w.name); err != nil {
			return w.lost(temporary, err)
		}
	} else if err != nil {
		return w.lost(temporary, err)
	}
	return ErrChanged
}
