package patch

import "parley/session/changes/snapshot"

// Counts are the lines of a change.
type Counts struct {
	Added, Removed int
	// Binary reports that the content is not text, Unkept that it was not kept. There are no lines then.
	Binary, Unkept bool
}

// Count counts the lines of a change.
func Count(f File, differ Differ) (Counts, error) {
	var c Counts
	if f.From != "" || f.Before.Kind == snapshot.File && f.Before.Sum != "" && f.Before.Sum == f.After.Sum {
		return c, nil
	}
	none := snapshot.State{Kind: snapshot.None}
	before, after := nothingIfOther(f.Before), nothingIfOther(f.After)
	if before.Kind == snapshot.File && after.Kind == snapshot.File {
		err := c.add(f.Path, before, after, differ)
		return c, err
	}
	for _, pair := range [][2]snapshot.State{{before, none}, {none, after}} {
		if err := c.add(f.Path, pair[0], pair[1], differ); err != nil {
			return c, err
		}
	}
	return c, nil
}

// add counts the lines of two states of one kind, or of one that was made or removed.
func (c *Counts) add(path string, before, after snapshot.State, differ Differ) error {
	_, removed := targetLines("-", before)
	_, added := targetLines("+", after)
	c.Added, c.Removed = c.Added+added, c.Removed+removed
	if before.Kind != snapshot.File && after.Kind != snapshot.File {
		return nil
	}
	if unkept(before, after) != "" {
		c.Unkept = true
		return nil
	}
	edit, err := differ(path, before, after)
	if err != nil {
		return err
	}
	c.Added, c.Removed = c.Added+edit.Added, c.Removed+edit.Removed
	empty := edit.Patch == "" && before.Size+after.Size > 0
	c.Unkept = c.Unkept || empty && edit.Note != binary
	c.Binary = c.Binary || empty && edit.Note == binary
	return nil
}
